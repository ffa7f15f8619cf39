package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactionOptionsFIFO;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.HyperClockCache;
import org.rocksdb.LRUCache;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.MutableDBOptions;
import org.rocksdb.Options;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RateLimiter;
import org.rocksdb.RateLimiterMode;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.SkipListMemTableConfig;
import org.rocksdb.SstFileManager;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdb.WriteBufferManager;

/** Sets each number of each object to extreme values, and uses the object. */
@NullUnmarked // methods are found by reflection
final class NumbersReport {
    private static final Object[] LONGS = {0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};
    private static final Object[] INTS = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
    private static final Object[] DOUBLES = {0.0, 1.0, -1.0, 0.5, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN,
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};

    private final Map<String, Case> cases = new LinkedHashMap<>();
    private final Path directory;
    private final NumberUses uses;

    private NumbersReport(Path directory) {
        this.directory = directory;
        uses = new NumberUses(directory);
        RocksDB.loadLibrary();
        addCases();
    }

    /** Sets a number, and uses the object. */
    interface Case {
        String run() throws Exception;
    }

    /** Makes an object of which numbers are set. */
    private interface Maker<T> {
        T make() throws Exception;
    }

    /** Uses an object. */
    private interface Use<T> {
        String use(T object) throws Exception;
    }

    /** Makes an object from a number. */
    private interface FromNumber<N> {
        String use(N number) throws Exception;
    }

