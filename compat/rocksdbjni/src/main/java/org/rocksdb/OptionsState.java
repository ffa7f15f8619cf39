package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.CompactionVeto;
import dev.outcrop.rocksdb.engine.MergeWidths;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFilterFactory;
import dev.outcrop.rocksdb.engine.NativePaths;
import dev.outcrop.rocksdb.engine.ObjectNames;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** The objects that {@code Options}, {@code DBOptions} and {@code ColumnFamilyOptions} refer to; they live as long as the options. */
final class OptionsState {

    private final RocksObject options;
    TableFormatConfig tableFormat;
    private RateLimiter rateLimiter;
    WriteBufferManager writeBufferManager;
    private boolean keepsManager;
    Cache rowCache;
    CompactionOptionsUniversal universal;
    CompactionOptionsFIFO fifo;
    private Env env;
    CompressionOptions compression;
    CompressionOptions bottommostCompression;
    AbstractCompactionFilter<?> compactionFilter;
    MemTableConfig memTable;
    /** The problems of the table format and of the memtables; null if there are none. With a problem, nothing can be opened. */
    private String tableProblem;
    private String memTableProblem;
    private PrefixSettings prefixes = PrefixSettings.NONE;
    private MergeWidths widths = MergeWidths.DEFAULT;
    SstPartitionerFactory partitioner;
    AbstractCompactionFilterFactory<? extends AbstractCompactionFilter<?>> compactionFilterFactory;
    AbstractWalFilter walFilter;
    private boolean hasLoggerInJava;
    private boolean hasFileManager;
    /**
     * The comparators, filters and envs that are kept, including replaced objects, because databases may have been opened with them. The
     * list only grows.
     */
    private volatile List<Object> held = List.of();
    /** Whether the program has set a merge operator. Loaded options may have another merge operator. */
    private boolean mergeOperatorIsSet;
    ConcurrentTaskLimiter compactionLimiter;
    private List<AbstractEventListener> listeners = List.of();
    List<DbPath> databasePaths = List.of();
    List<DbPath> familyPaths = List.of();

    OptionsState(RocksObject options) {
        this.options = options;
    }

    /** A copy of native options, with the use of prefixes and the write buffer manager that the originals had at the moment of the copy. */
    record Copy(long handle, PrefixSettings prefixes, WriteBufferManager manager) {
    }

    synchronized Copy copy() {
        try (Scratch _ = options.use()) {
            return new Copy(NativeDbOptions.copy(options.nativeHandle_), prefixes, keptManager());
        }
    }

    /** Keeps the manager of the native options for a copy of the options, and returns it; null if there is none. The monitor is held. */
    WriteBufferManager keptManager() {
        return keepsManager && writeBufferManager.keep() ? writeBufferManager : null;
    }

    /**
     * Takes the values from the moment of the copy. Called after {@link #takeFrom}, because another thread may have changed the originals
     * since.
     */
    synchronized void takeCopied(Copy copy) {
        if (!(options instanceof DBOptions)) {
            prefixes = copy.prefixes();
        }
        WriteBufferManager manager = copy.manager();
        if (!(options instanceof ColumnFamilyOptions)) {
            writeBufferManager = manager;
            keepsManager = manager != null;
        } else if (manager != null) {
            manager.letGo();
        }
    }

    /** Refuses numbers of a table format or of memtables with which RocksDB would end the process or never return. */
    synchronized void requireTables() {
        String problem = tableProblem == null ? memTableProblem : tableProblem;
        if (problem != null) {
            throw new IllegalArgumentException("RocksDB would end the process: " + problem);
        }
    }

    /** Returns the options with this state. */
    RocksObject owner() {
        return options;
    }

    /** Takes the state of the options from which the native options, or half of them, were copied. */
    void takeFrom(OptionsState other) {
        hold(other.held);
        if (!(options instanceof ColumnFamilyOptions) && !(other.options instanceof ColumnFamilyOptions)) {
            takeDatabaseFrom(other);
        }
        if (!(options instanceof DBOptions) && !(other.options instanceof DBOptions)) {
            takeFamilyFrom(other);
        }
    }

