package dev.outcrop.rocksdb;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The program of {@link RandomOptionsTest}: opens databases with random options of tables, caches and compactions, ordinary and
 * extreme ones, and writes and reads them. It says what it tries before it does so. Arguments: directory, seed, number of databases.
 */
final class RandomOptions {
    private static final long[] EXTREMES = {Long.MIN_VALUE, Integer.MIN_VALUE, -2, -1, 0, 1, 2, 3, 7, 8, 64, 1000, 4096,
            1 << 20, 1 << 30, Integer.MAX_VALUE, 1L << 32, 1L << 40, Long.MAX_VALUE};
    private static final double[] FRACTIONS = {-1, 0, 1e-300, 0.001, 0.01, 0.3, 0.75, 1, 2, 1000, 1e300, Double.NaN,
            Double.POSITIVE_INFINITY};
    private static final List<String> LEFT_OUT = List.of("pinBudget", "userDefinedIndexFactory");

    private final Random random;
    private int opened;

    private RandomOptions(long seed) {
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        RandomOptions program = new RandomOptions(Long.parseLong(args[1]));
        for (int i = 0; i < Integer.parseInt(args[2]); i++) {
            program.run(Path.of(args[0], "db" + i));
        }
        System.out.println("done, opened " + program.opened);
    }

    private void run(Path path) throws IOException {
        Options options = new Options().createIfMissing(true).prefixExtractor(random.nextBoolean()
                ? SliceTransform.noop()
                : SliceTransform.fixedPrefix(1 + random.nextInt(8)));
        say("\n" + path.getFileName() + ":");
        try {
            chooseTable(options);
            chooseCompaction(options);
            options.allowMmapReads(random.nextInt(4) > 0);
            try (RocksDB db = RocksDB.open(path, options)) {
                opened++;
                use(db);
            }
            try (RocksDB db = RocksDB.open(path, options)) {
                read(db);
            }
        } catch (RocksDBException | IllegalArgumentException | IllegalStateException e) {
            say(" -> " + e.getMessage());
        }
        try (Stream<Path> files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            // It was never made.
        }
    }

    private void chooseTable(Options options) {
        switch (random.nextInt(5)) {
            case 0 -> options.plainTableFactory(change(new PlainTableOptions()));
            case 1 -> options.cuckooTableFactory(change(new CuckooTableOptions()));
            default -> {
                BlockBasedTableOptions table = change(new BlockBasedTableOptions());
                if (random.nextBoolean()) {
                    table.filterPolicy(random.nextBoolean()
                            ? FilterPolicy.bloom(random.nextInt(30))
                            : FilterPolicy.ribbonHybrid(random.nextInt(30), random.nextInt(4) - 1));
                }
                if (random.nextBoolean()) {
                    table.blockCache(random.nextBoolean()
                            ? Cache.lru(change(new LruCacheOptions()))
                            : Cache.hyperClock(change(new HyperClockCacheOptions(1 << 20))));
                }
                options.blockBasedTableFactory(table);
            }
        }
    }

    private void chooseCompaction(Options options) {
        switch (random.nextInt(3)) {
            case 0 -> options.compactionStyle(CompactionStyle.UNIVERSAL)
                    .universalCompactionOptions(change(new UniversalCompactionOptions()));
            case 1 -> options.compactionStyle(CompactionStyle.FIFO)
                    .fifoCompactionOptions(change(new FifoCompactionOptions()));
            default -> options.minLevelToCompress(random.nextInt(3));
        }
    }

    /** Changes a few options; what is refused stays as it was. */
    private <T> T change(T options) {
        List<Method> setters = OptionsSettersTest.setters(options);
        for (int i = 0; i < 4; i++) {
            Method setter = setters.get(random.nextInt(setters.size()));
            Class<?> type = setter.getParameterTypes()[0];
            if (LEFT_OUT.contains(setter.getName()) || type == Cache.class || type == FilterPolicy.class
                    || type == MemoryAllocator.class) {
                continue;
            }
            Object value = value(type);
            try {
                setter.invoke(options, value);
                say(" " + setter.getName() + "(" + value + ")");
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof IllegalArgumentException)) {
                    throw new AssertionError(e);
                }
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return options;
    }

    private Object value(Class<?> type) {
        long number = EXTREMES[random.nextInt(EXTREMES.length)];
        return switch (type.getSimpleName()) {
            case "boolean" -> random.nextBoolean();
            case "int" -> Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "long" -> number;
            case "double" -> FRACTIONS[random.nextInt(FRACTIONS.length)];
            case "String" -> "text";
            case "Duration" -> Duration.ofMillis(Math.max(0, number >> 32));
            default -> type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        };
    }

    private void use(RocksDB db) {
        int length = random.nextBoolean() ? 8 : -1;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 100; i++) {
                int size = length < 0 ? random.nextInt(40) : length;
                db.put(Bytes.random(random.nextInt(300) + (length < 0 ? 0 : 1000), size),
                        Bytes.random(i, length < 0 ? random.nextInt(3000) : 100));
            }
            db.delete(Bytes.random(random.nextInt(300), 8));
            db.flush();
            read(db);
        }
        db.compact();
        read(db);
    }

    private void read(RocksDB db) {
        for (int i = 0; i < 20; i++) {
            db.get(Bytes.random(random.nextInt(300) + random.nextInt(2) * 1000, random.nextInt(12)));
        }
        ReadOptions bounded = new ReadOptions().totalOrderSeek(random.nextBoolean())
                .iterateUpperBound(Bytes.random(random.nextInt(), random.nextInt(9)));
        db.with(bounded).scan((_, _) -> true);
        db.scan((_, _) -> true);
    }

    private static void say(String text) {
        System.out.print(text);
        System.out.flush();
    }
}
