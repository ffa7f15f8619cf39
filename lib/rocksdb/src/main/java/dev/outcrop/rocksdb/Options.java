package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.CompactionVeto;
import dev.outcrop.rocksdb.engine.MergeWidths;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativePaths;
import dev.outcrop.rocksdb.engine.ObjectNames;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.OptionText;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.PrefixUse;
import dev.outcrop.rocksdb.engine.callbacks.Callback;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Options for opening a database. Set what differs from the default; each setter returns this object.
 *
 * <p>The setters and getters that are inherited are RocksDB's own options, one for each function of its C API. Use {@link #set(String)} for
 * options without such a function. A database keeps a copy of its options, so you can change the options and use them again for another
 * database. There is nothing to close. Thread-safe.
 */
public final class Options extends CallbackOptions {
    /** The value of {@link #pinBudget()} if nothing was set: a quarter of the block cache, see {@link #pinBudget(long)}. */
    public static final long DEFAULT_PIN_BUDGET = -1;
    private static final int MOST_LEVELS = 1000;
    /** RocksDB cuts the branching factor to 16 bits, and divides by it. */
    private static final int MOST_BRANCHING = 0xffff;

    private long pinBudget = DEFAULT_PIN_BUDGET;
    private PrefixUse prefixes = PrefixUse.NONE;
    private MergeWidths widths = MergeWidths.DEFAULT;
    /** The number of paths, for which the C API has no getter. A column family without paths uses the database's paths. */
    private int dbPathCount = 1;
    private int cfPathCount;

    /** Makes RocksDB's default options. */
    public Options() {
        this(NativeDbOptions::create);
    }

    private Options(LongSupplier create) {
        super(create, NativeDbOptions::destroy);
    }

    /**
     * Makes a copy of native options that RocksDB loaded.
     *
     * @param objects  the names of the objects in the options that RocksDB knew
     * @param prefixes the use of prefixes in the options
     * @param widths   the widths of universal compaction in the options
     */
    static Options loaded(long address, Env env, Map<String, String> objects, PrefixUse prefixes, MergeWidths widths) {
        Options options = new Options(() -> NativeDbOptions.copy(address));
        options.owned.keep("env", env);
        options.objects.putAll(objects);
        options.prefixes = prefixes;
        options.widths = widths;
        if (prefixes.shouldBeCapped()) {
            String extractor = "capped:" + prefixes.fixedLength();
            options.apply(PrefixUse.EXTRACTOR + "=" + extractor, Map.of(PrefixUse.EXTRACTOR, extractor));
        }
        return options;
    }

    /**
     * Makes other options with the same values.
     *
     * @return a copy; caches and other objects are shared with it
     */
    public synchronized Options copy() {
        Options copy = new Options(() -> NativeDbOptions.copy(reading()));
        owned.kept().forEach(copy.owned::keep);
        copy.objects.putAll(objects);
        copy.pinBudget = pinBudget;
        copy.prefixes = prefixes;
        copy.widths = widths;
        copy.dbPathCount = dbPathCount;
        copy.cfPathCount = cfPathCount;
        return copy;
    }

    /**
     * Sets options by name, in RocksDB's own textual form, for example
     * {@code "max_open_files=500;block_based_table_factory={block_size=16384;filter_policy=bloomfilter:10}"}.
     *
     * @param options pairs of name and value, separated by semicolons
     * @return this
     * @throws RocksDBException with {@link Status.Code#INVALID_ARGUMENT} for a name or a value that RocksDB does not know, for settings
     *                          from which it makes no object, for a number that would make it crash or hang, and for a prefix extractor
     *                          that a memtable or plain tables cannot use, see {@link #prefixExtractor}; nothing is changed then
     * @throws IllegalArgumentException if there is a NUL character in {@code options}
     */
    public synchronized Options set(String options) {
        Objects.requireNonNull(options, "options");
        ApiCall.check(ObjectNames.problem(options));
        return apply(options, ObjectNames.of(options));
    }

