package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A column family: a key space of its own in a database, with its own memtables, files and options, that shares the log with the
 * others, so that they can be written atomically together.
 *
 * <p>It is read and written like a database. There is nothing to close: it ends with its database, or when it is dropped, and throws
 * {@link IllegalStateException} from then on. Thread-safe.
 */
public final class ColumnFamily implements KeyValueReader, KeyValueWriter {
    private final Family family;
    private final KeyValueReader reads;
    private final KeyValueWriter writes;

    ColumnFamily(Family family) {
        this.family = family;
        this.reads = family.store.kind().reader(family, new ReadOptions());
        this.writes = family.store.writer(family, new WriteOptions());
    }

    Family family() {
        return family;
    }

    /**
     * Its name.
     *
     * @return {@code "default"} for the one that every database has
     */
    public String name() {
        return family.name;
    }

    /**
     * Its number in the database, which is never used again.
     *
     * @return 0 for the default column family
     */
    public int id() {
        return family.id;
    }

    /**
     * This column family, read with other options.
     *
     * @param options how to read; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the column family
     * @throws IllegalArgumentException if the options have a snapshot of another database
     */
    public KeyValueReader with(ReadOptions options) {
        return family.store.kind().reader(family, options);
    }

    /**
     * This column family, written with other options, for example {@code new WriteOptions().sync(true)}.
     *
     * @param options how to write; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the column family
     */
    public KeyValueWriter with(WriteOptions options) {
        return family.store.writer(family, options);
    }

    /**
     * Writes what is in memory into table files, and waits until that is done.
     *
     * @throws RocksDBException      if RocksDB refuses or fails
     * @throws IllegalStateException if the database is closed or this column family dropped
     */
    public void flush() {
        try (Scratch scratch = family.enter()) {
            long error = Native.error(scratch);
            long options = CApi.rocksdb_flushoptions_create();
            try {
                CApi.rocksdb_flush_cf(family.store.db, options, family.handle, error);
            } finally {
                CApi.rocksdb_flushoptions_destroy(options);
            }
            Native.check(scratch);
        }
    }

    /**
     * Compacts the whole column family, and waits until that is done. Does nothing if the database was opened for reading.
     *
     * @throws RocksDBException      if RocksDB fails, for example because a file is damaged
     * @throws IllegalStateException if the database is closed or this column family dropped
     */
    public void compact() {
        try (Scratch scratch = family.enter()) {
            CApi.rocksdb_compact_range_cf(family.store.db, family.handle, MemorySegment.NULL, 0, MemorySegment.NULL, 0);
            if (!"0".equals(property(scratch, "rocksdb.background-errors"))) {
                throwBackgroundError(scratch);
            }
        }
    }

    /** The C API does not say how a compaction went. A failed one stops background work, and waiting for that returns its error. */
    private void throwBackgroundError(Scratch scratch) {
        long error = Native.error(scratch);
        long options = CApi.rocksdb_wait_for_compact_options_create();
        try {
            CApi.rocksdb_wait_for_compact(family.store.db, options, error);
        } finally {
            CApi.rocksdb_wait_for_compact_options_destroy(options);
        }
        Native.check(scratch);
    }

    /**
     * Asks for one of RocksDB's properties of this column family, such as {@code rocksdb.estimate-num-keys}.
     *
     * @param property the property's name
     * @return its value as text, or null if there is no such property
     * @throws IllegalStateException if the database is closed or this column family dropped
     */
    public @Nullable String property(String property) {
        if (property.indexOf('\0') >= 0) {
            // C would look for what stands before it.
            return null;
        }
        try (Scratch scratch = family.enter()) {
            return property(scratch, property);
        }
    }

    /**
     * Asks for a property of this column family that is a number; see {@link Property#NUMBERS}.
     *
     * @param property the property's name, for example {@link Property#ESTIMATE_NUM_KEYS}
     * @return its value, unsigned, or null if there is no such property or it is no number
     * @throws IllegalStateException if the database is closed or this column family dropped
     */
    public @Nullable Long longProperty(String property) {
        if (property.indexOf('\0') >= 0) {
            return null;
        }
        try (Scratch scratch = family.enter()) {
            int failed = CApi.rocksdb_property_int_cf(family.store.db, family.handle, Native.in(scratch, property),
                    scratch.wordAddress(1));
            return failed == 0 ? Long.valueOf(scratch.word(1)) : null;
        }
    }

