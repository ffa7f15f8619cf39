package dev.outcrop.rocksdb.engine;

/**
 * The status of an operation that RocksDB refused, or that failed, in RocksDB's numbers ({@code rocksdb::Status}).
 *
 * @param code    the kind of failure
 * @param subCode the detail, or {@link #NONE}
 * @param message RocksDB's text, without the words for code and sub-code
 */
public record NativeStatus(int code, int subCode, String message) {
    public static final int NOT_FOUND = 1;
    public static final int CORRUPTION = 2;
    public static final int NOT_SUPPORTED = 3;
    public static final int INVALID_ARGUMENT = 4;
    public static final int IO_ERROR = 5;
    public static final int SHUTDOWN_IN_PROGRESS = 8;
    public static final int ABORTED = 10;
    public static final int TRY_AGAIN = 13;
    /** The text begins with none of RocksDB's codes. */
    public static final int UNKNOWN = 16;

    /** No sub-code. */
    public static final int NONE = 0;
    public static final int MEMORY_LIMIT = 7;

    public static NativeStatus invalid(String message) {
        return new NativeStatus(INVALID_ARGUMENT, NONE, message);
    }

    public static NativeStatus corruption(String message) {
        return new NativeStatus(CORRUPTION, NONE, message);
    }

    /** RocksDB's text for each code. */
    private static final String[] CODES = {"OK", "NotFound", "Corruption", "Not implemented", "Invalid argument",
            "IO error", "Merge in progress", "Result incomplete", "Shutdown in progress", "Operation timed out",
            "Operation aborted", "Resource busy", "Operation expired", "Operation failed. Try again.",
            "Compaction too large", "Column family dropped", "Unknown"};
    /** RocksDB's words for each sub-code, except {@code kOverwritten}, which no function of the C API reports. */
    private static final String[] SUB_CODES = {"", "Timeout Acquiring Mutex", "Timeout waiting to lock key",
            "Failed to acquire lock due to max_num_locks limit", "No space left on device", "Deadlock",
            "Stale file handle", "Memory limit reached", "Space limit reached", "No such file or directory",
            "Insufficient capacity for merge operands", "Manual compaction paused", "", "Txn not prepared",
            "IO fenced off", "Merge operator failed", "Number of operands merged exceeded threshold",
            "MultiScan reached file prefetch limit", "Not expected code path", "All compactions aborted"};

    /** Parses RocksDB's text: the words of the code, the words of the sub-code if there is one, and the message. */
    public static NativeStatus parse(String text) {
        for (int code = NOT_FOUND; code < UNKNOWN; code++) {
            if (text.startsWith(CODES[code] + ": ")) {
                String rest = text.substring(CODES[code].length() + 2);
                int subCode = subCode(rest);
                String message = rest.substring(SUB_CODES[subCode].length());
                boolean separated = subCode != NONE && message.startsWith(": ");
                return new NativeStatus(code, subCode, separated ? message.substring(2) : message);
            }
        }
        return new NativeStatus(UNKNOWN, NONE, text);
    }

    private static int subCode(String rest) {
        for (int subCode = NONE + 1; subCode < SUB_CODES.length; subCode++) {
            String words = SUB_CODES[subCode];
            if (!words.isEmpty() && (rest.equals(words) || rest.startsWith(words + ": "))) {
                return subCode;
            }
        }
        return NONE;
    }

    /** Returns RocksDB's text. */
    @Override
    public String toString() {
        String words = SUB_CODES[subCode];
        String detail = words.isEmpty() ? message : words + (message.isEmpty() ? "" : ": " + message);
        return code == UNKNOWN ? detail : CODES[code] + ": " + detail;
    }
}