    /** Runs one case in so many, but for those in which a program ends or waits with the published jar. */
    static Map<String, String> report(Path directory, int interval, int first) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        NumbersReport report = new NumbersReport(directory);
        List<String> keys = report.cases.keySet().stream().filter(key -> !fatal().containsKey(key)).toList();
        for (int i = first; i < keys.size(); i += interval) {
            lines.put(keys.get(i), report.result(keys.get(i)));
        }
        return lines;
    }

    /** Runs those cases in which a program ends or waits with the published jar, and not here. */
    static Map<String, String> reportFatal(Path directory) throws IOException {
        Map<String, String> lines = new LinkedHashMap<>();
        NumbersReport report = new NumbersReport(directory);
        for (Map.Entry<String, String> each : fatal().entrySet()) {
            if (!each.getValue().equals("waits")) {
                lines.put(each.getKey(), report.result(each.getKey()));
            }
        }
        return lines;
    }

    /** Returns what this module does in the cases in which a program ends or waits with the published jar. */
    static Map<String, String> fatal() {
        Map<String, String> fatal = new LinkedHashMap<>();
        try (InputStream list = Objects.requireNonNull(NumbersReport.class.getResourceAsStream("/fatal-numbers.tsv"))) {
            new String(list.readAllBytes(), UTF_8).lines().filter(line -> !line.startsWith("#"))
                    .forEach(line -> fatal.put(line.split("\t", -1)[0], line.split("\t", -1)[1]));
            return fatal;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String result(String key) throws IOException {
        try {
            return Objects.requireNonNull(cases.get(key), key).run();
        } catch (InvocationTargetException e) {
            return NumberUses.failure(e.getCause());
        } catch (Exception | AssertionError e) {
            return NumberUses.failure(e);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).filter(file -> !file.equals(directory))
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static Object[] values(Class<?> type) {
        return type == long.class ? LONGS : type == int.class ? INTS : type == double.class ? DOUBLES : null;
    }

    @SuppressWarnings("try") // none of them is interrupted
    private <T extends AutoCloseable> void closing(Maker<T> maker, Use<T> use) throws Exception {
        setters(maker, object -> {
            try (T closed = object) {
                return use.use(closed);
            }
        });
    }

    /** Adds a case for each value of each setter of a number. */
    private <T> void setters(Maker<T> maker, Use<T> use) throws Exception {
        setters(maker, use, "");
    }

    private <T> void setters(Maker<T> maker, Use<T> use, String name) throws Exception {
        T example = maker.make();
        Class<?> type = example.getClass();
        Method[] methods = type.getMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method setter : methods) {
            if (setter.isBridge() || setter.isSynthetic() || setter.getParameterCount() != 1
                    || !setter.getName().matches("(set|use|optimize).*")
                    || setter.getName().equals("setIncreaseParallelism")
                    || values(setter.getParameterTypes()[0]) == null) {
                continue;
            }
            for (Object value : values(setter.getParameterTypes()[0])) {
                String key = (name.isEmpty() ? type.getSimpleName() : name) + "." + setter.getName() + " " + value;
                cases.put(key, () -> {
                    T object = maker.make();
                    setter.invoke(object, value);
                    Object got = get(type, object, setter.getName());
                    String used;
                    try {
                        used = use.use(object);
                    } catch (Exception | AssertionError e) {
                        used = NumberUses.failure(e);
                    }
                    return got + "; " + used;
                });
            }
        }
        if (example instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    private static Object get(Class<?> type, Object object, String setter) throws Exception {
        if (!setter.startsWith("set")) {
            return "no getter";
        }
        String name = setter.replaceFirst("set", "");
        for (String getter : new String[]{name.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + name.substring(1),
                "get" + name, name.startsWith("Level0") ? "level0" + name.substring(6) : "-"}) {
            try {
                return type.getMethod(getter).invoke(object);
            } catch (NoSuchMethodException e) {
                // The next name.
            }
        }
        return "no getter";
    }

    private void numbers(String name, Object[] values, FromNumber<Object> number) {
        for (Object value : values) {
            cases.put(name + " " + value, () -> number.use(value));
        }
    }

    private void longs(String name, FromNumber<Long> number) {
        numbers(name, LONGS, value -> number.use((Long) value));
    }

    private void ints(String name, FromNumber<Integer> number) {
        numbers(name, INTS, value -> number.use((Integer) value));
    }

    private void doubles(String name, FromNumber<Double> number) {
        numbers(name, DOUBLES, value -> number.use((Double) value));
    }

    private void addCases() {
        try {
            closing(NumberUses::options, uses::open);
            closing(ReadOptions::new, uses::read);
            closing(CompactRangeOptions::new, uses::compact);
            closing(() -> new BackupEngineOptions(Files.createDirectories(directory.resolve("backups")).toString()),
                    uses::backUp);
            closing(TransactionOptions::new, uses::transact);
            closing(TransactionDBOptions::new, uses::open);
            setters(BlockBasedTableConfig::new, uses::open);
            setters(PlainTableConfig::new, uses::open);
            setters(HashSkipListMemTableConfig::new, uses::open);
            setters(HashLinkedListMemTableConfig::new, uses::open);
            setters(SkipListMemTableConfig::new, uses::open);
            setters(VectorMemTableConfig::new, uses::open);
            closing(EnvOptions::new, uses::write);
            closing(CompactionOptionsFIFO::new, fifo -> {
                try (Options options = NumberUses.options().setCompactionStyle(CompactionStyle.FIFO)) {
                    return uses.open(options.setCompactionOptionsFIFO(fifo));
                }
            });
            closing(CompactionOptionsUniversal::new, universal -> {
                try (Options options = NumberUses.options().setCompactionStyle(CompactionStyle.UNIVERSAL)) {
                    return uses.open(options.setCompactionOptionsUniversal(universal));
                }
            });
            closing(CompressionOptions::new, compression -> {
                try (Options options = NumberUses.options().setCompressionType(CompressionType.ZSTD_COMPRESSION)) {
                    return uses.open(options.setCompressionOptions(compression));
                }
            });
            closing(() -> new SstFileManager(Env.getDefault()), manager -> {
                try (Options options = NumberUses.options().setSstFileManager(manager)) {
                    return uses.open(options);
                }
            });
            setters(MutableColumnFamilyOptions::builder, builder -> uses.change(db -> db.setOptions(builder.build())),
                    "setOptions");
            setters(MutableDBOptions::builder, builder -> uses.change(db -> db.setDBOptions(builder.build())),
                    "setDBOptions");
            addConstructors();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void addConstructors() {
        longs("LRUCache.capacity", n -> uses.cache(new LRUCache(n)));
        ints("LRUCache.numShardBits", n -> uses.cache(new LRUCache(1 << 20, n)));
        doubles("LRUCache.highPriPoolRatio", n -> uses.cache(new LRUCache(1 << 20, 2, false, n)));
        doubles("LRUCache.lowPriPoolRatio", n -> uses.cache(new LRUCache(1 << 20, 2, false, 0.0, n)));
        longs("HyperClockCache.capacity", n -> uses.cache(new HyperClockCache(n, 0, 2, false)));
        longs("HyperClockCache.estimatedEntryCharge", n -> uses.cache(new HyperClockCache(1 << 20, n, 2, false)));
        ints("HyperClockCache.numShardBits", n -> uses.cache(new HyperClockCache(1 << 20, 0, n, false)));
        longs("RateLimiter.bytesPerSecond", n -> uses.limit(new RateLimiter(n)));
        longs("RateLimiter.refillPeriodMicros", n -> uses.limit(new RateLimiter(1 << 30, n)));
        ints("RateLimiter.fairness", n -> uses.limit(new RateLimiter(1 << 30, 100_000, n)));
        longs("RateLimiter.autoTuned", n -> uses.limit(
                new RateLimiter(n, 100_000, 10, RateLimiterMode.ALL_IO, true)));
        longs("RateLimiter.setBytesPerSecond", n -> {
            RateLimiter limiter = new RateLimiter(1 << 30);
            limiter.setBytesPerSecond(n);
            return uses.limit(limiter);
        });
        doubles("BloomFilter.bitsPerKey", n -> {
            try (BloomFilter filter = new BloomFilter(n)) {
                return uses.open(new BlockBasedTableConfig().setFilterPolicy(filter));
            }
        });
        for (boolean stall : new boolean[]{false, true}) {
            longs("WriteBufferManager.bufferSize " + stall, n -> {
                try (Cache cache = new LRUCache(1 << 20);
                        WriteBufferManager manager = new WriteBufferManager(n, cache, stall);
                        Options options = NumberUses.options().setWriteBufferManager(manager)) {
                    return uses.open(options);
                }
            });
        }
        longs("TransactionOptions.setDeadlockDetectDepth with a search for deadlocks", n -> {
            try (TransactionOptions options = new TransactionOptions().setDeadlockDetect(true)
                    .setDeadlockDetectDepth(n).setLockTimeout(10)) {
                return uses.transact(options);
            }
        });
        ints("TransactionDB.setDeadlockInfoBufferSize", n -> {
            try (Options options = NumberUses.options();
                    TransactionDBOptions locking = new TransactionDBOptions();
                    TransactionDB db = TransactionDB.open(options, locking, uses.path())) {
                db.setDeadlockInfoBufferSize(n);
                return NumberUses.work(db);
            }
        });
        longs("inplaceUpdateNumLocks with inplaceUpdateSupport", n -> {
            try (Options options = NumberUses.options().setInplaceUpdateSupport(true)
                    .setAllowConcurrentMemtableWrite(false)
                    .setInplaceUpdateNumLocks(n)) {
                return uses.open(options);
            }
        });
        longs("blockSize with blockAlign",
                n -> uses.open(new BlockBasedTableConfig().setBlockSize(n).setBlockAlign(true)));
        longs("minBlobSize with blobs", n -> {
            try (Options options = NumberUses.options().setEnableBlobFiles(true).setEnableBlobGarbageCollection(true)
                    .setMinBlobSize(n)) {
                return uses.open(options);
            }
        });
        longs("blobCompactionReadaheadSize with blobs", n -> {
            try (Options options = NumberUses.options().setEnableBlobFiles(true).setEnableBlobGarbageCollection(true)
                    .setBlobGarbageCollectionAgeCutoff(1.0).setBlobCompactionReadaheadSize(n)) {
                return uses.open(options);
            }
        });
        longs("compactionReadaheadSize with direct reads", n -> {
            try (Options options = NumberUses.options().setUseDirectReads(true).setCompactionReadaheadSize(n)) {
                return uses.open(options);
            }
        });
        numbers("numLevels", new Object[]{2, 1001, 5000}, n -> {
            try (Options options = NumberUses.options().setNumLevels((Integer) n)) {
                return uses.open(options);
            }
        });
        numbers("readaheadSize", new Object[]{1L << 29, (1L << 30) + 1, 1L << 31, 1L << 36, 1L << 40}, n -> {
            try (ReadOptions options = new ReadOptions().setReadaheadSize((Long) n)) {
                return options.readaheadSize() + "; " + uses.read(options);
            }
        });
        numbers("blockSize", new Object[]{1L << 20, 1L << 29, (1L << 31) - 1, 1L << 31}, n -> uses.open(
                new BlockBasedTableConfig().setBlockSize((Long) n)));
        numbers("bucketCount", new Object[]{2L, 9_999_999L, 10_000_000L}, n -> uses.open(
                new HashSkipListMemTableConfig().setBucketCount((Long) n)));
        numbers("height", new Object[]{32, 33, 64, 1000}, n -> uses.open(
                new HashSkipListMemTableConfig().setHeight((Integer) n)));
        numbers("branchingFactor", new Object[]{2, 65535, 65536, 131072}, n -> uses.open(
                new HashSkipListMemTableConfig().setBranchingFactor((Integer) n)));
        numbers("keySize", new Object[]{6, 7, 1000, 1 << 20, 1 << 30}, n -> uses.open(
                new PlainTableConfig().setKeySize((Integer) n)));
        numbers("height", new Object[]{10_000, 100_000}, n -> uses.open(
                new HashSkipListMemTableConfig().setHeight((Integer) n)));
        numbers("numLevels", new Object[]{50_000, 100_000}, n -> {
            try (Options options = NumberUses.options().setNumLevels((Integer) n)) {
                return uses.open(options);
            }
        });
        numbers("bloomBitsPerKey", new Object[]{2, 1000, 1001, 100_000}, n -> uses.open(
                new PlainTableConfig().setBloomBitsPerKey((Integer) n)));
        numbers("indexSparseness", new Object[]{2, 1_000_001, 100_000_000}, n -> uses.open(
                new PlainTableConfig().setIndexSparseness((Integer) n)));
        numbers("hashTableRatio", new Object[]{0.75, 0.001, 0.0001, 1e7}, n -> uses.open(
                new PlainTableConfig().setHashTableRatio((Double) n)));
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, false, UTF_8);
        report(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]))
                .forEach((key, value) -> out.println(key + "\t" + value));
        out.flush();
    }
}
