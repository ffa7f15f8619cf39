package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The engine's native calls, with the exceptions of this API. */
final class ApiCall extends NativeCall {
    /** The longest array that every JVM can make. */
    static final long LONGEST_ARRAY = Integer.MAX_VALUE - 8;

    private ApiCall() {
    }

    /** Refuses an entry that is too long for RocksDB to handle safely; for a key alone, the entry it would be. */
    static void requireSize(long keyAndValue) {
        check(sizeProblem(keyAndValue));
    }

    /** Returns a key as native memory; a short copy goes to the first area, without an object for it. */
    public static MemorySegment key(Scratch scratch, MemorySegment key) {
        requireSize(key.byteSize());
        return NativeCall.key(scratch, key);
    }

    /** A copy of a key, in the first area if it is short. */
    public static MemorySegment keyCopy(Scratch scratch, MemorySegment key) {
        requireSize(key.byteSize());
        return NativeCall.keyCopy(scratch, key);
    }

    /** Refuses null as an argument, and among its elements. */
    static void requireElements(String name, Collection<?> elements) {
        Objects.requireNonNull(elements, name);
        for (Object element : elements) {
            if (element == null) {
                throw new NullPointerException("one of " + name);
            }
        }
    }

    /** Refuses null as an argument, and among its keys and values. */
    static void requireEntries(String name, Map<String, ?> entries) {
        Objects.requireNonNull(entries, name);
        requireElements(name, entries.keySet());
        entries.forEach((key, value) -> Objects.requireNonNull(value, () -> "the value of " + key));
    }

    /** Makes an array for a key or value. If it would be too long, the exception contains the advice. */
    static byte[] newArray(long size, String advice) {
        if (size > LONGEST_ARRAY) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                    "The value has " + size + " bytes, more than a Java array can hold; " + advice);
        }
        return new byte[(int) size];
    }

    /** Throws a problem that the engine has found. */
    static void check(@Nullable NativeStatus problem) {
        if (problem != null) {
            throw failure(problem);
        }
    }

    /** Throws the problem that the engine has found in calls, or the exception of a callback during them. */
    static void checkCalls(@Nullable NativeStatus problem) {
        if (problem != null) {
            throw failure(failure(problem));
        }
        CallbackFailures.rethrow();
    }

    /** Refuses a damaged file. */
    static void requireSound(@Nullable String problem) {
        if (problem != null) {
            throw failure(NativeStatus.corruption(problem));
        }
    }

    /** The exception for a problem that the engine has found. */
    static RocksDBException failure(NativeStatus problem) {
        return new RocksDBException(Status.of(problem), problem.message());
    }

    /** Goes to the next record of a batch; throws if it is damaged. */
    static boolean next(BatchReader records) {
        boolean isThere = records.next();
        if (!isThere) {
            check(records.problem());
        }
        return isThere;
    }

    /** Throws the exception of a callback during the call, or the failure in the {@code errptr}, if there is one. */
    static void check(Scratch scratch) {
        if (scratch.word(ERROR) != 0) {
            throw failure(nativeStatus(scratch), "");
        }
        CallbackFailures.rethrow();
    }

    /** Checks a call of an object that only one thread may use; this thread has entered the object. */
    static void check(ExclusiveLifetime entered) {
        if (entered.word(ERROR) != 0) {
            throw failure(nativeStatus(entered), "");
        }
        CallbackFailures.rethrow();
    }

    /** Checks a call, with a message that begins with the attempt. */
    static void check(Scratch scratch, String attempt) {
        requireDone(scratch, attempt);
        CallbackFailures.rethrow();
    }

    /**
     * Throws if RocksDB has failed. If it has not, an exception of a callback waits for {@link CallbackFailures#rethrow()}, until the
     * caller has stored the new object.
     */
    static void requireDone(Scratch scratch, String attempt) {
        if (scratch.word(ERROR) != 0) {
            throw failure(nativeStatus(scratch), attempt + ": ");
        }
    }

    /** Checks a call that has made an object, and frees it if a callback has thrown. */
    static void check(Scratch scratch, String attempt, long made, LongConsumer free) {
        try {
            check(scratch, attempt);
        } catch (Throwable e) {
            if (made != 0) {
                free.accept(made);
            }
            throw e;
        }
    }

    private static RocksDBException failure(@Nullable NativeStatus status, String before) {
        Status told = Status.of(Objects.requireNonNull(status));
        return failure(new RocksDBException(told, before + told));
    }

    /** The exception for a failure that RocksDB reports. */
    static RocksDBException failure(RocksDBException failure) {
        return failure(failure.status().codeNumber(), failure);
    }

    /** The status in the {@code errptr} of the C API; null if there is none. */
    static @Nullable Status status(Scratch scratch) {
        NativeStatus status = nativeStatus(scratch);
        return status == null ? null : Status.of(status);
    }
}
