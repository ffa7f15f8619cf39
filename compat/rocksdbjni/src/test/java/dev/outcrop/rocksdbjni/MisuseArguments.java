package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.misuse.MisuseMethod;
import dev.outcrop.testsupport.misuse.MisuseObjects;
import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractCompactionFilterFactory;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.AbstractTableFilter;
import org.rocksdb.AbstractWalFilter;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.util.BytewiseComparator;

/** Arguments of every type, good ones and bad ones, for the calls of one thread. */
final class MisuseArguments {
    private static final long[] NUMBERS = {Long.MIN_VALUE, Integer.MIN_VALUE, -2, -1, 0, 1, 2, 3, 8, 64, 1000, 4096,
            1 << 20, Integer.MAX_VALUE, 1L << 32, 1L << 40, Long.MAX_VALUE};
    private static final double[] FRACTIONS = {-1, 0, 1e-300, 0.01, 0.5, 1, 10, 1e300, Double.NaN,
            Double.POSITIVE_INFINITY};
    private static final int[] SIZES = {0, 1, 3, 8, 16, 100, 2047, 2048, 2049, 70_000};
    private static final int KEYS = 50;

    /** Threads of pools stay until the process ends. */
    private static final List<Long> THREADS = List.of(-2L, -1L, 0L, 1L, 2L, 8L, 1L << 30);

    /** By class and method, or by method: numbers for methods to which others would mean: wait that long, start as many threads, or take as much. */
    private static final Map<String, List<Long>> LIMITED = Map.ofEntries(
            Map.entry("RateLimiter.new", List.of(-1L, 0L, 1_000_000L, 1L << 40, 1L << 60)),
            Map.entry("setBytesPerSecond", List.of(-1L, 0L, 1L, 1_000_000L, 1L << 40, 1L << 60)),
            Map.entry("setBackupRateLimit", List.of(-1L, 0L, 100_000_000L)),
            Map.entry("setRestoreRateLimit", List.of(-1L, 0L, 100_000_000L)),
            Map.entry("HyperClockCache.new", List.of(-1L, 0L, 1L, 2L, 64L, 4096L, 1L << 20, Long.MAX_VALUE)),
            Map.entry("request", List.of(-1L, 0L, 1L, 1000L)),
            Map.entry("setLockTimeout", List.of(0L, 1L, 2L)),
            Map.entry("setDeadlockTimeout", List.of(0L, 1L)),
            Map.entry("setMaxBackgroundJobs", THREADS), Map.entry("setMaxBackgroundCompactions", THREADS),
            Map.entry("setMaxBackgroundFlushes", THREADS), Map.entry("setMaxFileOpeningThreads", THREADS),
            Map.entry("setBackgroundThreads", List.of(-1L, 0L, 1L, 2L, 3L, 1L << 30)),
            Map.entry("incBackgroundThreadsIfNeeded", List.of(-1L, 0L, 1L, 2L, 3L, 1L << 30)),
            Map.entry("setIncreaseParallelism", List.of(-1L, 0L, 1L, 2L, 3L)));

    private static final String[] TEXTS = {"", "a", "default", "one", "rocksdb.stats", "rocksdb.num-files-at-level0",
            "rocksdb.estimate-num-keys", "with\0nul", "größer, \uD83D\uDE00", "\uD800", "write_buffer_size=100000",
            "disable_auto_compactions=true", "ttl=5;", "{", "}", ";;=", "x".repeat(3000)};

    /** A callback of RocksDB. */
    private static final Map<Class<?>, Supplier<?>> CALLBACKS = Map.of(AbstractEventListener.class, Reading::new,
            AbstractCompactionFilterFactory.class, Filters.Factory::new, AbstractWalFilter.class, Filters.OfLog::new,
            AbstractTableFilter.class, Filters.OfTables::new);

    private final MisuseWorld world;
    private final MisuseObjects objects;
    private final int thread;
    private final Random random;

    /** The exception of a callback. */
    @SuppressWarnings("serial")
    static final class Provoked extends RuntimeException {
        Provoked() {
            super("thrown by a callback");
        }
    }

    /** A listener that reads, and throws now and then. */
    private static final class Reading extends AbstractEventListener {
        @Override
        public void onFlushCompleted(RocksDB db, FlushJobInfo info) {
            if (db.getLatestSequenceNumber() % 5 == 0) {
                throw new Provoked();
            }
        }
    }

