package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;

/** Converts error texts of C into exceptions. The first word of the scratch memory takes the error. */
final class Errors {

    private Errors() {
    }

    /** Clears the word for the error and returns its address. */
    static long place(Scratch scratch) {
        scratch.setWord(0, 0);
        return scratch.wordAddress(0);
    }

    /** Throws if a call left an error. */
    static void check(Scratch scratch) throws RocksDBException {
        // Exceptions of callbacks are logged, and do not fail this call.
        CallbackFailures.forget();
        long error = scratch.word(0);
        if (error != 0) {
            scratch.setWord(0, 0);
            String text;
            try {
                text = NativeCalls.view(error, Long.MAX_VALUE).getString(0);
            } finally {
                NativeHeap.free(error);
            }
            throw ComparatorMonitor.explained(exception(text));
        }
    }

    /** Frees the error that a call may have left. */
    static void forget(Scratch scratch) {
        NativeHeap.free(scratch.word(0));
        scratch.setWord(0, 0);
    }

    static RocksDBException exception(String text) {
        NativeStatus status = NativeStatus.parse(text);
        if (status.code() > Status.Code.TryAgain.getValue()) {
            return new RocksDBException(new Status(Status.Code.Undefined, Status.SubCode.Undefined, text));
        }
        // Java has no constants for other numbers.
        Status.SubCode subCode = status.subCode() > Status.SubCode.MemoryLimit.getValue()
                ? Status.SubCode.Undefined
                : Status.SubCode.getSubCode((byte) status.subCode());
        return new RocksDBException(new Status(Status.Code.getCode((byte) status.code()), subCode,
                status.message().isEmpty() ? null : status.message()));
    }

    /** Returns the code, with its sub-code in parentheses. */
    static String codeString(Status status) {
        Status.SubCode subCode = status.getSubCode();
        return status.getCode()
                + (subCode == null || subCode == Status.SubCode.None ? "" : "(" + subCode.name() + ")");
    }

    /** Throws an exception that the published method does not declare. */
    @SuppressWarnings("unchecked") // the compiler treats the exception as unchecked
    static <X extends Throwable> RuntimeException undeclared(RocksDBException e) throws X {
        throw (X) e;
    }
}
