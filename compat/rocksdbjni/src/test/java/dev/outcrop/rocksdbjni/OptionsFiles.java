package dev.outcrop.rocksdbjni;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.BuiltinComparator;
import org.rocksdb.CompactionOptionsFIFO;
import org.rocksdb.CompactionOptionsUniversal;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/**
 * A program that says what RocksDB makes of every option: it opens a database with each setting and reads the options file that RocksDB
 * has written. So it sees what options really are in native code, whatever their getters say. Arguments: a directory, how many values are
 * behind the first one that is tried, and of how many one is tried.
 */
final class OptionsFiles {

    /** Starts threads, makes directories elsewhere, waits, or is refused here. */
    private static final String LEFT_OUT = "setIncreaseParallelism|setDbLogDir|setWalDir|setExperimentalMempurgeThreshold";

    private final Path directory;
    private final Map<String, String> lines = new TreeMap<>();
    private final int stride;
    private int skipped;
    private List<String> defaults = List.of();

    private OptionsFiles(Path directory, int first, int stride) {
        this.directory = directory;
        this.skipped = first;
        this.stride = stride;
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        report(Path.of(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]))
                .forEach((key, value) -> out.println(key + "\t" + value));
        out.flush();
    }

    static Map<String, String> report(Path directory, int first, int stride) throws Exception {
        RocksDB.loadLibrary();
        OptionsFiles files = new OptionsFiles(directory, first, stride);
        files.defaults = files.opened(options());
        files.lines.put("defaults", String.join("; ", files.defaults));
        files.plainOptions();
        files.tableOptions();
        files.objects();
        return files.lines;
    }

    private void plainOptions() throws Exception {
        for (Method setter : setters(Options.class)) {
            for (Object value : values(setter.getParameterTypes()[0])) {
                if (isLeftOut()) {
                    continue;
                }
                try (Options options = options()) {
                    record(setter.getName() + "(" + value + ")", options, () -> setter.invoke(options, value));
                }
            }
        }
    }

    private void tableOptions() throws Exception {
        for (Method setter : setters(BlockBasedTableConfig.class)) {
            for (Object value : values(setter.getParameterTypes()[0])) {
                if (isLeftOut()) {
                    continue;
                }
                BlockBasedTableConfig config = new BlockBasedTableConfig();
                try (Options options = options()) {
                    record("table." + setter.getName() + "(" + value + ")", options, () -> {
                        setter.invoke(config, value);
                        options.setTableFormatConfig(config);
                    });
                }
            }
        }
    }

    /** One value of so many is tried. */
    private boolean isLeftOut() {
        return Math.floorMod(skipped++, stride) != 0;
    }

    private static Options options() {
        return new Options().setCreateIfMissing(true);
    }

    private void objects() throws Exception {
        try (Options options = options();
                LRUCache cache = new LRUCache(1 << 20, 2, false, 0.3);
                CompactionOptionsUniversal universal = new CompactionOptionsUniversal().setSizeRatio(3);
                CompactionOptionsFIFO fifo = new CompactionOptionsFIFO().setMaxTableFilesSize(12345)) {
            record("objects", options, () -> options.setTableFormatConfig(
                    new BlockBasedTableConfig().setBlockCache(cache).setFilterPolicy(new BloomFilter(7)))
                    .setCompactionOptionsUniversal(universal).setCompactionOptionsFIFO(fifo)
                    .setComparator(BuiltinComparator.REVERSE_BYTEWISE_COMPARATOR).useCappedPrefixExtractor(5)
                    .setCompressionPerLevel(List.of(CompressionType.NO_COMPRESSION, CompressionType.LZ4_COMPRESSION))
                    .setMaxBytesForLevelMultiplierAdditional(new int[]{1, 2, 3}));
            try (Options copy = new Options(options)) {
                record("copy of objects", copy, () -> {
                });
            }
        }
        try (Options options = options()) {
            record("fixed prefix", options, () -> options.useFixedLengthPrefixExtractor(4));
        }
    }

    /** A change of options. */
    private interface Change {
        void make() throws Exception;
    }

    private void record(String name, Options options, Change change) throws Exception {
        try {
            change.make();
        } catch (InvocationTargetException e) {
            lines.put(name, "throws " + e.getCause());
            return;
        }
        try {
            lines.put(name, opened(options).stream().filter(line -> !defaults.contains(line)).toList().toString());
        } catch (org.rocksdb.RocksDBException e) {
            lines.put(name, "throws " + e.getMessage());
        }
    }

    private List<String> opened(Options options) throws Exception {
        Path path = directory.resolve("options");
        try (RocksDB _ = RocksDB.open(options, path.toString())) {
            Path file;
            try (Stream<Path> files = Files.list(path)) {
                file = files.filter(each -> each.getFileName().toString().startsWith("OPTIONS-"))
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
            }
            return Files.readAllLines(file).stream().map(String::strip).filter(line -> line.contains("=")).toList();
        } finally {
            delete(path);
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static List<Method> setters(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(m -> !m.isSynthetic() && m.getName().startsWith("set") && m.getParameterCount() == 1)
                .filter(m -> !m.getName().matches(LEFT_OUT)).sorted(Comparator.comparing(Method::toString)).toList();
    }

    private static List<?> values(Class<?> type) {
        if (type.isEnum()) {
            return List.of(type.getEnumConstants());
        }
        return switch (type.getName()) {
            case "boolean" -> List.of(true, false);
            case "int" -> List.of(3);
            case "long" -> List.of(70_001L);
            case "double" -> List.of(0.25);
            default -> List.of();
        };
    }
}
