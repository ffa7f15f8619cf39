package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeComparator;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeLogger;
import dev.outcrop.rocksdb.engine.ObjectNames;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.PrefixUse;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Objects that a process uses when it carries out compactions for another process. The stored options of the database cannot hold these
 * objects. Cannot be changed once in use. There is nothing to close. Thread-safe.
 */
public final class CompactionServiceOptionsOverride extends CompactionServiceOptionsOverrideSetters {
    private static final String ATTEMPT = "Cannot compact into tables";

    private PrefixUse prefixes = PrefixUse.NONE;

    private CompactionServiceOptionsOverride(LongSupplier create) {
        super(create, CApi::rocksdb_compaction_service_options_override_destroy);
    }

    /** Makes an override with RocksDB's default objects. */
    public CompactionServiceOptionsOverride() {
        // Not rocksdb_compaction_service_options_override_create: without a table factory RocksDB would crash.
        this(CompactionServiceOptionsOverride::ofDefaults);
    }

    private static long ofDefaults() {
        long options = NativeDbOptions.create();
        try {
            return CApi.rocksdb_compaction_service_options_override_create_from_options(options);
        } finally {
            NativeDbOptions.destroy(options);
        }
    }

    /**
     * Uses the objects of other options.
     *
     * @param options the objects are taken as they are now
     * @return a new object
     * @throws RocksDBException with {@link Status.Code#INVALID_ARGUMENT} if RocksDB cannot write tables with the options
     */
    public static CompactionServiceOptionsOverride of(Options options) {
        synchronized (options) {
            OptionChecks.requireTables(ATTEMPT, options);
            CompactionServiceOptionsOverride made = new CompactionServiceOptionsOverride(
                    () -> CApi.rocksdb_compaction_service_options_override_create_from_options(options.reading()));
            options.owned.kept().forEach(made.owned::keep);
            made.prefixes = options.prefixes();
            return made;
        }
    }

    /**
     * Sets the environment.
     *
     * @param env for any number of options
     * @return this object
     */
    public synchronized CompactionServiceOptionsOverride env(Env env) {
        CApi.rocksdb_compaction_service_options_override_set_env(changing(), env.address());
        owned.keep("env", env);
        return this;
    }

    /**
     * Sets the prefix extractor.
     *
     * @param extractor for any number of options
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change, or if {@link Options#prefixExtractor} would
     *                               refuse it
     */
    public synchronized CompactionServiceOptionsOverride prefixExtractor(SliceTransform extractor) {
        PrefixUse changed = prefixes.withExtractor(extractor.fixedLength()).orThrow();
        CApi.rocksdb_compaction_service_options_override_set_prefix_extractor(changing(), extractor.create());
        prefixes = changed;
        return this;
    }

    /**
     * Sets block-based tables and their options. Tables with {@link IndexType#HASH_SEARCH} need a {@link #prefixExtractor} that was set
     * before.
     *
     * @param options copied
     * @return this object
     * @throws RocksDBException with {@link Status.Code#INVALID_ARGUMENT} if RocksDB cannot write such tables
     */
    public CompactionServiceOptionsOverride blockBasedTableFactory(BlockBasedTableOptions options) {
        synchronized (options) {
            synchronized (this) {
                // The compression is not known here.
                Options tables = new Options().compression(CompressionType.NONE).blockBasedTableFactory(options);
                OptionChecks.requireTables(ATTEMPT, prefixes.hasExtractor()
                        ? tables.prefixExtractor(SliceTransform.noop())
                        : tables);
                CApi.rocksdb_compaction_service_options_override_set_block_based_table_factory(changing(),
                        options.reading());
                prefixes = prefixes.withTables(PrefixUse.Tables.OTHER);
            }
        }
        return this;
    }

    /**
     * Sets cuckoo tables and their options.
     *
     * @param options copied
     * @return this object
     */
    public CompactionServiceOptionsOverride cuckooTableFactory(CuckooTableOptions options) {
        synchronized (options) {
            synchronized (this) {
                CApi.rocksdb_compaction_service_options_override_set_cuckoo_table_factory(changing(),
                        options.reading());
                prefixes = prefixes.withTables(PrefixUse.Tables.OTHER);
            }
        }
        return this;
    }

    /**
     * Counts into the statistics of other options.
     *
     * @param options with statistics enabled
     * @return this object
     */
    public CompactionServiceOptionsOverride statistics(Options options) {
        synchronized (options) {
            synchronized (this) {
                CApi.rocksdb_compaction_service_options_override_set_statistics(changing(), options.reading());
            }
        }
        return this;
    }