    MisuseArguments(MisuseWorld world, MisuseObjects objects, int thread, Random random) {
        this.world = world;
        this.objects = objects;
        this.thread = thread;
        this.random = random;
    }

    @Nullable
    Object[] of(MisuseMethod method, @Nullable Object target) {
        return Arrays.stream(method.parameters).map(type -> one(type, method, target)).toArray();
    }

    private @Nullable Object one(Type type, MisuseMethod method, @Nullable Object target) {
        Class<?> raw = raw(type);
        if (raw.isPrimitive() || Number.class.isAssignableFrom(raw) || raw == Boolean.class) {
            return number(raw, method);
        }
        if (random.nextInt(60) == 0) {
            return null;
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
        }
        if (raw == byte[].class) {
            return bytes();
        }
        if (raw.isArray()) {
            return array(type, raw, method, target);
        }
        return switch (raw.getName()) {
            case "java.nio.ByteBuffer" -> buffer();
            case "java.lang.String" -> text(method);
            case "java.nio.file.Path" -> Path.of(world.fresh());
            case "java.util.List", "java.util.Collection" -> many(argumentOf(type, 0), method, target);
            case "java.util.Set" -> new HashSet<>(many(argumentOf(type, 0), method, target));
            case "java.util.Map" -> map(type, method, target);
            case "java.util.Properties" -> properties();
            case "java.lang.Object" -> "other";
            // Most are new and ordinary, so that databases open; the objects about have been changed in every way.
            case "org.rocksdb.Options" -> random.nextInt(4) == 0 ? object(raw) : world.options();
            case "org.rocksdb.DBOptions" -> random.nextInt(4) == 0 ? object(raw) : world.databaseOptions();
            case "org.rocksdb.ColumnFamilyOptions" -> random.nextInt(4) == 0 ? object(raw) : world.familyOptions();
            case "org.rocksdb.TransactionDBOptions" -> random.nextInt(4) == 0 ? object(raw) : world.lockingOptions();
            case "org.rocksdb.ColumnFamilyDescriptor" -> world.families().get(random.nextInt(3));
            default -> raw == ColumnFamilyHandle.class ? world.family(target, random) : object(raw);
        };
    }

    /** An object of a type, closed or not; made if there is none. */
    @Nullable
    Object object(Class<?> type) {
        return type.isEnum() ? objects.any(type, random) : any(type);
    }

    private @Nullable Object any(Class<?> type) {
        Object object = objects.any(type, random);
        if (object == null || random.nextInt(30) == 0) {
            Object made = made(type);
            if (made != null) {
                objects.add(made, thread, random);
                return made;
            }
        }
        return object;
    }

