package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompactionStyle;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.OperationStage;
import org.rocksdb.OperationType;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.SkipListMemTableConfig;
import org.rocksdb.StateType;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.ThreadStatus;
import org.rocksdb.ThreadType;
import org.rocksdb.VectorMemTableConfig;

/** Prints the names of objects in options, the options of open families, and what threads are said to do. */
@SuppressWarnings("resource") // options are used until the program ends
@NullUnmarked // null is an argument like any other here
final class DescriptionsReport {

    private final Map<String, String> lines = new TreeMap<>();

    private DescriptionsReport() {
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        DescriptionsReport report = new DescriptionsReport();
        report.threads();
        report.families(directory);
        report.stored(directory);
        return report.lines;
    }

    private interface Call {
        Object run() throws Exception;
    }

    private void line(String name, Call call) {
        String value;
        try {
            value = String.valueOf(call.run());
        } catch (Exception e) {
            value = e.getClass().getName();
        }
        lines.put(name, value);
    }

    private static Map<String, ColumnFamilyOptions> families() {
        Map<String, ColumnFamilyOptions> families = new LinkedHashMap<>();
        families.put("plain", new ColumnFamilyOptions());
        families.put("plain tables", new ColumnFamilyOptions().setTableFormatConfig(new PlainTableConfig())
                .useFixedLengthPrefixExtractor(3));
        families.put("hash skip list", new ColumnFamilyOptions().useCappedPrefixExtractor(3)
                .setMemTableConfig(new HashSkipListMemTableConfig()));
        families.put("hash linked list", new ColumnFamilyOptions().useCappedPrefixExtractor(3)
                .setMemTableConfig(new HashLinkedListMemTableConfig()));
        families.put("vector", new ColumnFamilyOptions().setMemTableConfig(new VectorMemTableConfig()));
        families.put("skip list",
                new ColumnFamilyOptions().setMemTableConfig(new SkipListMemTableConfig().setLookahead(3)));
        families.put("filtered", new ColumnFamilyOptions()
                .setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter(9.5))));
        families.put("reverse",
                new ColumnFamilyOptions().setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR));
        families.put("universal", new ColumnFamilyOptions().setCompactionStyle(CompactionStyle.UNIVERSAL)
                .setCompactionOptionsUniversal(new CompactionOptionsUniversal().setMaxMergeWidth(7)));
        families.put("fifo", new ColumnFamilyOptions().setCompactionStyle(CompactionStyle.FIFO));
        families.put("blobs", new ColumnFamilyOptions().setEnableBlobFiles(true).setMinBlobSize(100));
        families.put("compacting", new ColumnFamilyOptions()
                .setCompactionFilter(new RemoveEmptyValueCompactionFilter()));
        for (String delimiter : List.of("", ",", "++", ", ", "ä", "=", "::")) {
            families.put("append '" + delimiter + "'",
                    new ColumnFamilyOptions().setMergeOperator(new StringAppendOperator(delimiter)));
        }
        families.put("multipliers",
                new ColumnFamilyOptions().setMaxBytesForLevelMultiplierAdditional(new int[]{3, 2, 1}));
        return families;
    }

    private void families(Path directory) throws Exception {
        Map<String, ColumnFamilyOptions> families = families();
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>(
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)));
        families.forEach((name, options) -> {
            lines.put("memtables of " + name, options.memTableFactoryName());
            lines.put("tables of " + name, options.tableFactoryName());
            try (Options whole = new Options(new DBOptions(), options);
                    ColumnFamilyOptions copy = new ColumnFamilyOptions(options)) {
                lines.put("memtables of all with " + name, whole.memTableFactoryName() + copy.memTableFactoryName());
                lines.put("tables of all with " + name, whole.tableFactoryName() + copy.tableFactoryName());
            }
            descriptors.add(new ColumnFamilyDescriptor(name.getBytes(UTF_8), options));
        });
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)
                .setAllowConcurrentMemtableWrite(false).setDailyOffpeakTimeUTC("02:20-19:50").setMaxBackgroundJobs(3)
                .setEnableThreadTracking(true);
                RocksDB db = RocksDB.open(options, directory.resolve("families").toString(), descriptors, handles)) {
            idleThreads();
            line("database", () -> db.getDBOptions().build() + " " + db.getDBOptions().getUnknown());
            for (ColumnFamilyHandle handle : handles) {
                String name = new String(handle.getName(), UTF_8);
                line("options of " + name,
                        () -> db.getOptions(handle).build() + " " + db.getOptions(handle).getUnknown());
                line("descriptor of " + name, () -> {
                    ColumnFamilyOptions described = handle.getDescriptor().getOptions();
                    return described.memTableFactoryName() + " " + described.tableFactoryName();
                });
                line("merged in " + name, () -> {
                    db.merge(handle, new byte[]{1, 2, 3, 4}, new byte[]{'x'});
                    db.merge(handle, new byte[]{1, 2, 3, 4}, new byte[]{'y'});
                    return new String(db.get(handle, new byte[]{1, 2, 3, 4}), UTF_8);
                });
            }
        }
    }

    private void stored(Path directory) throws Exception {
        String path = directory.resolve("families").toString();
        Files files = new Files(Env.getDefault(), path);
        line("latest file", files::latest);
        line("latest file of nothing", new Files(Env.getDefault(), directory.resolve("none").toString())::latest);
        line("latest file of a directory without any", new Files(Env.getDefault(), directory.toString())::latest);
        line("latest file without an env", new Files(null, path)::latest);
        try (Options options = new Options().setCreateIfMissing(true).setMinBlobSize(7).setMaxBackgroundJobs(4)) {
            RocksDB.open(options, directory.resolve("one").toString()).close();
        }
        line("latest options", new Files(Env.getDefault(), directory.resolve("one").toString())::load);
        line("latest options of nothing", new Files(Env.getDefault(), directory.resolve("none").toString())::load);
        try (RocksMemEnv memory = new RocksMemEnv(Env.getDefault());
                Options options = new Options().setCreateIfMissing(true).setEnv(memory)) {
            Files inMemory = new Files(memory, "/memory");
            line("latest file in empty memory", inMemory::latest);
            RocksDB.open(options, "/memory").close();
            line("latest file in memory", inMemory::latest);
            line("latest options in memory", inMemory::load);
        }
        for (String text : List.of("table_factory=PlainTable", "memtable=vector", "memtable_factory=skip_list:5")) {
            Properties properties = new Properties();
            properties.setProperty(text.substring(0, text.indexOf('=')), text.substring(text.indexOf('=') + 1));
            line("names of " + text, () -> {
                ColumnFamilyOptions parsed = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties);
                return parsed.memTableFactoryName() + " " + parsed.tableFactoryName();
            });
        }
    }

    private record Files(Env env, String path) {
        Object latest() throws Exception {
            return OptionsUtil.getLatestOptionsFileName(path, env);
        }

        Object load() throws Exception {
            List<ColumnFamilyDescriptor> loaded = new ArrayList<>();
            try (ConfigOptions config = new ConfigOptions(); DBOptions options = new DBOptions()) {
                config.setEnv(env);
                OptionsUtil.loadLatestOptions(config, path, options, loaded);
                return options.maxBackgroundJobs() + " " + loaded.stream()
                        .map(family -> new String(family.getName(), UTF_8) + " "
                                + family.getOptions().memTableFactoryName() + " "
                                + family.getOptions().tableFactoryName() + " " + family.getOptions().minBlobSize())
                        .toList();
            }
        }
    }

    private void threads() throws Exception {
        for (ThreadType type : ThreadType.values()) {
            line("thread " + type, () -> ThreadStatus.getThreadTypeName(type));
        }
        for (OperationType type : OperationType.values()) {
            line("operation " + type, () -> ThreadStatus.getOperationName(type));
            for (int i : new int[]{0, 1, 2, 3, 4, 5, 6, 7, Integer.MAX_VALUE}) {
                line("property " + i + " of " + type, () -> ThreadStatus.getOperationPropertyName(type, i));
            }
            line("properties of " + type, () -> new TreeMap<>(
                    ThreadStatus.interpretOperationProperties(type, new long[]{1, 2L << 32 | 3, 5, 6, 7, 8, 9, 10})));
        }
        for (OperationStage stage : OperationStage.values()) {
            line("stage " + stage, () -> ThreadStatus.getOperationStageName(stage));
        }
        for (StateType state : StateType.values()) {
            line("state " + state, () -> ThreadStatus.getStateName(state));
        }
        line("thread null", () -> ThreadStatus.getThreadTypeName(null));
        line("operation null", () -> ThreadStatus.getOperationName(null));
        for (long micros : new long[]{0, 1, 999, 1000, 12_345_678, 3_600_000_000L, Long.MAX_VALUE, -1,
                Long.MIN_VALUE}) {
            line("micros " + micros, () -> ThreadStatus.microsToString(micros));
        }
    }

    /** The threads of the pools that each process with a database has. They do nothing now. */
    private void idleThreads() throws Exception {
        Set<ThreadType> pools = EnumSet.of(ThreadType.HIGH_PRIORITY, ThreadType.LOW_PRIORITY);
        // A thread is listed from the moment when it first runs.
        while (!Env.getDefault().getThreadList().stream().map(ThreadStatus::getThreadType).collect(Collectors.toSet())
                .containsAll(pools)) {
            Thread.sleep(1);
        }
        try (RocksMemEnv memory = new RocksMemEnv(Env.getDefault())) {
            for (Env env : List.of(Env.getDefault(), memory)) {
                for (ThreadStatus status : env.getThreadList()) {
                    if (!pools.contains(status.getThreadType())) {
                        continue;
                    }
                    line("idle " + status.getThreadType() + " of " + env.getClass().getSimpleName(),
                            () -> status.getDbName() + " " + status.getCfName() + " " + status.getOperationType() + " "
                                    + status.getOperationStage() + " " + status.getOperationElapsedTime() + " "
                                    + Arrays.toString(status.getOperationProperties()) + " " + status.getStateType()
                                    + " " + (status.getThreadId() != 0));
                }
            }
        }
    }
}