    private void takeDatabaseFrom(OptionsState other) {
        rateLimiter = other.rateLimiter;
        rowCache = other.rowCache;
        env = other.env;
        listeners = other.listeners;
        walFilter = other.walFilter;
        hasLoggerInJava = other.hasLoggerInJava;
        hasFileManager = other.hasFileManager;
        databasePaths = other.databasePaths;
    }

    private void takeFamilyFrom(OptionsState other) {
        tableFormat = other.tableFormat;
        universal = other.universal;
        fifo = other.fifo;
        compactionLimiter = other.compactionLimiter;
        compression = other.compression;
        bottommostCompression = other.bottommostCompression;
        compactionFilter = other.compactionFilter;
        compactionFilterFactory = other.compactionFilterFactory;
        memTable = other.memTable;
        tableProblem = other.tableProblem;
        memTableProblem = other.memTableProblem;
        prefixes = other.prefixes;
        widths = other.widths;
        partitioner = other.partitioner;
        mergeOperatorIsSet = other.mergeOperatorIsSet;
        familyPaths = other.familyPaths;
    }

    /** Returns the number of paths for a family's files; 0 if the family uses the paths of the database. */
    int familyPathCount() {
        return familyPaths.size();
    }

    synchronized void setTableFormatConfig(TableFormatConfig config) {
        try (Scratch _ = options.use()) {
            TableFormats.set(options.nativeHandle_, config);
        }
        tableFormat = config;
        tableProblem = TableFormats.problem(config);
        prefixes = prefixes.with(config);
    }

    /** Sets the table format that the native options already have. */
    void setLoadedTable(TableFormatConfig config) {
        tableFormat = config;
    }

    /** Sets the use of prefixes of native options that were read. */
    synchronized void setLoadedPrefixes(PrefixSettings prefixes) {
        this.prefixes = prefixes;
    }

    /** Sets the widths of universal compaction of native options that were read. */
    synchronized void setLoadedWidths(MergeWidths widths) {
        this.widths = widths;
    }

    /** Returns the widths of universal compaction of the native options. It is stable while the monitor is held. */
    synchronized MergeWidths mergeWidths() {
        return widths;
    }

    void setRateLimiter(RateLimiter limiter) {
        set(NativeDbOptions::setRateLimiter, limiter);
        // Remembers the rate: the limiter may be closed before a database is opened.
        limiter.state_.rate();
        rateLimiter = limiter;
    }

    /** Corrects the rate that a native copy of these options would take from the rate limiter. */
    void correctRate(long copy) {
        if (rateLimiter != null) {
            OptionLimits.correctLimited(copy, rateLimiter.state_.rate());
        }
    }

    /** Sets the manager under the monitor, so that copies get the manager of the native options. */
    synchronized void setWriteBufferManager(WriteBufferManager manager) {
        try (Scratch _ = options.use(); Scratch _ = manager.use()) {
            NativeDbOptions.setWriteBufferManager(options.nativeHandle_, manager.nativeHandle_);
            releaseManager();
            keepManager(manager);
        }
    }

    /** Keeps the manager, even if it is closed: a database that is opened later must be able to end the waits of its writes. */
    private void keepManager(WriteBufferManager manager) {
        keepsManager = manager != null && manager.keep();
        writeBufferManager = manager;
    }

    private void releaseManager() {
        if (keepsManager) {
            keepsManager = false;
            writeBufferManager.letGo();
        }
    }

    /** Frees the native options. Called after their last use. */
    synchronized void disposeInternal(long handle) {
        NativeDbOptions.destroy(handle);
        releaseManager();
    }

    void setRowCache(Cache cache) {
        set(NativeDbOptions::setRowCache, cache);
        rowCache = cache;
    }

    synchronized void setCompactionOptionsUniversal(CompactionOptionsUniversal universal) {
        set(NativeDbOptions::setUniversalCompaction, universal);
        widths = MergeWidths.of(universal.minMergeWidth(), universal.maxMergeWidth());
        this.universal = universal;
    }

    void setCompactionOptionsFIFO(CompactionOptionsFIFO fifo) {
        set(NativeDbOptions::setFifoCompaction, fifo);
        this.fifo = fifo;
    }

    void setCompressionPerLevel(List<CompressionType> levels) {
        int[] numbers = levels.stream().mapToInt(CompressionType::toNative).toArray();
        try (Scratch scratch = options.use()) {
            NativeDbOptions.setCompressionPerLevel(options.nativeHandle_, ints(scratch, numbers),
                    numbers.length);
        }
    }