    private @Nullable Object made(Class<?> type) {
        try {
            if (type.isAssignableFrom(BytewiseComparator.class) && type != Object.class
                    && type != AutoCloseable.class) {
                try (ComparatorOptions options = new ComparatorOptions()) {
                    return new BytewiseComparator(options);
                }
            }
            if (type == Logger.class) {
                return new QuietLogger();
            }
            Supplier<?> callback = CALLBACKS.get(type);
            if (callback != null) {
                return callback.get();
            }
            if (type == BackupEngineOptions.class) {
                return new BackupEngineOptions(world.backups(random));
            }
            return Modifier.isAbstract(type.getModifiers()) ? null : type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** A logger that drops its messages. */
    private static final class QuietLogger extends Logger {
        QuietLogger() {
            super(InfoLogLevel.ERROR_LEVEL);
        }

        @Override
        protected void log(InfoLogLevel level, String message) {
            if (message.isEmpty()) {
                throw new Provoked();
            }
        }
    }

    private Object number(Class<?> type, MisuseMethod method) {
        if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        }
        if (type == char.class) {
            return (char) random.nextInt(1 << 16);
        }
        if (type == double.class || type == Double.class) {
            return FRACTIONS[random.nextInt(FRACTIONS.length)];
        }
        List<Long> limited = LIMITED.get(
                method.name.endsWith(".new") ? method.name : method.name.substring(method.name.lastIndexOf('.') + 1));
        long number = limited != null
                ? limited.get(random.nextInt(limited.size()))
                : random.nextInt(3) > 0 ? random.nextInt(10) : NUMBERS[random.nextInt(NUMBERS.length)];
        if (type == int.class || type == Integer.class) {
            return Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        return type == byte.class || type == Byte.class
                ? (Object) (byte) number
                : type == float.class
                        ? (Object) (float) number
                        : type == short.class ? (Object) (short) number : number;
    }

    private byte[] bytes() {
        return random.nextInt(10) > 3
                ? MisuseWorld.key(random.nextInt(KEYS))
                : new byte[SIZES[random.nextInt(SIZES.length)]];
    }

    private ByteBuffer buffer() {
        byte[] bytes = bytes();
        int before = random.nextInt(5);
        int after = random.nextInt(5);
        ByteBuffer buffer = random.nextInt(3) > 0
                ? ByteBuffer.allocateDirect(before + bytes.length + after)
                : ByteBuffer.allocate(before + bytes.length + after);
        buffer.position(before).put(bytes).limit(before + bytes.length).position(before);
        return switch (random.nextInt(10)) {
            case 0 -> buffer.asReadOnlyBuffer();
            case 1 -> buffer.slice();
            case 2 -> buffer.duplicate().position(buffer.limit());
            default -> buffer;
        };
    }

    private String text(MisuseMethod method) {
        String name = method.name;
        if (name.endsWith("BackupEngineOptions.new")) {
            return world.backups(random);
        }
        if (name.contains("restore") || name.contains("heckpoint") || name.contains("export")) {
            return random.nextInt(8) == 0 ? world.path(random) : world.fresh();
        }
        if (name.matches(".*(ingest|SstFile|table).*") && random.nextInt(8) > 0) {
            return world.table(random);
        }
        if (name.matches("(.*DB\\.(open|destroy|listCol).*|OptionsUtil.*)") && random.nextInt(8) > 0) {
            return random.nextInt(3) == 0 ? world.fresh() : world.path(random);
        }
        return name.matches(".*(Dir|loadLibrary.*|Path.*)") ? world.fresh() : TEXTS[random.nextInt(TEXTS.length)];
    }

    private List<@Nullable Object> many(Type element, MisuseMethod method, @Nullable Object target) {
        // Half of them as a program has them that opens a database.
        if (element == ColumnFamilyDescriptor.class && random.nextBoolean()) {
            return new ArrayList<>(world.families());
        }
        List<@Nullable Object> many = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            many.add(one(element, method, target));
        }
        return many;
    }

    private Object array(Type type, Class<?> raw, MisuseMethod method, @Nullable Object target) {
        Type element = type instanceof GenericArrayType generic
                ? generic.getGenericComponentType()
                : raw.getComponentType();
        Object array = Array.newInstance(raw.getComponentType(), random.nextInt(4));
        for (int i = 0; i < Array.getLength(array); i++) {
            Array.set(array, i, one(element, method, target));
        }
        return array;
    }

    private Map<@Nullable Object, @Nullable Object> map(Type type, MisuseMethod method, @Nullable Object target) {
        Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            map.put(one(argumentOf(type, 0), method, target), one(argumentOf(type, 1), method, target));
        }
        return map;
    }

    private Properties properties() {
        Properties properties = new Properties();
        for (String option : List.of("write_buffer_size=100000", "ttl=x", "nonsense=1",
                "compression=kLZ4Compression")) {
            if (random.nextInt(3) == 0) {
                properties.setProperty(option.substring(0, option.indexOf('=')),
                        option.substring(option.indexOf('=') + 1));
            }
        }
        return properties;
    }

    private static Type argumentOf(Type type, int argument) {
        return type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[argument] : Object.class;
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> raw(generic.getRawType());
            case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
            case TypeVariable<?> variable -> raw(variable.getBounds()[0]);
            case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
            default -> Object.class;
        };
    }

    /** Whether null was given anywhere: then, and only then, a {@link NullPointerException} is in order. */
    static boolean hasNull(@Nullable Object[] arguments) {
        return Arrays.stream(arguments).anyMatch(MisuseArguments::isOrHasNull);
    }

    private static boolean isOrHasNull(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case Set<?> set -> set.stream().anyMatch(Objects::isNull);
            case Collection<?> collection -> collection.stream().anyMatch(MisuseArguments::isOrHasNull);
            case Map<?, ?> map -> isOrHasNull(map.keySet()) || isOrHasNull(new ArrayList<>(map.values()));
            case Object[] array -> hasNull(array);
            // They hold what they were given.
            case Range _,ColumnFamilyDescriptor _ -> true;
            default -> false;
        };
    }
}
