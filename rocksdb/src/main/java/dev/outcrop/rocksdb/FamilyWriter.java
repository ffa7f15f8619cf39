package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.Failures;
import dev.outcrop.rocksdb.engine.PointWrites;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Writes to a column family with one set of options. */
class FamilyWriter implements KeyValueWriter {
    final Family family;
    final PointWrites writes;
    private final WriteOptions options;

    FamilyWriter(Family family, WriteOptions options) {
        this(family, options, family.store.db, Native.FAILURES);
    }

    FamilyWriter(Family family, WriteOptions options, long db, Failures failures) {
        this.family = family;
        this.options = options;
        this.writes = new PointWrites(family, db, options, options.use(), () -> Timestamps.misfit(family), failures);
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        return new TimestampedFamilyWriter(family, options, timestamp);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        writes.withTwo(CApi::rocksdb_put_cf, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        writes.withTwo(CApi::rocksdb_put_cf, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        // RocksDB refuses it too, and says neither where nor how. Without a timestamp that is needed, that is said first.
        if (family.timestampSize == 0) {
            family.requireMergeOperator();
        }
        writes.withTwo(CApi::rocksdb_merge_cf, key, operand);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        family.requireRangeDeletions();
        // RocksDB checks this too late as well.
        if (family.order.compare(begin, end) > 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    KeyBounds.reversed("delete", family.toString(), begin, end));
        }
        writes.withTwo(CApi::rocksdb_delete_range_cf, begin, end);
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        writes.withOne(CApi::rocksdb_delete_cf, key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        writes.withOne(CApi::rocksdb_singledelete_cf, key);
    }
}
