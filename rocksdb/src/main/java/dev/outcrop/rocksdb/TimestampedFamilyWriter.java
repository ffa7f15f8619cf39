package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/** Writes to a column family with one set of options and one timestamp. */
final class TimestampedFamilyWriter implements KeyValueWriter {
    private final Family family;
    private final WriteOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long writeOptions;
    private final byte[] timestamp;

    TimestampedFamilyWriter(Family family, WriteOptions options, MemorySegment timestamp) {
        this.family = family;
        this.options = options;
        this.writeOptions = options.use();
        this.timestamp = timestamp.toArray(ValueLayout.JAVA_BYTE);
        Timestamps.requireSize(family, this.timestamp.length);
    }

    @Override
    public KeyValueWriter at(MemorySegment other) {
        return new TimestampedFamilyWriter(family, options, other);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Native.requireSize(key.byteSize() + timestamp.length + value.byteSize());
        try (Scratch scratch = family.enterToWrite()) {
            CApi.rocksdb_put_cf_with_ts(family.store.db, writeOptions, family.handle, Native.key(scratch, key),
                    key.byteSize(), timestamp(scratch), timestamp.length, Native.in(scratch, value), value.byteSize(),
                    Native.error(scratch));
            Native.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        withOne(CApi::rocksdb_delete_cf_with_ts, key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        withOne(CApi::rocksdb_singledelete_cf_with_ts, key);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        throw notSupported("delete a range", begin, end);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        throw notSupported("merge", key, operand);
    }

    /** RocksDB itself can do both, but its C API takes them in write batches only. */
    private RocksDBException notSupported(String what, MemorySegment first, MemorySegment second) {
        Native.requireSize(first.byteSize() + second.byteSize());
        family.enter().close();
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                "RocksDB's C API cannot " + what + " with a timestamp directly; write a batch to the " + family);
    }

    /** The shape of the C functions that take one key. */
    private interface WithOne {
        void call(long db, long options, long family, MemorySegment key, long keyLength, MemorySegment timestamp,
                long timestampLength, long error);
    }

    private void withOne(WithOne function, MemorySegment key) {
        Native.requireSize(key.byteSize() + timestamp.length);
        try (Scratch scratch = family.enterToWrite()) {
            function.call(family.store.db, writeOptions, family.handle, Native.key(scratch, key), key.byteSize(),
                    timestamp(scratch), timestamp.length, Native.error(scratch));
            Native.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private MemorySegment timestamp(Scratch scratch) {
        return scratch.allocateFrom(ValueLayout.JAVA_BYTE, timestamp);
    }
}
