package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.LinkedHashMap;
import java.util.Map;

/** What C reports as a text, as an exception with its status. The first word of the scratch memory is the error's place. */
final class Errors {

    /** How messages begin; the order of the numbers is that of RocksDB. */
    private static final Map<String, Status.Code> CODES = new LinkedHashMap<>();
    private static final Map<String, Status.SubCode> SUB_CODES = new LinkedHashMap<>();

    static {
        CODES.put("NotFound", Status.Code.NotFound);
        CODES.put("Corruption", Status.Code.Corruption);
        CODES.put("Not implemented", Status.Code.NotSupported);
        CODES.put("Invalid argument", Status.Code.InvalidArgument);
        CODES.put("IO error", Status.Code.IOError);
        CODES.put("Merge in progress", Status.Code.MergeInProgress);
        CODES.put("Result incomplete", Status.Code.Incomplete);
        CODES.put("Shutdown in progress", Status.Code.ShutdownInProgress);
        CODES.put("Operation timed out", Status.Code.TimedOut);
        CODES.put("Operation aborted", Status.Code.Aborted);
        CODES.put("Resource busy", Status.Code.Busy);
        CODES.put("Operation expired", Status.Code.Expired);
        CODES.put("Operation failed. Try again.", Status.Code.TryAgain);
        SUB_CODES.put("Timeout Acquiring Mutex", Status.SubCode.MutexTimeout);
        SUB_CODES.put("Timeout waiting to lock key", Status.SubCode.LockTimeout);
        SUB_CODES.put("Failed to acquire lock due to max_num_locks limit", Status.SubCode.LockLimit);
        SUB_CODES.put("No space left on device", Status.SubCode.NoSpace);
        SUB_CODES.put("Deadlock", Status.SubCode.Deadlock);
        SUB_CODES.put("Stale file handle", Status.SubCode.StaleFile);
        SUB_CODES.put("Memory limit reached", Status.SubCode.MemoryLimit);
        // Java has no constant for it.
        SUB_CODES.put("No such file or directory", Status.SubCode.Undefined);
    }

    private Errors() {
    }

    /** Clears the error's place and returns its address. */
    static long place(Scratch scratch) {
        scratch.setWord(0, 0);
        return scratch.wordAddress(0);
    }

    /** Throws if a call left an error. */
    static void check(Scratch scratch) throws RocksDBException {
        long error = scratch.word(0);
        if (error != 0) {
            scratch.setWord(0, 0);
            String text;
            try {
                text = NativeCalls.view(error, Long.MAX_VALUE).getString(0);
            } finally {
                CApi.rocksdb_free(error);
            }
            throw OrderWatch.explained(exception(text));
        }
    }

    /** Frees the error that a call may have left. */
    static void forget(Scratch scratch) {
        CApi.rocksdb_free(scratch.word(0));
        scratch.setWord(0, 0);
    }

    static RocksDBException exception(String text) {
        for (Map.Entry<String, Status.Code> code : CODES.entrySet()) {
            if (text.startsWith(code.getKey() + ": ")) {
                String rest = text.substring(code.getKey().length() + 2);
                for (Map.Entry<String, Status.SubCode> subCode : SUB_CODES.entrySet()) {
                    if (rest.startsWith(subCode.getKey())) {
                        String state = rest.substring(subCode.getKey().length()).replaceFirst("^: ", "");
                        return new RocksDBException(
                                new Status(code.getValue(), subCode.getValue(), state.isEmpty() ? null : state));
                    }
                }
                return new RocksDBException(
                        new Status(code.getValue(), Status.SubCode.None, rest.isEmpty() ? null : rest));
            }
        }
        return new RocksDBException(new Status(Status.Code.Undefined, Status.SubCode.Undefined, text));
    }

    /** The code with its sub-code in parentheses. */
    static String codeString(Status status) {
        Status.SubCode subCode = status.getSubCode();
        return status.getCode()
                + (subCode == null || subCode == Status.SubCode.None ? "" : "(" + subCode.name() + ")");
    }

    /** Throws an exception where the published method does not declare it. */
    @SuppressWarnings("unchecked") // the compiler takes it for unchecked
    static <X extends Throwable> RuntimeException undeclared(RocksDBException e) throws X {
        throw (X) e;
    }
}