    /**
     * Asks for a property of this column family that consists of pairs of name and value: the aggregated properties of its tables. RocksDB
     * has others in this form, but its C API does not give them.
     *
     * @param property the property's name, for example {@link Property#AGGREGATED_TABLE_PROPERTIES}
     * @return its values by name, in RocksDB's order, or null if there is no such property
     * @throws IllegalArgumentException if it does not consist of pairs
     * @throws IllegalStateException    if the database is closed or this column family dropped
     */
    public @Nullable Map<String, String> mapProperty(String property) {
        String text = property(property);
        if (text == null) {
            return null;
        }
        if (!property.startsWith(Property.AGGREGATED_TABLE_PROPERTIES)) {
            throw new IllegalArgumentException("The property " + property
                    + " does not consist of pairs of name and value; ask for it as text");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : text.split("; ", -1)) {
            int equals = pair.indexOf('=');
            if (equals >= 0) {
                values.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return values;
    }

    private @Nullable String property(Scratch scratch, String property) {
        long value = CApi.rocksdb_property_value_cf(family.store.db, family.handle, Native.in(scratch, property));
        return value == 0 ? null : Native.takeString(value);
    }

    /**
     * Estimates how many bytes ranges of keys take in table files, compressed as they are there. What is in memory only does not count.
     *
     * @param ranges which keys; their directions do not matter
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails
     * @throws IllegalArgumentException if one is no range in the order of the column family
     * @throws IllegalStateException    if the database is closed or this column family dropped
     */
    public long[] approximateSizes(List<KeyRange> ranges) {
        return ApproximateSizes.of(family, ranges, new SizeApproximationOptions());
    }

    /**
     * Estimates how many bytes ranges of keys take.
     *
     * @param ranges  which keys; their directions do not matter
     * @param options what counts: table files, blob files, memory; they cannot be changed any more
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails, for example because nothing is to count
     * @throws IllegalArgumentException if one is no range in the order of the column family
     * @throws IllegalStateException    if the database is closed or this column family dropped
     */
    public long[] approximateSizes(List<KeyRange> ranges, SizeApproximationOptions options) {
        return ApproximateSizes.of(family, ranges, options);
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        return writes.at(timestamp);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        writes.put(key, value);
    }

    @Override
    public void delete(MemorySegment key) {
        writes.delete(key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        writes.singleDelete(key);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        writes.deleteRange(begin, end);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        writes.merge(key, operand);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        return reads.get(key);
    }

    @Override
    public byte @Nullable [] get(MemorySegment key) {
        return reads.get(key);
    }

    @Override
    public long get(MemorySegment key, MemorySegment buffer) {
        return reads.get(key, buffer);
    }

    @Override
    public @Nullable PinnedSlice getPinned(MemorySegment key) {
        return reads.getPinned(key);
    }

    @Override
    public @Nullable PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer) {
        return reads.getHybrid(key, buffer);
    }

    @Override
    public KeyValueIterator iterator() {
        return reads.iterator();
    }

    @Override
    public KeyValueIterator iterator(KeyRange range) {
        return reads.iterator(range);
    }

    @Override
    public void scan(KeyRange range, ScanVisitor visitor) {
        reads.scan(range, visitor);
    }

    @Override
    public MultiGet multiGet() {
        return reads.multiGet();
    }

    @Override
    public boolean keyMayExist(MemorySegment key) {
        return reads.keyMayExist(key);
    }

    @Override
    public long keyMayExist(MemorySegment key, MemorySegment buffer) {
        return reads.keyMayExist(key, buffer);
    }

    @Override
    public @Nullable TimestampedValue getTimestamped(MemorySegment key) {
        return reads.getTimestamped(key);
    }

    @Override
    public List<@Nullable TimestampedValue> multiGetTimestamped(List<byte[]> keys) {
        return reads.multiGetTimestamped(keys);
    }

    /** The column family's name and its database's, for messages. */
    @Override
    public String toString() {
        return family.toString();
    }
}
