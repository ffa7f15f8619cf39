package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Operations on a column family. A database stands for its default column family. */
abstract sealed class FamilyOperations implements KeyValueReader, KeyValueWriter
        permits ColumnFamily, DatabaseMaintenance {
    final Family family;
    private final KeyValueReader reads;
    private final KeyValueWriter writes;

    FamilyOperations(Family family) {
        this.family = family;
        this.reads = family.database.kind().reader(family, new ReadOptions());
        this.writes = family.database.writer(family, new WriteOptions());
    }

    /** Makes an object for a column family that {@code open} opens during this call. Opening needs this object, because users close it. */
    FamilyOperations(Function<FamilyOperations, ColumnFamily> open) {
        FamilyOperations same = open.apply(this);
        this.family = same.family;
        this.reads = same.reads;
        this.writes = same.writes;
    }

    /**
     * Returns a view of the same keys that reads with other options.
     *
     * @param options how to read; they can no longer be changed
     * @return a view, which can be kept and shared; there is nothing to close, and it ends with the database or column family
     * @throws IllegalArgumentException if the options have a snapshot of another database
     */
    public KeyValueReader with(ReadOptions options) {
        return family.database.kind().reader(family, options);
    }

    /**
     * Flushes the memtables into table files, and waits until that is done.
     *
     * @throws RocksDBException if RocksDB refuses or fails
     */
    public void flush() {
        flush(new FlushOptions());
    }

    /**
     * Flushes the memtables into table files.
     *
     * @param options for example whether to wait until that is done
     * @throws RocksDBException if RocksDB refuses or fails
     */
    public void flush(FlushOptions options) {
        OpenDatabase database = family.database;
        try (Scratch scratch = family.enterForBackgroundWait()) {
            beforeFlush(options);
            database.kind().flush(database.db, options.use(), family.handle, ApiCall.error(scratch));
            ApiCall.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** Refuses a database that is open for reading: RocksDB would prepare an atomic flush and wait for it without end. */
    final void beforeFlush(FlushOptions options) {
        family.database.requireWritable("flushed");
        family.database.work.beforeFlush(options.forceAtomicFlush());
    }

    /**
     * Compacts all keys, and waits until that is done.
     *
     * @throws RocksDBException see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     */
    public void compact() {
        compact(new CompactRangeOptions());
    }

    /**
     * Compacts all keys, and waits until that is done.
     *
     * @param options how
     * @throws RocksDBException see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     */
    public void compact(CompactRangeOptions options) {
        BackgroundWork.compact(family, KeyRange.all(), options);
    }

    /**
     * Compacts the keys of a range, and waits until that is done.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     */
    public void compact(MemorySegment begin, MemorySegment end) {
        compact(begin, end, new CompactRangeOptions());
    }

    /**
     * Compacts the keys of a range, and waits until that is done. Closing the database waits for the compaction; {@link
     * BackgroundWork#disableManualCompaction()} and {@link BackgroundWork#cancelAll(boolean)} stop it.
     *
     * @param begin   the first key
     * @param end     the last key
     * @param options how
     * @throws RocksDBException      if the range ends before it begins; if the database was opened for reading; if RocksDB fails, for
     *                               example because a file is damaged; with {@link Status.Code#INCOMPLETE} if compactions were disabled. If
     *                               a merge operator in Java threw an exception, that exception is the cause
     * @throws IllegalStateException if the database is closed or the column family dropped. Also if the compaction finished, but a
     *                               compaction filter in Java, its factory or a partial merge threw an exception, so that entries were kept
     *                               unchanged; the first such exception is the cause
     */
    public void compact(MemorySegment begin, MemorySegment end, CompactRangeOptions options) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        BackgroundWork.compact(family, begin, end, options);
    }

    /**
     * Compacts the keys of a range, and waits until that is done.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
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
     * @throws IllegalArgumentException if the range ends before it begins, or is a prefix and the keys are not in bytewise order
     * @throws RocksDBException         see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     */
    public void compact(KeyRange range) {
        compact(range, new CompactRangeOptions());
    }

    /**
     * Compacts the keys of a range, and waits until that is done. {@link KeyRange#isReversed()} makes no difference.
     *
     * @param range   which keys; its end may be compacted too
     * @param options how
     * @throws IllegalArgumentException if the range ends before it begins, or is a prefix and the keys are not in bytewise order
     * @throws RocksDBException         see {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     */
    public void compact(KeyRange range, CompactRangeOptions options) {
        BackgroundWork.compact(family, range, options);
    }

    /**
     * Compacts chosen table files into a level, together with the files that overlap them, and waits until that is done.
     *
     * @param files       such as {@link LiveFile#path()}
     * @param outputLevel not above the levels of the files
     * @param options     how
     * @return the result; {@link CompactionJobInfo#outputFiles()} are the paths of the new files. RocksDB reports nothing else about files
     *         that were only moved to another level, see {@link CompactionOptions#allowTrivialMove(boolean)}
     * @throws RocksDBException      if a file does not exist or is being compacted, if there is no such level, or RocksDB fails
     * @throws IllegalStateException if the database is closed or the column family dropped; or as for
     *                               {@link #compact(MemorySegment, MemorySegment, CompactRangeOptions)}
     */
    public CompactionJobInfo compactFiles(List<Path> files, int outputLevel, CompactionOptions options) {
        return BackgroundWork.compactFiles(family, files, outputLevel, options);
    }

    /**
     * Asks for the compaction of a range, in the background.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException if the range ends before it begins, or RocksDB refuses
     */
    public void suggestCompactRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        BackgroundWork.suggest(family, begin, end);
    }

    /**
     * Deletes table files that have only keys of a range, except files of level 0. This happens at once and leaves no tombstones: older
     * versions of the keys in other files may become visible, and snapshots may lose their versions. Use {@link #deleteRange(MemorySegment,
     * MemorySegment)} to delete a range completely; this method frees space sooner.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException if the range ends before it begins, or RocksDB refuses or fails
     */
    public void deleteFilesInRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        BackgroundWork.deleteFilesInRange(family, begin, end);
    }

    /**
     * Deletes table files as {@link #deleteFilesInRange(MemorySegment, MemorySegment)} does.
     *
     * @param begin the first key
     * @param end   the last key
     * @throws RocksDBException if the range ends before it begins, or RocksDB refuses or fails
     */
    public void deleteFilesInRange(byte[] begin, byte[] end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        deleteFilesInRange(MemorySegment.ofArray(begin), MemorySegment.ofArray(end));
    }

    /**
     * Deletes table files as {@link #deleteFilesInRange(MemorySegment, MemorySegment)} does, but excludes the end of the range. {@link
     * KeyRange#isReversed()} makes no difference.
     *
     * @param range which keys
     * @throws IllegalArgumentException if the range ends before it begins, or has an end and the keys are not in bytewise order
     * @throws RocksDBException         if RocksDB refuses or fails
     */
    public void deleteFilesInRange(KeyRange range) {
        BackgroundWork.deleteFilesInRange(family, range);
    }

    /**
     * Ingests table files that an {@link SstFileWriter} wrote, all or none. Their entries hide older entries.
     *
     * @param files the files; they are copied
     * @throws RocksDBException see {@link #ingest(List, IngestExternalFileOptions)}
     */
    public void ingest(List<Path> files) {
        ingest(files, new IngestExternalFileOptions());
    }

    /**
     * Ingests table files that an {@link SstFileWriter} wrote, all or none.
     *
     * @param files   the files; where their keys overlap, the later one in the list wins
     * @param options how
     * @throws RocksDBException         if there is no file; if one is missing, damaged or has the order of another comparator; if one holds
     *                                  merges and there is no merge operator; if the options do not allow it; or if RocksDB fails
     * @throws IllegalArgumentException if a file is named twice
     */
    public void ingest(List<Path> files, IngestExternalFileOptions options) {
        ApiCall.requireElements("files", files);
        List<Path> paths = files.stream().map(OsPath::require).toList();
        Objects.requireNonNull(options, "options");
        OpenDatabase database = family.database;
        try (Scratch scratch = family.enterForBackgroundWait()) {
            database.requireWritable("changed");
            database.requireNoTimes("a table file");
            if (paths.stream().distinct().count() < paths.size()) {
                throw new IllegalArgumentException("A file is named twice: " + paths);
            }
            OptionChecks.requireReadable(paths, family.toString(), family.options);
            MemorySegment names = OptionValues.array(scratch, "A path", paths.stream().map(OsPath::text).toList());
            NativeFiles.ingest(scratch, database.db, family.handle, names.address(), paths.size(), options.use());
            ApiCall.check(scratch, "Cannot ingest " + (paths.size() == 1 ? paths.getFirst() : paths.size() + " files"));
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Lists the table files by level.
     *
     * @return the files as they are now
     */
    public ColumnFamilyMetadata metadata() {
        try (Scratch scratch = family.enterForRead()) {
            return ColumnFamilyMetadata.of(NativeFiles.ofFamily(scratch, family.database.db, family.handle, 0));
        }
    }

    /**
     * Lists the table files by level.
     *
     * @param options which files to list; levels without any are left out
     * @return the files as they are now
     * @throws RocksDBException if keys end with timestamps, and a key in {@code options} is too short for one
     */
    public ColumnFamilyMetadata metadata(ColumnFamilyMetadataOptions options) {
        try (Scratch scratch = family.enterForRead()) {
            requireTimestamp(options.startKey());
            requireTimestamp(options.endKey());
            return ColumnFamilyMetadata
                    .of(NativeFiles.ofFamily(scratch, family.database.db, family.handle, options.use()));
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** Refuses keys that are too short for a timestamp: RocksDB would read it from memory before the key's first byte. */
    private void requireTimestamp(byte @Nullable [] key) {
        if (key != null && key.length < family.timestampSize) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "Keys of the " + family
                    + " end with a timestamp of " + family.timestampSize + " bytes, and this one has only "
                    + key.length);
        }
    }

    /**
     * Changes options while the database is open, such as {@code write_buffer_size}.
     *
     * @param options values by name, in RocksDB's textual form; all or none of them are changed
     * @throws RocksDBException         for a name or a value that RocksDB does not know, or that would make it crash or hang, and for
     *                                  options that cannot be changed while the database is open
     * @throws IllegalArgumentException if there is a NUL character in a name or value
     */
    public void setOptions(Map<String, String> options) {
        Objects.requireNonNull(options, "options");
        OptionChecks.change(family, options);
    }

    /**
     * Asks for one of RocksDB's properties of the column family, such as {@code rocksdb.estimate-num-keys}.
     *
     * @param property the property's name
     * @return its value as text, or null if there is no such property
     */
    public @Nullable String property(String property) {
        if (property.indexOf('\0') >= 0) {
            // C would look up the part before the NUL.
            return null;
        }
        try (Scratch scratch = family.enterForRead()) {
            return family.property(scratch, property);
        }
    }

    /**
     * Asks for a property of the column family that is a number; see {@link Property#NUMBERS}.
     *
     * @param property the property's name, for example {@link Property#ESTIMATE_NUM_KEYS}
     * @return its value, unsigned, or null if there is no such property or it is no number
     */
    public @Nullable Long longProperty(String property) {
        if (property.indexOf('\0') >= 0) {
            return null;
        }
        try (Scratch scratch = family.enterForRead()) {
            return NativeFamilies.intProperty(scratch, family.database.db, family.handle,
                    ApiCall.in(scratch, property));
        }
    }

    /**
     * Asks for a property of the column family that consists of pairs of name and value: the aggregated properties of its tables. RocksDB
     * has other properties of this form, but its C API does not offer them.
     *
     * @param property the property's name, for example {@link Property#AGGREGATED_TABLE_PROPERTIES}
     * @return its values by name, in RocksDB's order, or null if there is no such property
     * @throws IllegalArgumentException if it does not consist of pairs
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
     * Estimates how many bytes ranges of keys take in table files, in compressed form. Data that is only in memory does not count.
     *
     * @param ranges which keys; their directions do not matter
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails
     * @throws IllegalArgumentException if a range is not valid in the order of the column family
     */
    public long[] approximateSizes(List<KeyRange> ranges) {
        return approximateSizes(ranges, 0);
    }

    /**
     * Estimates how many bytes ranges of keys take.
     *
     * @param ranges  which keys; their directions do not matter
     * @param options what to include: table files, blob files, memory; they can no longer be changed
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails, for example because the options include nothing
     * @throws IllegalArgumentException if a range is not valid in the order of the column family
     */
    public long[] approximateSizes(List<KeyRange> ranges, SizeApproximationOptions options) {
        try {
            return approximateSizes(ranges, options.use());
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private long[] approximateSizes(List<KeyRange> ranges, long options) {
        ApiCall.requireElements("ranges", ranges);
        ranges.forEach(range -> range.require(family));
        try (Scratch scratch = family.enterForRead()) {
            List<MemorySegment> starts = new ArrayList<>();
            List<MemorySegment> limits = new ArrayList<>();
            for (KeyRange range : ranges) {
                MemorySegment start = start(range);
                MemorySegment limit = limit(range);
                starts.add(start);
                // A range behind all keys is empty, but RocksDB would compute nonsense for it.
                limits.add(family.order.compare(start, limit) > 0 ? start : limit);
            }
            long[] sizes = NativeFiles.approximateSizes(scratch, family.database.db, family.handle, options, starts,
                    limits);
            ApiCall.check(scratch);
            return sizes;
        }
    }

    private MemorySegment start(KeyRange range) {
        byte[] from = range.from();
        return MemorySegment.ofArray(from != null ? from : keyAt(KeyValueIterator::seekToFirst));
    }

    /**
     * Returns the end of a range. For a range without an end, this is a key behind the last one if the order is known, otherwise the last
     * key.
     */
    private MemorySegment limit(KeyRange range) {
        byte[] to = range.to();
        if (to == null) {
            byte[] last = keyAt(KeyValueIterator::seekToLast);
            to = UserComparator.BYTEWISE.equals(family.order) ? Arrays.copyOf(last, last.length + 1) : last;
        }
        return MemorySegment.ofArray(to);
    }

    private byte[] keyAt(Predicate<KeyValueIterator> move) {
        ReadOptions options = new ReadOptions().totalOrderSeek(true);
        try (KeyValueIterator entries = Iterators.of(family, options).iterator()) {
            return move.test(entries) ? entries.key().toArray(ValueLayout.JAVA_BYTE) : new byte[0];
        }
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