    /**
     * Sets the factory of file checksums.
     *
     * @param factory for any number of options
     * @return this object
     */
    public synchronized CompactionServiceOptionsOverride fileChecksumGenFactory(FileChecksumGenFactory factory) {
        factory.use(address -> CApi
                .rocksdb_compaction_service_options_override_set_file_checksum_gen_factory(changing(), address));
        return this;
    }

    /**
     * Sets the factory of partitioners, which decide where a new table file starts.
     *
     * @param factory for any number of options
     * @return this object
     */
    public synchronized CompactionServiceOptionsOverride sstPartitionerFactory(SstPartitionerFactory factory) {
        factory.use(address -> CApi.rocksdb_compaction_service_options_override_set_sst_partitioner_factory(changing(),
                address));
        return this;
    }

    /**
     * Overrides an option by name. Names and values are parsed when the compaction starts.
     *
     * @param name  as in {@link Options#set(String)}
     * @param value as in {@link Options#set(String)}
     * @return this object
     * @throws RocksDBException         if the value names an object that RocksDB does not know, or a prefix extractor that is not safe
     * @throws IllegalArgumentException if there is a NUL character in {@code name} or {@code value}
     */
    public CompactionServiceOptionsOverride option(String name, String value) {
        Objects.requireNonNull(name, "name");
        String text = name + "=" + value;
        ApiCall.check(ObjectNames.problem(text));
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment cName = OptionValues.text("The option's name", name, scratch);
            MemorySegment cValue = OptionValues.text(name, value, scratch);
            synchronized (this) {
                PrefixUse changed = Options.changed(prefixes, ObjectNames.of(text), text);
                CApi.rocksdb_compaction_service_options_override_set_option(changing(), cName, cValue);
                prefixes = changed;
            }
        }
        return this;
    }

    /**
     * Sets the order of the keys.
     *
     * @param comparator the one of the database
     * @return this object
     * @throws IllegalArgumentException if RocksDB cannot take its name or its size of timestamps
     */
    public synchronized CompactionServiceOptionsOverride comparator(KeyComparator comparator) {
        NativeComparator made = CallbackOptions.nativeOf(comparator);
        CApi.rocksdb_compaction_service_options_override_set_comparator(changing(), made.address());
        owned.keep("comparator", made);
        return this;
    }

    /**
     * Sets the merge operator.
     *
     * @param function the one of the database
     * @return this object
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized CompactionServiceOptionsOverride mergeOperator(MergeFunction function) {
        long override = changing();
        CApi.rocksdb_compaction_service_options_override_set_merge_operator(override,
                ValueCallbacks.Merge.create(function));
        return this;
    }

    /**
     * Sets the compaction filter.
     *
     * @param filter the one of the database
     * @return this object
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized CompactionServiceOptionsOverride compactionFilter(CompactionFilter filter) {
        ValueCallbacks.Filter made = new ValueCallbacks.Filter(filter);
        CApi.rocksdb_compaction_service_options_override_set_compaction_filter(changing(), made.address());
        owned.keep("compaction_filter", made);
        return this;
    }

    /**
     * Sets the factory of compaction filters.
     *
     * @param factory the one of the database
     * @return this object
     * @throws IllegalArgumentException if RocksDB cannot take its name
     */
    public synchronized CompactionServiceOptionsOverride compactionFilterFactory(CompactionFilterFactory factory) {
        long override = changing();
        CApi.rocksdb_compaction_service_options_override_set_compaction_filter_factory(override,
                ValueCallbacks.Filter.createFactory(factory));
        return this;
    }

    /**
     * Adds a listener for the compaction.
     *
     * @param listener the listener
     * @return this object
     */
    public synchronized CompactionServiceOptionsOverride addEventListener(EventListener listener) {
        long override = changing();
        CApi.rocksdb_compaction_service_options_override_add_event_listener(override, EventCallbacks.create(listener));
        return this;
    }

    /**
     * Sends RocksDB's messages to a logger.
     *
     * @param logger where they go
     * @param least  the least important level that is sent
     * @return this object
     */
    public synchronized CompactionServiceOptionsOverride infoLog(InfoLogger logger, InfoLogLevel least) {
        NativeLogger made = CallbackOptions.loggerOf(logger, least);
        CApi.rocksdb_compaction_service_options_override_set_info_log(changing(), made.address());
        owned.keep("info_log", made);
        return this;
    }
}
