package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.Failures;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeStatus;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The engine's native calls, with the exceptions of this API. */
final class Native extends NativeCall {
    /** What the engine's objects are given. */
    static final Failures FAILURES = new Exceptions();

    private Native() {
    }

    /** No lambda, because an exception may have to be made where the stack has run out. */
    private static final class Exceptions implements Failures {
        @Override
        public RuntimeException of(NativeStatus status, String message) {
            return new RocksDBException(Status.of(status), message);
        }
    }

    /** As {@link #in(Scratch, MemorySegment)}, but a short copy goes to the first area, without an object for it. */
    static MemorySegment key(Scratch scratch, MemorySegment key) {
        return key(scratch, key, FAILURES);
    }

    /** A copy of a key, in the first area if it is short. */
    static MemorySegment keyCopy(Scratch scratch, MemorySegment key) {
        return keyCopy(scratch, key, FAILURES);
    }

    /** Refuses an entry that is too long for RocksDB to handle safely; for a key alone, the entry it would be. */
    static void requireSize(long keyAndValue) {
        requireSize(keyAndValue, FAILURES);
    }

    /** An array for a key or value, or advice what to do if it is too long for one. */
    static byte[] newArray(long size, String advice) {
        return newArray(size, advice, FAILURES);
    }

    /** Throws what a callback threw during the call, or what the C API left in the {@code errptr}, if anything. */
    static void check(Scratch scratch) {
        check(scratch, FAILURES);
    }

    /** As {@link #check(Scratch)}, for a call of an object that only one thread may use, which is inside. */
    static void check(ExclusiveLifetime entered) {
        check(entered, FAILURES);
    }

    /** As {@link #check(Scratch)}, with a message that begins with what was tried. */
    static void check(Scratch scratch, String attempt) {
        check(scratch, attempt, FAILURES);
    }

    /** Throws if RocksDB has not done what was tried; what a callback threw meanwhile waits. */
    static void requireDone(Scratch scratch, String attempt) {
        requireDone(scratch, attempt, FAILURES);
    }

    /** As {@link #check(Scratch)}, after a call that has made something, which is freed if a callback has thrown. */
    static void check(Scratch scratch, String attempt, long made, LongConsumer free) {
        check(scratch, attempt, made, free, FAILURES);
    }

    /** What to throw when RocksDB reports a failure. */
    static RocksDBException failure(RocksDBException failure) {
        return failure(failure.status().codeNumber(), failure);
    }

    /** What the C API left in the {@code errptr}; null if nothing. */
    static @Nullable Status status(Scratch scratch) {
        NativeStatus status = nativeStatus(scratch);
        return status == null ? null : Status.of(status);
    }
}