    List<CompressionType> compressionPerLevel() {
        List<CompressionType> levels = new ArrayList<>();
        for (byte level : read(Options::jniCompressionPerLevel)) {
            levels.add(CompressionType.getCompressionType(level));
        }
        return levels;
    }

    void setMaxBytesForLevelMultiplierAdditional(int[] multipliers) {
        try (Scratch scratch = options.use()) {
            NativeDbOptions.setLevelMultipliers(options.nativeHandle_,
                    ints(scratch, multipliers),
                    multipliers.length);
        }
    }

    void setStatistics(Statistics statistics) {
        set(Options::jniSetStatistics, statistics);
    }

    /** Returns a new object for the statistics of the native options, or null. */
    synchronized Statistics statistics() {
        try (Scratch _ = options.use()) {
            long statistics = Options.jniStatistics(options.nativeHandle_);
            return statistics == 0 ? null : new Statistics(statistics);
        }
    }

    boolean hasStatistics() {
        try (Statistics statistics = statistics()) {
            return statistics != null;
        }
    }

    void setSstFileManager(SstFileManager manager) {
        set(NativeDbOptions::setFileManager, manager);
        hasFileManager = true;
    }

    /** Makes the veto for the compactions of a database with these options; null if the program has given a manager of files to it. */
    CompactionVeto compactionVeto(Scratch scratch) {
        if (hasFileManager) {
            return null;
        }
        // C's structure for an env begins with the address of the object.
        scratch.setWord(2, getEnv().nativeHandle_);
        return CompactionVeto.of(scratch.wordAddress(2));
    }

    /** Sets the logger. The native options and their databases share it. */
    void setLogger(LoggerInterface logger) {
        try (Scratch _ = options.use()) {
            switch (logger) {
                case Logger own -> {
                    own.giveTo(options.nativeHandle_);
                    hasLoggerInJava = true;
                }
                case RocksObject object -> {
                    try (Scratch _ = object.use()) {
                        NativeDbOptions.setInfoLog(options.nativeHandle_, object.nativeHandle_);
                    }
                    hasLoggerInJava = false;
                }
                default -> throw new IllegalArgumentException(
                        "Not a logger of RocksDB: " + logger.getClass().getName());
            }
        }
    }

    boolean hasLoggerInJava() {
        return hasLoggerInJava;
    }

    /** Returns whether native code with these options calls Java. */
    boolean callsJava() {
        return hasLoggerInJava || !held.isEmpty() || !listeners().isEmpty();
    }

    /** Sets the env. The native options and their databases have a plain pointer to it. */
    void setEnv(Env env) {
        try (Scratch _ = options.use(); Scratch entered = env.use()) {
            hold(List.of(new NativeLease(env, entered)));
            Options.jniSetEnv(options.nativeHandle_, env.nativeHandle_);
        }
        this.env = env;
    }

    /** Sets the number of background jobs. Also sets the thread pools of the env immediately. */
    void setIncreaseParallelism(int totalThreads) {
        try (Scratch _ = options.use()) {
            int threads = (int) OptionChecks.check("totalThreads", totalThreads, Integer.MIN_VALUE,
                    OptionChecks.MOST_THREADS);
            Envs.setBackgroundThreads(getEnv(), threads, Priority.LOW);
            Envs.setBackgroundThreads(getEnv(), 1, Priority.HIGH);
            NativeDbOptions.setBackgroundJobs(options.nativeHandle_, threads);
        }
    }

    Env getEnv() {
        return env == null ? Envs.system() : env;
    }

    void setTablePropertiesCollectorFactory(List<TablePropertiesCollectorFactory> factories) {
        try (Scratch _ = options.use()) {
            CompactOnDeletion.set(options.nativeHandle_, factories);
        }
    }

    List<TablePropertiesCollectorFactory> tablePropertiesCollectorFactory() {
        try (Scratch _ = options.use()) {
            return CompactOnDeletion.get(options.nativeHandle_);
        }
    }

    void setCompactionThreadLimiter(ConcurrentTaskLimiter limiter) {
        // In C, the options of a family have the same structure as the options of a database.
        set(Options::jniSetCompactionThreadLimiter, limiter);
        compactionLimiter = limiter;
    }

