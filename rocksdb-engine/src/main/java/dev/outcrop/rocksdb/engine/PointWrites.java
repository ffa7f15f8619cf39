package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.function.Supplier;

/** How a column family is written to, a key at a time, with one set of native options. */
public final class PointWrites {
    private final FamilyHandle family;
    /** The native database whose functions are called. */
    private final long db;
    /** Keeps the native options alive while it is reachable, see the fences. */
    private final Object options;
    private final long writeOptions;

    /** What each write throws if keys have timestamps. */
    private final Supplier<? extends RuntimeException> misfit;
    private final Failures failures;

    /**
     * Writes to a family.
     *
     * @param db           the native database whose functions are called
     * @param options      keeps the native options alive
     * @param writeOptions the {@code rocksdb_writeoptions_t *}
     * @param misfit       what each write throws if keys have timestamps
     */
    public PointWrites(FamilyHandle family, long db, Object options, long writeOptions,
            Supplier<? extends RuntimeException> misfit, Failures failures) {
        this.family = family;
        this.db = db;
        this.options = options;
        this.writeOptions = writeOptions;
        this.misfit = misfit;
        this.failures = failures;
    }

    /** The shape of the C functions that take a key and a value, or two keys. */
    public interface WithTwo {
        void call(long db, long options, long family, MemorySegment first, long firstLength, MemorySegment second,
                long secondLength, long error);
    }

    /** The shape of the C functions that take one key. */
    public interface WithOne {
        void call(long db, long options, long family, MemorySegment key, long keyLength, long error);
    }

    public void withTwo(WithTwo function, MemorySegment first, MemorySegment second) {
        NativeCall.requireSize(first.byteSize() + second.byteSize(), failures);
        try (Scratch scratch = family.enterToWrite()) {
            if (family.timestampSize != 0) {
                throw misfit.get();
            }
            long error = NativeCall.error(scratch);
            MemorySegment a = NativeCall.key(scratch, first, failures);
            MemorySegment b = NativeCall.in(scratch, second);
            function.call(db, writeOptions, family.handle, a, first.byteSize(), b, second.byteSize(),
                    error);
            if (scratch.word(NativeCall.ERROR) != 0) {
                throw failure(scratch, first);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** The same for arrays, without an object for each of them. */
    public void withTwo(WithTwo function, byte[] first, byte[] second) {
        NativeCall.requireSize((long) first.length + second.length, failures);
        try (Scratch scratch = family.enterToWrite()) {
            if (family.timestampSize != 0) {
                throw misfit.get();
            }
            long error = NativeCall.error(scratch);
            MemorySegment a = NativeCall.key(scratch, first);
            MemorySegment b = NativeCall.value(scratch, second);
            function.call(db, writeOptions, family.handle, a, first.length, b, second.length, error);
            if (scratch.word(NativeCall.ERROR) != 0) {
                throw failure(scratch, MemorySegment.ofArray(first));
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private RuntimeException failure(Scratch scratch, MemorySegment key) {
        NativeStatus status = Objects.requireNonNull(NativeCall.nativeStatus(scratch));
        return NativeCall.failure(status.code(), failures.ofKey(status, key));
    }

    public void withOne(WithOne function, MemorySegment key) {
        try (Scratch scratch = family.enterToWrite()) {
            if (family.timestampSize != 0) {
                throw misfit.get();
            }
            long error = NativeCall.error(scratch);
            MemorySegment a = NativeCall.key(scratch, key, failures);
            function.call(db, writeOptions, family.handle, a, key.byteSize(), error);
            if (scratch.word(NativeCall.ERROR) != 0) {
                throw failure(scratch, key);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }
}