    private synchronized Options apply(String options, Map<String, String> names) {
        PrefixUse use = changed(prefixes, names, options);
        long changed = NativeDbOptions.create();
        try {
            ApiCall.check(OptionText.apply(owned.address(), options, NOT_NEGATIVE, names, () -> texts().keySet(),
                    changed));
        } catch (Throwable e) {
            NativeDbOptions.destroy(changed);
            throw e;
        }
        owned.replace(changed);
        objects.putAll(names);
        prefixes = use;
        widths = widths.with(options);
        return this;
    }

    /** Returns the use of prefixes after an option string has set some objects; refuses a use that is not safe. */
    static PrefixUse changed(PrefixUse prefixes, Map<String, String> names, String options) {
        PrefixUse changed = prefixes.with(names);
        String refusal = changed.equals(prefixes) ? null : changed.refusal();
        if (refusal != null) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, options + " cannot be set. " + refusal);
        }
        return changed;
    }

    /** The use of key prefixes. */
    synchronized PrefixUse prefixes() {
        return prefixes;
    }

    /** The widths of universal compaction. */
    synchronized MergeWidths mergeWidths() {
        return widths;
    }

    /**
     * Returns the options that a column family has when RocksDB has opened it with these.
     *
     * @param flushesAtomically whether its database has {@code atomic_flush}
     */
    Options opened(boolean flushesAtomically) {
        Options opened = copy();
        OptionLimits.correctOpened(opened.reading(), flushesAtomically);
        return opened;
    }

    /**
     * Returns an option string for {@link #set(String)} that gives other options the same values. The string has all options with a getter
     * here, but no objects, such as caches, tables or a merge operator; {@link #copy()} includes these too.
     *
     * @return pairs of name and value, separated by semicolons
     * @throws IllegalStateException if a text has braces that do not match, which an option string cannot express
     */
    public String text() {
        return texts().entrySet().stream().map(option -> option.getKey() + "=" + option.getValue())
                .collect(Collectors.joining(";"));
    }

    /**
     * Sets a memtable with a skip list for each prefix of keys. Keys may be shorter than the prefix if the prefix is {@link
     * #prefixExtractor capped}.
     *
     * @param bucketCount             from 1 to 9,999,999
     * @param skiplistHeight          from 1 to 32
     * @param skiplistBranchingFactor from 1 to 65,535
     * @return this
     * @throws IllegalArgumentException if a value is out of its range; RocksDB would divide by it or run out of memory
     * @throws IllegalStateException    if these options have a fixed prefix; shorter keys would not be found, or crash RocksDB
     */
    @Override
    public synchronized Options hashSkipListRep(long bucketCount, int skiplistHeight, int skiplistBranchingFactor) {
        requireBuckets(bucketCount);
        OptionValues.inRange("skiplist_height", skiplistHeight, 1, 32);
        OptionValues.inRange("skiplist_branching_factor", skiplistBranchingFactor, 1, MOST_BRANCHING);
        PrefixUse changed = prefixes.withMemtable("HashSkipListRepFactory").orThrow();
        super.hashSkipListRep(bucketCount, skiplistHeight, skiplistBranchingFactor);
        prefixes = changed;
        return this;
    }

    /**
     * Sets a memtable with a linked list for each prefix of keys. Keys may be shorter than the prefix if the prefix is {@link
     * #prefixExtractor capped}.
     *
     * @param bucketCount from 1 to 9,999,999
     * @return this
     * @throws IllegalArgumentException if the value is out of its range; RocksDB would lose entries or run out of memory
     * @throws IllegalStateException    if these options have a fixed prefix; shorter keys would not be found, or crash RocksDB
     */
    @Override
    public synchronized Options hashLinkListRep(long bucketCount) {
        requireBuckets(bucketCount);
        PrefixUse changed = prefixes.withMemtable("HashLinkListRepFactory").orThrow();
        super.hashLinkListRep(bucketCount);
        prefixes = changed;
        return this;
    }

    @Override
    public synchronized Options memtableVectorRep() {
        super.memtableVectorRep();
        prefixes = prefixes.withMemtable("");
        return this;
    }

    /**
     * Sets block-based tables and their options.
     *
     * @param options copied
     * @return this
     */
    public Options blockBasedTableFactory(BlockBasedTableOptions options) {
        return from(options, address -> {
            CApi.rocksdb_options_set_block_based_table_factory(changing(), address);
            prefixes = prefixes.withTables(PrefixUse.Tables.OTHER);
            options.filterPolicy().ifPresent(policy -> set("block_based_table_factory={filter_policy=" + policy + "}"));
        });
    }

    /** Takes over values from other options, which do not change meanwhile. */
    private Options from(NativeOptions options, LongConsumer take) {
        synchronized (options) {
            synchronized (this) {
                take.accept(options.reading());
            }
        }
        return this;
    }

    /**
     * Sets cuckoo tables and their options.
     *
     * @param options copied
     * @return this
     */
    public Options cuckooTableFactory(CuckooTableOptions options) {
        return from(options, address -> {
            CApi.rocksdb_options_set_cuckoo_table_factory(changing(), address);
            prefixes = prefixes.withTables(PrefixUse.Tables.OTHER);
        });
    }

    /**
     * Sets plain tables and their options. With a fixed prefix, plain tables do not find keys that are shorter than the prefix, and the
     * prefix must not be longer than 8 bytes; a {@link #prefixExtractor capped} prefix is for all keys. A file can be read only with the
     * prefix extractor that it was written with.
     *
     * @param options copied
     * @return this
     * @throws IllegalStateException if these options have a prefix extractor that plain tables cannot use, or have none and
     *                               {@link PlainTableEncoding#PREFIX} needs one
     */
    public Options plainTableFactory(PlainTableOptions options) {
        synchronized (options) {
            synchronized (this) {
                PlainTableEncoding encoding = options.encodingType();
                PrefixUse changed = prefixes.withTables(encoding == PlainTableEncoding.PREFIX
                        ? PrefixUse.Tables.PLAIN_BY_PREFIX
                        : PrefixUse.Tables.PLAIN).orThrow();
                CApi.rocksdb_options_set_plain_table_factory(changing(), 0, options.bloomBitsPerKey(),
                        options.hashTableRatio(), options.indexSparseness(), options.hugePageTlbSize(),
                        (byte) encoding.value(), (byte) 0, (byte) (options.storeIndexInFile() ? 1 : 0));
                prefixes = changed;
            }
        }
        return this;
    }

    /**
     * Sets the options of {@link CompactionStyle#UNIVERSAL}.
     *
     * @param options copied
     * @return this
     */
    public Options universalCompactionOptions(UniversalCompactionOptions options) {
        return from(options, address -> {
            NativeDbOptions.setUniversalCompaction(changing(), address);
            widths = MergeWidths.of(options.minMergeWidth(), options.maxMergeWidth());
        });
    }

    /**
     * Sets the options of {@link CompactionStyle#FIFO}.
     *
     * @param options copied
     * @return this
     */
    public Options fifoCompactionOptions(FifoCompactionOptions options) {
        return from(options, address -> NativeDbOptions.setFifoCompaction(changing(), address));
    }

    /**
     * Sets the prefix extractor. For memtables and tables that take the prefix of every key, {@code set("prefix_extractor=capped:8")} sets
     * an extractor that takes shorter keys whole.
     *
     * @param extractor for any number of options
     * @return this
     * @throws IllegalStateException if the prefix is fixed and these options have a memtable of {@link #hashSkipListRep skip lists} or
     *                               {@link #hashLinkListRep linked lists} by prefix, or have plain tables and the prefix is longer than 8
     *                               bytes
     */
    public synchronized Options prefixExtractor(SliceTransform extractor) {
        PrefixUse changed = prefixes.withExtractor(extractor.fixedLength()).orThrow();
        NativeDbOptions.setPrefixExtractor(changing(), extractor.create());
        prefixes = changed;
        owned.keep("prefix_callbacks", extractor.inJava() == null ? "none" : new Callback.Owner(extractor.inJava()));
        return this;
    }

    /** Makes the veto for the compactions of a database with these options; null if the program has given a manager of files to it. */
    @Nullable
    CompactionVeto compactionVeto() {
        Map<String, Object> kept = owned.kept();
        if (kept.containsKey("sst_file_manager")) {
            return null;
        }
        return (kept.get("env") instanceof Env env ? env : Env.defaultEnv()).ask(CompactionVeto::of);
    }

    /**
     * Sets the environment.
     *
     * @param env for any number of options; not freed before the last database that runs on it is closed
     * @return this
     */
    public synchronized Options env(Env env) {
        NativeDbOptions.setEnv(changing(), env.address());
        owned.keep("env", env);
        return this;
    }

    /**
     * Limits how fast the database writes.
     *
     * @param limiter for any number of options
     * @return this
     */
    public synchronized Options rateLimiter(RateLimiter limiter) {
        limiter.use(address -> NativeDbOptions.setRateLimiter(changing(), address));
        return this;
    }

    /**
     * Limits the memory of memtables over all databases that share the manager.
     *
     * @param manager for any number of options
     * @return this
     */
    public synchronized Options writeBufferManager(WriteBufferManager manager) {
        manager.use(address -> NativeDbOptions.setWriteBufferManager(changing(), address));
        // Closing a database lets writes go on that wait for this manager.
        owned.keep("write_buffer_manager", manager);
        return this;
    }

    /**
     * Watches the total space of the table files of all databases that share the manager.
     *
     * @param manager for any number of options with the same environment
     * @return this
     */
    public synchronized Options sstFileManager(SstFileManager manager) {
        NativeDbOptions.setFileManager(changing(), manager.address());
        // The native options own a share of it, but not of the environment that it uses.
        owned.keep("sst_file_manager", manager);
        return this;
    }

    /**
     * Sets a cache for values, by key. RocksDB does not search blocks for a key that it finds there.
     *
     * @param cache for any number of options
     * @return this
     */
    public synchronized Options rowCache(Cache cache) {
        cache.use(address -> NativeDbOptions.setRowCache(changing(), address));
        return this;
    }

    /**
     * Sets a cache for values that are in blob files.
     *
     * @param cache for any number of options
     * @return this
     */
    public synchronized Options blobCache(Cache cache) {
        cache.use(address -> CApi.rocksdb_options_set_blob_cache(changing(), address));
        return this;
    }

    /**
     * Sets the factory of file checksums.
     *
     * @param factory for any number of options
     * @return this
     */
    public synchronized Options fileChecksumGenFactory(FileChecksumGenFactory factory) {
        factory.use(address -> CApi.rocksdb_options_set_file_checksum_gen_factory(changing(), address));
        return this;
    }

    /**
     * Sets the factory of partitioners, which decide where a compaction starts a new table file.
     *
     * @param factory for any number of options
     * @return this
     */
    public synchronized Options sstPartitionerFactory(SstPartitionerFactory factory) {
        factory.use(address -> CApi.rocksdb_options_set_sst_partitioner_factory(changing(), address));
        return this;
    }

    private static NativePaths copy(Scratch scratch, List<DbPath> paths) {
        ApiCall.requireElements("paths", paths);
        return new NativePaths(scratch,
                paths.stream().map(path -> ApiCall.in(scratch, OsPath.text(path.path().toAbsolutePath()))).toList(),
                paths.stream().mapToLong(DbPath::targetSize).toArray());
    }

    /**
     * Spreads the table files over several directories.
     *
     * @param paths at most four; younger data goes to the first ones
     * @return this
     * @throws IllegalArgumentException if there is a NUL character in a path
     */
    public Options dbPaths(List<DbPath> paths) {
        try (Scratch scratch = ApiCall.scratch(); NativePaths copy = copy(scratch, paths)) {
            synchronized (this) {
                NativeDbOptions.setDatabasePaths(changing(), copy.address(), copy.count());
                dbPathCount = Math.max(1, paths.size());
            }
        }
        return this;
    }

    /**
     * Spreads the table files of a column family over several directories, instead of {@link #dbPaths those of the database}.
     *
     * @param paths at most four; younger data goes to the first ones
     * @return this
     * @throws IllegalArgumentException if there is a NUL character in a path
     */
    public Options cfPaths(List<DbPath> paths) {
        try (Scratch scratch = ApiCall.scratch(); NativePaths copy = copy(scratch, paths)) {
            synchronized (this) {
                NativeDbOptions.setFamilyPaths(changing(), copy.address(), copy.count());
                cfPathCount = paths.size();
            }
        }
        return this;
    }

    /**
     * Sets the compression of each level, instead of {@link #compression(CompressionType) one for all}.
     *
     * @param levels from level 0 on; the last one is for all levels below
     * @return this
     */
    public Options compressionPerLevel(List<CompressionType> levels) {
        ApiCall.requireElements("levels", levels);
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment numbers = OptionValues.ints(levels.stream().mapToInt(CompressionType::value), scratch);
            synchronized (this) {
                NativeDbOptions.setCompressionPerLevel(changing(), numbers.address(), levels.size());
            }
        }
        return this;
    }

    /**
     * Sets sizes and compression for level compaction, by {@code rocksdb_options_optimize_level_style_compaction}.
     *
     * @param memtableMemoryBudget for the memtables, in bytes
     * @return this object
     * @throws IllegalArgumentException if {@code memtableMemoryBudget} is negative, or {@code num_levels} is not 1 to 1000
     */
    @Override
    public synchronized Options optimizeLevelStyleCompaction(long memtableMemoryBudget) {
        // It takes memory for as many levels.
        OptionValues.inRange("num_levels", numLevels(), 1, MOST_LEVELS);
        return super.optimizeLevelStyleCompaction(memtableMemoryBudget);
    }

    /**
     * Leaves the upper levels uncompressed; the others are compressed as {@link #compression(CompressionType)} was set before.
     *
     * @param level the first level that is compressed, from 0 to {@link #numLevels()}
     * @return this
     * @throws IllegalArgumentException if {@code level} is out of its range
     */
    public synchronized Options minLevelToCompress(int level) {
        int levels = OptionValues.inRange("num_levels", numLevels(), 1, MOST_LEVELS);
        CApi.rocksdb_options_set_min_level_to_compress(changing(),
                OptionValues.inRange("min_level_to_compress", level, 0, levels));
        return this;
    }

    /**
     * Sets additional factors for the size of each level, on top of {@link #maxBytesForLevelMultiplier(double)}.
     *
     * @param factors from level 0 on, at least 1 each
     * @return this
     * @throws IllegalArgumentException if a factor is less than 1
     */
    public Options maxBytesForLevelMultiplierAdditional(List<Integer> factors) {
        ApiCall.requireElements("factors", factors);
        factors.forEach(factor -> OptionValues.inRange("max_bytes_for_level_multiplier_additional", factor, 1,
                Integer.MAX_VALUE));
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment numbers = OptionValues.ints(factors.stream().mapToInt(Integer::intValue), scratch);
            synchronized (this) {
                NativeDbOptions.setLevelMultipliers(changing(), numbers.address(), factors.size());
            }
        }
        return this;
    }

    /**
     * Hands checksums to the file system for some kinds of files, so that it can check its writes.
     *
     * @param types the kinds
     * @return this
     */
    public synchronized Options checksumHandoffFileTypes(Set<FileType> types) {
        ApiCall.requireElements("types", types);
        Set<FileType> copy = Set.copyOf(types);
        CApi.rocksdb_options_checksum_handoff_file_types_clear(changing());
        copy.forEach(type -> CApi.rocksdb_options_checksum_handoff_file_types_add(changing(), type.value()));
        return this;
    }

    /**
     * Returns the kinds of files with checksums that are handed to the file system.
     *
     * @return the kinds
     */
    public synchronized Set<FileType> checksumHandoffFileTypes() {
        Set<FileType> types = EnumSet.allOf(FileType.class);
        types.removeIf(type -> CApi.rocksdb_options_checksum_handoff_file_types_contains(reading(), type.value()) == 0);
        return types;
    }

    /**
     * Tells the file system how long table files are expected to live, for some compaction styles.
     *
     * @param styles the compaction styles
     * @return this
     */
    public synchronized Options calculateSstWriteLifetimeHintSet(Set<CompactionStyle> styles) {
        ApiCall.requireElements("styles", styles);
        Set<CompactionStyle> copy = Set.copyOf(styles);
        CApi.rocksdb_options_calculate_sst_write_lifetime_hint_set_clear(changing());
        copy.forEach(
                style -> CApi.rocksdb_options_calculate_sst_write_lifetime_hint_set_add(changing(), style.value()));
        return this;
    }

    /**
     * Returns the compaction styles for which the file system is told the expected lifetime of table files.
     *
     * @return the compaction styles
     */
    public synchronized Set<CompactionStyle> calculateSstWriteLifetimeHintSet() {
        Set<CompactionStyle> styles = EnumSet.allOf(CompactionStyle.class);
        styles.removeIf(style -> CApi.rocksdb_options_calculate_sst_write_lifetime_hint_set_contains(reading(),
                style.value()) == 0);
        return styles;
    }

    /** The number of paths of a column family with these options in a database with other ones. */
    int pathCount(Options database) {
        synchronized (this) {
            if (cfPathCount > 0) {
                return cfPathCount;
            }
        }
        synchronized (database) {
            return database.dbPathCount;
        }
    }

    private static void requireBuckets(long count) {
        OptionValues.inRange("bucket_count", Math.clamp(count, 0, Integer.MAX_VALUE), 1, 9_999_999);
    }

    /** Returns a copy of the native options, which the caller must destroy; setters do not change it. */
    synchronized long copyNative() {
        return NativeDbOptions.copy(owned.address());
    }

    /**
     * Sets how many bytes of values may stay pinned at the same time, so that pins cannot starve the block cache. Beyond the limit, values
     * are copied instead, see {@link PinnedSlice#isPinned()}. The limit holds to within an eighth, plus one value per thread.
     *
     * <p>If not set, it is a quarter of the capacity that the block cache of the default column family has when the database is opened, or
     * 256 MiB if there is no block cache; see {@link RocksDB#pinBudget()}. Databases that share a cache have a budget each.
     *
     * <p>The budget counts only values, but a pin keeps the whole block that its value lies in. Small values therefore take more of the
     * cache than the budget counts, if few of them are read from each block: up to the size of a block each. Copy such values instead.
     *
     * @param bytes not negative; 0 copies always, except empty values, which weigh nothing; {@link Long#MAX_VALUE} copies never;
     *              {@link #DEFAULT_PIN_BUDGET} for the quarter
     * @return this
     * @throws IllegalArgumentException if {@code bytes} is negative, and not the default
     */
    public synchronized Options pinBudget(long bytes) {
        if (bytes < 0 && bytes != DEFAULT_PIN_BUDGET) {
            throw new IllegalArgumentException("The pin budget must not be negative: " + bytes);
        }
        this.pinBudget = bytes;
        return this;
    }

    /**
     * Returns the number of bytes of values that may stay pinned at the same time.
     *
     * @return bytes, or {@link #DEFAULT_PIN_BUDGET} if not set
     */
    public synchronized long pinBudget() {
        return pinBudget;
    }
}
