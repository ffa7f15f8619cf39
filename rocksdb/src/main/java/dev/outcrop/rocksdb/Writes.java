package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.internal.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/** Writes to a column family with one set of options. */
class Writes implements KeyValueWriter {
    final Family family;
    /** The native database whose functions are called. */
    private final long db;
    private final WriteOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long writeOptions;

    Writes(Family family, WriteOptions options) {
        this(family, options, family.store.db);
    }

    Writes(Family family, WriteOptions options, long db) {
        this.family = family;
        this.db = db;
        this.options = options;
        this.writeOptions = options.use();
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        return new TimestampedWrites(family, options, timestamp);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        withTwo(CApi::rocksdb_put_cf, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        withTwo(CApi::rocksdb_put_cf, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        withTwo(CApi::rocksdb_merge_cf, key, operand);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        family.requireRangeDeletions();
        // RocksDB checks this too late as well.
        if (family.order.compare(begin, end) > 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "The range to delete ends before it begins");
        }
        withTwo(CApi::rocksdb_delete_range_cf, begin, end);
    }

    @Override
    public void delete(MemorySegment key) {
        withOne(CApi::rocksdb_delete_cf, key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        withOne(CApi::rocksdb_singledelete_cf, key);
    }

    /** The shape of the C functions that take a key and a value, or two keys. */
    interface WithTwo {
        void call(long db, long options, long family, MemorySegment first, long firstLength, MemorySegment second,
                long secondLength, long error);
    }

    /** The shape of the C functions that take one key. */
    interface WithOne {
        void call(long db, long options, long family, MemorySegment key, long keyLength, long error);
    }

    final void withTwo(WithTwo function, MemorySegment first, MemorySegment second) {
        Native.requireSize(first.byteSize() + second.byteSize());
        try (Scratch scratch = family.enterToWrite()) {
            Timestamps.requireNone(family);
            long error = Native.error(scratch);
            MemorySegment a = Native.key(scratch, first);
            MemorySegment b = Native.in(scratch, second);
            function.call(db, writeOptions, family.handle, a, first.byteSize(), b, second.byteSize(),
                    error);
            if (scratch.word(Native.ERROR) != 0) {
                throw failure(scratch, first);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** The same for arrays, without an object for each of them. */
    final void withTwo(WithTwo function, byte[] first, byte[] second) {
        Native.requireSize((long) first.length + second.length);
        try (Scratch scratch = family.enterToWrite()) {
            Timestamps.requireNone(family);
            long error = Native.error(scratch);
            MemorySegment a = Native.key(scratch, first);
            MemorySegment b = Native.value(scratch, second);
            function.call(db, writeOptions, family.handle, a, first.length, b, second.length, error);
            if (scratch.word(Native.ERROR) != 0) {
                throw failure(scratch, MemorySegment.ofArray(first));
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private RocksDBException failure(Scratch scratch, MemorySegment key) {
        Status status = Objects.requireNonNull(Native.status(scratch));
        return Native.failure(failure(status, key));
    }

    /** What to throw when a key could not be written. */
    RocksDBException failure(Status status, MemorySegment key) {
        return new RocksDBException(status);
    }

    final void withOne(WithOne function, MemorySegment key) {
        try (Scratch scratch = family.enterToWrite()) {
            Timestamps.requireNone(family);
            long error = Native.error(scratch);
            MemorySegment a = Native.key(scratch, key);
            function.call(db, writeOptions, family.handle, a, key.byteSize(), error);
            if (scratch.word(Native.ERROR) != 0) {
                throw failure(scratch, key);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }
}