    private static NativePaths paths(Scratch scratch, Collection<DbPath> given) {
        List<DbPath> all = List.copyOf(given);
        List<MemorySegment> names = new ArrayList<>();
        for (DbPath path : all) {
            if (path.path == null) {
                throw new IllegalArgumentException("The path of number " + names.size() + " is null");
            }
            names.add(NativeValues.text(scratch, path.path.toString()));
        }
        return new NativePaths(scratch, names, all.stream().mapToLong(path -> path.targetSize).toArray());
    }

    void setDbPaths(Collection<DbPath> paths) {
        try (Scratch scratch = options.use(); NativePaths all = paths(scratch, paths)) {
            NativeDbOptions.setDatabasePaths(options.nativeHandle_, all.address(), all.count());
        }
        databasePaths = List.copyOf(paths);
    }

    void setCfPaths(Collection<DbPath> paths) {
        try (Scratch scratch = options.use(); NativePaths all = paths(scratch, paths)) {
            NativeDbOptions.setFamilyPaths(options.nativeHandle_, all.address(), all.count());
        }
        familyPaths = List.copyOf(paths);
    }

    void setCompressionOptions(CompressionOptions compression) {
        set(Options::jniSetCompressionOptions, compression);
        this.compression = compression;
    }

    void setBottommostCompressionOptions(CompressionOptions compression) {
        set(Options::jniSetBottommostCompressionOptions, compression);
        bottommostCompression = compression;
    }

    synchronized void setMemTableConfig(MemTableConfig config) {
        try (Scratch _ = options.use()) {
            Options.jniSetMemTableFactory(options.nativeHandle_, config.newMemTableFactoryHandle());
        }
        memTable = config;
        memTableProblem = TableFormats.problem(config);
        prefixes = prefixes.with(config);
    }

    /** Returns what a native method tells of the native options. */
    <T> T read(LongFunction<T> ofOptions) {
        try (Scratch _ = options.use()) {
            return ofOptions.apply(options.nativeHandle_);
        }
    }

    /** Sets the listeners. The native options get them when a database is opened. As published, null means none. */
    void setListeners(List<AbstractEventListener> given) {
        List<AbstractEventListener> added = given == null ? List.of() : given;
        try (Scratch _ = options.use()) {
            added.forEach(RocksCallbackObject::kept);
            listeners = List.copyOf(added);
        }
    }

    List<AbstractEventListener> listeners() {
        return new ArrayList<>(listeners);
    }

    /** Sets the filter. The native options and databases have a plain pointer to it. */
    void setWalFilter(AbstractWalFilter filter) {
        try (Scratch _ = options.use()) {
            hold(List.of(filter.kept()));
            NativeDbOptions.setWalFilter(options.nativeHandle_, filter.nativeHandle_);
            walFilter = filter;
        }
    }

    private static long makeFactory(AbstractCompactionFilterFactory<?> factory) {
        return NativeFilterFactory.create((isFull, isManual) -> {
            AbstractCompactionFilter<?> filter = factory
                    .createCompactionFilter(new AbstractCompactionFilter.Context(isFull, isManual));
            return filter == null ? 0 : filter.giveToCompaction();
        }, factory, Objects.requireNonNull(factory.name(), "The compaction filter factory has no name"));
    }

    /** Sets the factory. The native options share it with copies and databases. */
    void setCompactionFilterFactory(
            AbstractCompactionFilterFactory<? extends AbstractCompactionFilter<?>> factory) {
        try (Scratch _ = options.use()) {
            Object _ = factory.kept();
            NativeDbOptions.setCompactionFilterFactory(options.nativeHandle_,
                    makeFactory(factory));
            compactionFilterFactory = factory;
        }
    }

    void setMergeOperator(MergeOperator operator) {
        set(Options::jniSetMergeOperator, operator);
        mergeOperatorIsSet = true;
    }

    void setMergeOperatorName(String name) {
        if (name == null) {
            throw new IllegalArgumentException("Merge operator name must not be null.");
        }
        fromText("merge_operator={id=" + name + "}");
        // RocksDB treats an unknown operator as none.
        mergeOperatorIsSet = ObjectNames.isKnown("merge_operator", name) && !ObjectNames.isNone(name);
    }

