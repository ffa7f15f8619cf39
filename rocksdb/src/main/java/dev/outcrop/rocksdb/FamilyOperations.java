package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeProperties;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What can be done with a column family, and with a database, which stands for its default column family then.
 */
abstract sealed class FamilyOperations implements KeyValueReader, KeyValueWriter
        permits ColumnFamily, DatabaseMaintenance {
    final Family family;
    private final KeyValueReader reads;
    private final KeyValueWriter writes;

    FamilyOperations(Family family) {
        this.family = family;
        this.reads = family.store.kind().reader(family, new ReadOptions());
        this.writes = family.store.writer(family, new WriteOptions());
    }

    /** Stands for a column family that is opened only now, because that needs the object that users close. */
    FamilyOperations(Function<FamilyOperations, ColumnFamily> open) {
        FamilyOperations same = open.apply(this);
        this.family = same.family;
        this.reads = same.reads;
        this.writes = same.writes;
    }

    /**
     * The same keys, read with other options.
     *
     * @param options how to read; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the database or column family
     * @throws IllegalArgumentException if the options have a snapshot of another database
     */
    public KeyValueReader with(ReadOptions options) {
        return family.store.kind().reader(family, options);
    }

    /**
     * Writes what is in memory into table files, and waits until that is done.
     *
     * @throws RocksDBException      if RocksDB refuses or fails
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void flush() {
        flush(new FlushOptions());
    }

    /**
     * Writes what is in memory into table files.
     *
     * @param options whether to wait until that is done, for example
     * @throws RocksDBException      if RocksDB refuses or fails
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void flush(FlushOptions options) {
        Flushing.flush(family, options);
    }

    /**
     * Compacts all keys, and waits until that is done.
     *
     * @throws RocksDBException      see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void compact() {
        Compaction.compact(family);
    }

    /**
     * Compacts all keys, and waits until that is done.
     *
     * @param options how
     * @throws RocksDBException      see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void compact(CompactRangeOptions options) {
        Compaction.compact(family, options);
    }

    /**
     * Compacts the keys of a range, and waits until that is done.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException      see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void compact(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        Compaction.compact(family, begin, end);
    }

    /**
     * Compacts the keys of a range, and waits until that is done. Closing the database meanwhile waits for it;
     * {@link BackgroundWork#disableManualCompaction()} and {@link BackgroundWork#cancelAll(boolean)} end it.
     *
     * @param begin   the first key
     * @param end     the last key
     * @param options how
     * @throws RocksDBException      if the range ends before it begins; if the database was opened for reading; if RocksDB fails, for
     *                               example because a file is damaged; with {@link Status.Code#INCOMPLETE} if compactions were
     *                               disabled. If a merge operator in Java has thrown, that is its cause
     * @throws IllegalStateException if the database is closed or the column family dropped; or, with the first exception as its cause,
     *                               if all was compacted, but a compaction filter in Java, its factory or a partial merge has thrown, so
     *                               that entries were kept as they are
     */
    public void compact(MemorySegment begin, MemorySegment end, CompactRangeOptions options) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        Compaction.compact(family, begin, end, options);
    }

    /**
     * Compacts the keys of a range, and waits until that is done.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException      see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void compact(byte[] begin, byte[] end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        compact(MemorySegment.ofArray(begin), MemorySegment.ofArray(end));
    }

    /**
     * Compacts the keys of a range, and waits until that is done. {@link KeyRange#isReversed()} makes no difference.
     *
     * @param range which keys; its end may be compacted too
     * @throws IllegalArgumentException if the range ends before it begins, or is a prefix and the keys do not have the order of bytes
     * @throws RocksDBException         see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     * @throws IllegalStateException    if the database is closed or the column family dropped
     */
    public void compact(KeyRange range) {
        Compaction.compact(family, range);
    }

    /**
     * Compacts the keys of a range, and waits until that is done. {@link KeyRange#isReversed()} makes no difference.
     *
     * @param range   which keys; its end may be compacted too
     * @param options how
     * @throws IllegalArgumentException if the range ends before it begins, or is a prefix and the keys do not have the order of bytes
     * @throws RocksDBException         see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     * @throws IllegalStateException    if the database is closed or the column family dropped
     */
    public void compact(KeyRange range, CompactRangeOptions options) {
        Compaction.compact(family, range, options);
    }

    /**
     * Compacts chosen table files into a level, together with those that overlap with them, and waits until that is done.
     *
     * @param files       such as {@link LiveFile#path()}
     * @param outputLevel not above the levels of the files
     * @param options     how
     * @return what was done; {@link CompactionJobInfo#outputFiles()} are the paths of the new files. Of files that were only moved to
     *         another level, see {@link CompactionOptions#allowTrivialMove(boolean)}, RocksDB does not tell more than that
     * @throws RocksDBException      if a file does not exist or is being compacted, if there is no such level, or RocksDB fails
     * @throws IllegalStateException if the database is closed or the column family dropped; or as for
     *                               {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     */
    public CompactionJobInfo compactFiles(List<Path> files, int outputLevel, CompactionOptions options) {
        return Compaction.compactFiles(family, files, outputLevel, options);
    }

    /**
     * Asks for the compaction of a range, in the background.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException      if the range ends before it begins, or RocksDB refuses
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void suggestCompactRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        Compaction.suggest(family, begin, end);
    }

    /**
     * Deletes table files that have only keys of a range, except those of level 0, at once and without a trace: older versions of
     * the keys in other files, and what snapshots see, come and go with it. A range is deleted completely with
     * {@link #deleteRange(MemorySegment, MemorySegment)}; this frees space sooner.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException      if the range ends before it begins, or RocksDB refuses or fails
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void deleteFilesInRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        Compaction.deleteFilesInRange(family, begin, end);
    }

    /**
     * As {@link #deleteFilesInRange(MemorySegment, MemorySegment)}.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException      if the range ends before it begins, or RocksDB refuses or fails
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void deleteFilesInRange(byte[] begin, byte[] end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        deleteFilesInRange(MemorySegment.ofArray(begin), MemorySegment.ofArray(end));
    }

    /**
     * As {@link #deleteFilesInRange(MemorySegment, MemorySegment)}, but without the end of the range. {@link KeyRange#isReversed()} makes
     * no difference.
     *
     * @param range which keys
     * @throws IllegalArgumentException if the range ends before it begins, or has an end and the keys do not have the order of bytes
     * @throws RocksDBException         if RocksDB refuses or fails
     * @throws IllegalStateException    if the database is closed or the column family dropped
     */
    public void deleteFilesInRange(KeyRange range) {
        Compaction.deleteFilesInRange(family, range);
    }

    /**
     * Takes in table files that an {@link SstFileWriter} wrote, all or none. Their entries hide older ones.
     *
     * @param files the files; they are copied
     * @throws RocksDBException      see {@link #ingest(List, IngestExternalFileOptions)}
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public void ingest(List<Path> files) {
        ingest(files, new IngestExternalFileOptions());
    }

    /**
     * Takes in table files that an {@link SstFileWriter} wrote, all or none.
     *
     * @param files   the files; where their keys overlap, the later one in the list wins
     * @param options how
     * @throws RocksDBException         if there is no file; if one is missing, damaged or has the order of another comparator; if one holds
     *                                  merges and there is no merge operator; if the options do not allow it; or if RocksDB fails
     * @throws IllegalArgumentException if a file is named twice
     * @throws IllegalStateException    if the database is closed or the column family dropped
     */
    public void ingest(List<Path> files, IngestExternalFileOptions options) {
        Ingestion.ingest(family, files, options);
    }

    /**
     * What files there are, by level.
     *
     * @return how it is now
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public ColumnFamilyMetadata metadata() {
        return LiveFiles.metadata(family);
    }

    /**
     * What files there are, by level.
     *
     * @param options which of them; levels without any are left out
     * @return how it is now
     * @throws RocksDBException      if keys end with timestamps, and one that was given is too short for it
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public ColumnFamilyMetadata metadata(ColumnFamilyMetadataOptions options) {
        return LiveFiles.metadata(family, options);
    }

    /**
     * Changes options while the database is open, such as {@code write_buffer_size}.
     *
     * @param options values by name, in RocksDB's textual form; all or none of them are changed
     * @throws RocksDBException         for a name or a value that RocksDB does not know, or that would make it crash or hang, and for
     *                                  options that cannot be changed while the database is open
     * @throws IllegalArgumentException if there is a NUL character in a name or value
     * @throws IllegalStateException    if the database is closed or the column family dropped
     */
    public void setOptions(Map<String, String> options) {
        Objects.requireNonNull(options, "options");
        Maintenance.setOptions(family, options);
    }

    /**
     * Asks for one of RocksDB's properties of the column family, such as {@code rocksdb.estimate-num-keys}.
     *
     * @param property the property's name
     * @return its value as text, or null if there is no such property
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public @Nullable String property(String property) {
        if (property.indexOf('\0') >= 0) {
            // C would look for what stands before it.
            return null;
        }
        try (Scratch scratch = family.enterToLook()) {
            return family.property(scratch, property);
        }
    }

    /**
     * Asks for a property of the column family that is a number; see {@link Property#NUMBERS}.
     *
     * @param property the property's name, for example {@link Property#ESTIMATE_NUM_KEYS}
     * @return its value, unsigned, or null if there is no such property or it is no number
     * @throws IllegalStateException if the database is closed or the column family dropped
     */
    public @Nullable Long longProperty(String property) {
        if (property.indexOf('\0') >= 0) {
            return null;
        }
        try (Scratch scratch = family.enterToLook()) {
            return NativeProperties.number(scratch, family.store.db, family.handle, Native.in(scratch, property));
        }
    }

    /**
     * Asks for a property of the column family that consists of pairs of name and value: the aggregated properties of its tables. RocksDB
     * has others in this form, but its C API does not give them.
     *
     * @param property the property's name, for example {@link Property#AGGREGATED_TABLE_PROPERTIES}
     * @return its values by name, in RocksDB's order, or null if there is no such property
     * @throws IllegalArgumentException if it does not consist of pairs
     * @throws IllegalStateException    if the database is closed or the column family dropped
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

    /**
     * Estimates how many bytes ranges of keys take in table files, compressed as they are there. What is in memory only does not count.
     *
     * @param ranges which keys; their directions do not matter
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails
     * @throws IllegalArgumentException if one is no range in the order of the column family
     * @throws IllegalStateException    if the database is closed or the column family dropped
     */
    public long[] approximateSizes(List<KeyRange> ranges) {
        return ApproximateSizes.of(family, ranges);
    }

    /**
     * Estimates how many bytes ranges of keys take.
     *
     * @param ranges  which keys; their directions do not matter
     * @param options what counts: table files, blob files, memory; they cannot be changed any more
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails, for example because nothing is to count
     * @throws IllegalArgumentException if one is no range in the order of the column family
     * @throws IllegalStateException    if the database is closed or the column family dropped
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
    public void put(byte[] key, byte[] value) {
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
}
