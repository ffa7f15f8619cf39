package dev.outcrop.rocksdb;

import java.io.Serializable;
import java.util.Objects;

/**
 * Why RocksDB refused or failed an operation.
 *
 * @param code    the kind of failure
 * @param subCode what more is known about it, {@link SubCode#NONE} if nothing
 * @param message RocksDB's own text, without the words that code and sub-code stand for
 */
public record Status(Code code, SubCode subCode, String message) implements Serializable {
    /** Refuses null. */
    public Status {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(subCode, "subCode");
        Objects.requireNonNull(message, "message");
    }

    /** RocksDB's status codes ({@code rocksdb::Status::Code}) that stand for a failure, with the words it prints for each. */
    public enum Code {
        /** Something that must be there is not, other than a key: an absent key is no failure. */
        NOT_FOUND("NotFound"),
        /** Data on disk is damaged. */
        CORRUPTION("Corruption"),
        /** The database, as it was opened, cannot do this. */
        NOT_SUPPORTED("Not implemented"),
        /** An argument or an option is wrong. */
        INVALID_ARGUMENT("Invalid argument"),
        /** The file system failed. */
        IO_ERROR("IO error"),
        /** A merge is under way. */
        MERGE_IN_PROGRESS("Merge in progress"),
        /** The result is not complete, for example because the read was restricted to the cache. */
        INCOMPLETE("Result incomplete"),
        /** The database is shutting down. */
        SHUTDOWN_IN_PROGRESS("Shutdown in progress"),
        /** A deadline passed. */
        TIMED_OUT("Operation timed out"),
        /** The operation was aborted. */
        ABORTED("Operation aborted"),
        /** A resource or a lock is taken; trying again may work. */
        BUSY("Resource busy"),
        /** A transaction has expired. */
        EXPIRED("Operation expired"),
        /** The operation met another one; trying again may work. */
        TRY_AGAIN("Operation failed. Try again."),
        /** A compaction would be too large. */
        COMPACTION_TOO_LARGE("Compaction too large"),
        /** The column family was dropped. */
        COLUMN_FAMILY_DROPPED("Column family dropped"),
        /** A text that begins like none of the above. */
        UNKNOWN("Unknown");

        private final String words;

        Code(String words) {
            this.words = words;
        }
    }

    /** RocksDB's sub-codes ({@code rocksdb::Status::SubCode}), with the words it prints for each. */
    public enum SubCode {
        /** Nothing more is known. */
        NONE(""),
        /** A mutex was not free in time. */
        MUTEX_TIMEOUT("Timeout Acquiring Mutex"),
        /** A key's lock was not free in time. */
        LOCK_TIMEOUT("Timeout waiting to lock key"),
        /** The database holds as many locks as it may. */
        LOCK_LIMIT("Failed to acquire lock due to max_num_locks limit"),
        /** The device is full. */
        NO_SPACE("No space left on device"),
        /** Two transactions wait for each other. */
        DEADLOCK("Deadlock"),
        /** The file handle is stale. */
        STALE_FILE("Stale file handle"),
        /** A memory limit was reached. */
        MEMORY_LIMIT("Memory limit reached"),
        /** The limit that was set for the database's size was reached. */
        SPACE_LIMIT("Space limit reached"),
        /** A file or directory does not exist. */
        PATH_NOT_FOUND("No such file or directory"),
        /** There is no room for all merge operands. */
        MERGE_OPERANDS_INSUFFICIENT_CAPACITY("Insufficient capacity for merge operands"),
        /** Manual compaction is paused. */
        MANUAL_COMPACTION_PAUSED("Manual compaction paused"),
        /** The transaction was not prepared. */
        TXN_NOT_PREPARED("Txn not prepared"),
        /** The file system refuses this instance. */
        IO_FENCED("IO fenced off"),
        /** A merge operator failed. */
        MERGE_OPERATOR_FAILED("Merge operator failed"),
        /** More operands were merged than the threshold allows. */
        MERGE_OPERAND_THRESHOLD_EXCEEDED("Number of operands merged exceeded threshold"),
        /** A scan of several ranges reached its limit of prefetched files. */
        PREFETCH_LIMIT_REACHED("MultiScan reached file prefetch limit"),
        /** RocksDB met a case it holds for impossible. */
        NOT_EXPECTED_CODE_PATH("Not expected code path"),
        /** All compactions were aborted. */
        COMPACTION_ABORTED("All compactions aborted");

        private final String words;

        SubCode(String words) {
            this.words = words;
        }
    }

    /**
     * Reads the text that the C API gives in place of a status. Its form is set by {@code rocksdb::Status::ToString}: the words of
     * the code, a colon and a space, the words of the sub-code if there is one, and the message, after another colon if there was
     * a sub-code.
     */
    static Status parse(String text) {
        for (Code code : Code.values()) {
            if (text.startsWith(code.words + ": ")) {
                String rest = text.substring(code.words.length() + 2);
                SubCode subCode = subCode(rest);
                String message = rest.substring(subCode.words.length());
                boolean separated = subCode != SubCode.NONE && message.startsWith(": ");
                return new Status(code, subCode, separated ? message.substring(2) : message);
            }
        }
        return new Status(Code.UNKNOWN, SubCode.NONE, text);
    }

    private static SubCode subCode(String rest) {
        for (SubCode subCode : SubCode.values()) {
            boolean ends = rest.equals(subCode.words) || rest.startsWith(subCode.words + ": ");
            if (subCode != SubCode.NONE && ends) {
                return subCode;
            }
        }
        return SubCode.NONE;
    }

    /** The status as RocksDB words it. */
    @Override
    public String toString() {
        String detail = subCode == SubCode.NONE ? message : subCode.words + (message.isEmpty() ? "" : ": " + message);
        return code == Code.UNKNOWN ? detail : code.words + ": " + detail;
    }
}