    boolean mergeOperatorIsSet() {
        return mergeOperatorIsSet;
    }

    /** Sets the filter. The native options and their databases have a plain pointer to it. */
    void setCompactionFilter(AbstractCompactionFilter<?> filter) {
        try (Scratch _ = options.use(); Scratch entered = filter.use()) {
            // Hold the filter before another thread can copy the pointer.
            hold(List.of(filter.lendToOptions(entered)));
            Options.jniSetCompactionFilterHandle(options.nativeHandle_, filter.nativeHandle_);
        }
        compactionFilter = filter;
    }

    /** Takes the state of an open database, if the native options are from one of its families. */
    void takeFrom(RocksDB database) {
        setLoadedPrefixes(PrefixSettings.UNKNOWN);
        hold(database.state_.callbacks());
    }

    private synchronized void hold(List<?> more) {
        List<Object> all = new ArrayList<>(held);
        all.addAll(more);
        held = List.copyOf(all);
    }

    void setSstPartitionerFactory(SstPartitionerFactory factory) {
        set(Options::jniSetSstPartitionerFactory, factory);
        partitioner = factory;
    }

    /** A C function that sets an object. Native options copy the object or refer to it. */
    private interface NativeSetter {
        void set(long options, long value);
    }

    private void set(NativeSetter setter, RocksObject value) {
        try (Scratch _ = options.use(); Scratch _ = value.use()) {
            setter.set(options.nativeHandle_, value.nativeHandle_);
        }
    }

    /** Sets a fixed prefix. As published, a negative length is longer than any key. */
    synchronized void useFixedLengthPrefixExtractor(int length) {
        try (Scratch _ = options.use()) {
            NativeDbOptions.setPrefixExtractor(options.nativeHandle_,
                    NativeDbOptions.newFixedPrefix(length));
            prefixes = prefixes.withFixedLength(length < 0 ? Long.MAX_VALUE : length);
        }
    }

    synchronized void useCappedPrefixExtractor(int length) {
        fromText("prefix_extractor=rocksdb.CappedPrefix." + Long.toUnsignedString(length));
        prefixes = prefixes.withFixedLength(0);
    }

    /** Returns the use of prefixes by the native options. It is stable while the monitor is held. */
    synchronized PrefixSettings prefixes() {
        return prefixes;
    }

    void setComparator(AbstractComparator order) {
        try (Scratch _ = options.use()) {
            hold(List.of(order.kept()));
            NativeDbOptions.setComparator(options.nativeHandle_, order.nativeHandle_);
        }
    }

    /** Returns the objects that native code calls back or points to. Users of the native options or of a copy must keep them. */
    List<Object> callbacks() {
        return held;
    }

    void setComparator(BuiltinComparator comparator) {
        fromText("comparator=" + switch (comparator) {
            case BYTEWISE_COMPARATOR -> "leveldb.BytewiseComparator";
            case REVERSE_BYTEWISE_COMPARATOR -> "rocksdb.ReverseBytewiseComparator";
        });
    }

    /** Makes a call for which RocksDB allocates memory for each level. Checks the number of levels first. */
    synchronized void withLevels(Consumer<Scratch> call) {
        try (Scratch scratch = options.use()) {
            OptionChecks.checkLevels(options.nativeHandle_);
            call.accept(scratch);
        }
    }

    /** Sets the number of levels. As published, any number is allowed; see {@link #withLevels}. */
    synchronized void setNumLevels(int levels) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_options_set_num_levels(options.nativeHandle_, levels);
        }
    }

    /** Changes options by a text. Use it only for texts that RocksDB understands: it ignores unknown names of objects. */
    private void fromText(String text) {
        withLevels(scratch -> {
            NativeDbOptions.parse(options.nativeHandle_, NativeValues.text(scratch, text),
                    options.nativeHandle_,
                    Errors.place(scratch));
            try {
                Errors.check(scratch);
            } catch (RocksDBException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        });
    }

    private static long ints(Scratch scratch, int[] numbers) {
        Objects.requireNonNull(numbers, "numbers");
        MemorySegment memory = scratch.allocate(Integer.BYTES * (long) Math.max(1, numbers.length), Integer.BYTES);
        MemorySegment.copy(numbers, 0, memory, ValueLayout.JAVA_INT, 0, numbers.length);
        return memory.address();
    }
}
