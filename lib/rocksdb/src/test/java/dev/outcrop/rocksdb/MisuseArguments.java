package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.misuse.MisuseMethod;
import dev.outcrop.testsupport.misuse.MisuseObjects;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Arguments of every type, good ones and bad ones. Thread-safe. */
final class MisuseArguments {
    private static final long[] NUMBERS = {Long.MIN_VALUE, Integer.MIN_VALUE, -2, -1, 0, 1, 2, 3, 8, 64, 1000, 4096,
            1 << 20, Integer.MAX_VALUE, 1L << 32, 1L << 40, Long.MAX_VALUE};
    private static final double[] FRACTIONS = {-1, 0, 1e-300, 0.01, 0.5, 1, 10, 1e300, Double.NaN,
            Double.POSITIVE_INFINITY};

    /** Numbers for methods to which others would mean: wait that long, or take so much memory. They are kept, or refused. */
    private static final Map<String, List<Double>> LIMITED = Map.ofEntries(
            Map.entry("RateLimiter.of", List.of(-1.0, 0.0, 1.0, 999.0, 1e10, 1e18)),
            Map.entry("RateLimiter.autoTuned", List.of(-1.0, 0.0, 1.0, 999.0, 1e10, 1e18)),
            Map.entry("TransactionOptions.lockTimeout", List.of(-1.0, 0.0, 1.0, 2.0)),
            Map.entry("TransactionOptions.deadlockTimeoutUs", List.of(-1.0, 0.0, 1.0)),
            Map.entry("Env.backgroundThreads", List.of(-1.0, 0.0, 1.0, 2.0, 3.0, 1e9)),
            Map.entry("OccLockBuckets.new", List.of(-1.0, 0.0, 1.0, 1000.0, 1e18)),
            Map.entry("HyperClockCacheOptions.new", List.of(-1.0, 0.0, 1.0, 1e6, 1e18)),
            Map.entry("HyperClockCacheOptions.capacity", List.of(-1.0, 0.0, 1.0, 1e6, 1e18)),
            Map.entry("ReplayOptions.fastForward", List.of(-1.0, 0.0, 1.0, 1e3, 1e9, Double.NaN)),
            Map.entry("RetryOptions.new", List.of(-1.0, 0.0, 1.0, 2.0)),
            Map.entry("RetryOptions.withAttempts", List.of(-1.0, 0.0, 1.0, 2.0)),
            Map.entry("RetryOptions.withBackOff", List.of(-1.0, 0.0, 1.0, 2.0)));

    private static final String[] TEXTS = {"", "a", "default", "other", "rocksdb.stats", "rocksdb.num-files-at-level0",
            "with\0nul", "größer, \uD83D\uDE00", "\uD800", "sub/../up", "write_buffer_size=100000",
            "comparator=nonsense",
            "{", "}", ";;=", "x".repeat(3000)};
    private static final String[] OPTION_NAMES = {"write_buffer_size", "disable_auto_compactions", "ttl", "nonsense",
            "", "max_background_jobs", "max_open_files", "prefix_extractor", "with\0nul", "compression"};
    private static final String[] OPTION_VALUES = {"100000", "true", "false", "-1", "", "0", "x", "with\0nul", "{}"};
    private static final String[] FILE_NAMES = {"a", "b", "c", "d", "e", "f", "missing/a", "ä ö", "x".repeat(300)};
    private static final int LATEST = 32;

    private final Path directory;
    private final MisuseObjects objects;
    private final MisuseSegments segments;
    private final MisuseDatabases databases;
    private final MisuseFiles files;
    private final MisuseCallbacks callbacks;
    private final List<String> properties = properties();
    /** Paths that the API has named, such as those of table files. */
    private final AtomicReferenceArray<@Nullable Path> paths = new AtomicReferenceArray<>(LATEST);

    MisuseArguments(Path directory, MisuseObjects objects, MisuseSegments segments, MisuseDatabases databases,
            MisuseFiles files, MisuseCallbacks callbacks) {
        this.directory = directory;
        this.objects = objects;
        this.segments = segments;
        this.databases = databases;
        this.files = files;
        this.callbacks = callbacks;
    }

    private static List<String> properties() {
        return Arrays.stream(Property.class.getFields()).filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(MisuseArguments::text).toList();
    }

    private static String text(Field constant) {
        try {
            return String.valueOf(constant.get(null));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Nullable
    Object[] of(MisuseMethod method, @Nullable Object target, Random random) {
        return Arrays.stream(method.parameters).map(type -> {
            List<?> fitting = random.nextInt(4) == 0 ? null : fitting(argumentOf(type, 0), target, random);
            return fitting == null ? of(type, method, random) : fitting;
        }).toArray();
    }

    /** Several things of a type that belong together, for a method of the target; null if any will do. */
    private @Nullable List<?> fitting(Type type, @Nullable Object target, Random random) {
        return type == Path.class
                ? files.severalFor(target, random)
                : type == ColumnFamily.class ? databases.families(target, random) : null;
    }

    void keep(Random random, Path path) {
        paths.set(random.nextInt(LATEST), path);
    }

    private @Nullable Object of(Type type, MisuseMethod method, Random random) {
        Class<?> raw = raw(type);
        if (raw.isPrimitive() || Number.class.isAssignableFrom(raw)) {
            return number(raw, method, random);
        }
        if (random.nextInt(60) == 0) {
            return null;
        }
        if (raw.isEnum()) {
            Object[] constants = raw.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        }
        return switch (raw.getName()) {
            case "[B" -> segments.array(random);
            case "java.lang.foreign.MemorySegment" -> segments.any(random);
            case "java.nio.ByteBuffer" -> segments.buffer(random);
            case "java.lang.String" -> string(method, random);
            case "java.nio.file.Path" -> path(method, random);
            case "java.time.Duration" -> duration(method, random);
            case "java.time.Instant" -> Instant.ofEpochSecond(random.nextInt());
            case "java.util.List", "java.util.Collection" -> many(type, 0, method, random);
            case "java.util.Set" -> new LinkedHashSet<>(many(type, 0, method, random));
            case "java.util.Map" -> map(type, method, random);
            case "java.lang.foreign.ValueLayout$OfByte" -> layout(ValueLayout.JAVA_BYTE, random);
            case "java.lang.foreign.ValueLayout$OfShort" -> layout(ValueLayout.JAVA_SHORT, random);
            case "java.lang.foreign.ValueLayout$OfInt" -> layout(ValueLayout.JAVA_INT, random);
            case "java.lang.foreign.ValueLayout$OfLong" -> layout(ValueLayout.JAVA_LONG, random);
            case "java.lang.System$Logger" -> System.getLogger("dev.outcrop.rocksdb.misuse");
            case "java.lang.Object" -> "other";
            default -> object(raw, random);
        };
    }

    /** Of any order and alignment, most of them none. */
    private static ValueLayout layout(ValueLayout natural, Random random) {
        ValueLayout ordered = natural.withOrder(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        return ordered.withByteAlignment(random.nextInt(3) > 0 ? 1 : 1L << random.nextInt(40));
    }

    private @Nullable Object object(Class<?> type, Random random) {
        // New and ordinary, so that databases open; the objects about have been changed in every way.
        if (type == Options.class) {
            return databases.options();
        }
        if (type == TransactionDBOptions.class) {
            return MisuseDatabases.lockingOptions();
        }
        if (type == OptimisticTransactionDBOptions.class) {
            return new OptimisticTransactionDBOptions();
        }
        if (type == BackupEngineOptions.class) {
            return new BackupEngineOptions(random.nextInt(4) > 0 ? files.backups(random) : path(random));
        }
        Object object = objects.any(type, random);
        return object != null ? object : type.isInterface() ? callbacks.of(type) : first(type);
    }

    /** Options and the like, of which there are none at first; null for what is made otherwise, or must be closed. */
    private static @Nullable Object first(Class<?> type) {
        try {
            return AutoCloseable.class.isAssignableFrom(type) ? null : type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static Class<?> raw(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType generic -> raw(generic.getRawType());
            case WildcardType wildcard -> raw(wildcard.getUpperBounds()[0]);
            default -> Object.class;
        };
    }

    private Object number(Class<?> type, MisuseMethod method, Random random) {
        if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        }
        List<Double> limited = LIMITED.get(method.name);
        if (type == double.class || type == Double.class) {
            return limited != null ? limited.get(random.nextInt(limited.size())) : anyFraction(random);
        }
        long number = limited != null
                ? limited.get(random.nextInt(limited.size())).longValue()
                : random.nextInt(3) > 0 ? random.nextInt(10) : NUMBERS[random.nextInt(NUMBERS.length)];
        if (type == int.class || type == Integer.class) {
            return Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        if (type == byte.class || type == Byte.class) {
            return (byte) number;
        }
        return number;
    }

    private static double anyFraction(Random random) {
        return FRACTIONS[random.nextInt(FRACTIONS.length)];
    }

    private String string(MisuseMethod method, Random random) {
        if (method.name.contains("roperty") && random.nextInt(4) > 0) {
            return properties.get(random.nextInt(properties.size()));
        }
        return switch (random.nextInt(3)) {
            case 0 -> MisuseDatabases.familyName(random);
            case 1 -> OPTION_NAMES[random.nextInt(OPTION_NAMES.length)] + "="
                    + OPTION_VALUES[random.nextInt(OPTION_VALUES.length)];
            default -> TEXTS[random.nextInt(TEXTS.length)];
        };
    }

    private Path path(MisuseMethod method, Random random) {
        if (method.name.contains("Trac") && random.nextBoolean()) {
            return files.trace(random);
        }
        return method.name.contains("restore") && random.nextInt(4) > 0 ? files.fresh() : path(random);
    }

    private Path path(Random random) {
        Path known = paths.get(random.nextInt(LATEST));
        return switch (random.nextInt(9)) {
            case 0, 1 -> databases.path(random);
            case 2 -> known == null ? directory : known;
            case 3 -> directory;
            case 4, 5 -> files.fresh();
            case 6 -> files.table(random);
            default -> directory.resolve(FILE_NAMES[random.nextInt(FILE_NAMES.length)]);
        };
    }

    private static Duration duration(MisuseMethod method, Random random) {
        List<Double> limited = LIMITED.get(method.name);
        if (limited != null) {
            return Duration.ofMillis(limited.get(random.nextInt(limited.size())).longValue());
        }
        return switch (random.nextInt(6)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofNanos(1);
            case 2 -> Duration.ofSeconds(-1);
            case 3 -> Duration.ofSeconds(Long.MAX_VALUE);
            case 4 -> Duration.ofDays(40_000);
            default -> Duration.ofMillis(random.nextInt(1000));
        };
    }

    private List<@Nullable Object> many(Type type, int argument, MisuseMethod method, Random random) {
        List<@Nullable Object> many = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            many.add(of(argumentOf(type, argument), method, random));
        }
        return many;
    }

    private static Type argumentOf(Type type, int argument) {
        return type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[argument] : Object.class;
    }

    private Map<@Nullable Object, @Nullable Object> map(Type type, MisuseMethod method, Random random) {
        Map<@Nullable Object, @Nullable Object> map = new HashMap<>();
        boolean ofOptions = argumentOf(type, 1) == String.class;
        for (int i = random.nextInt(3); i > 0; i--) {
            if (ofOptions) {
                map.put(OPTION_NAMES[random.nextInt(OPTION_NAMES.length)],
                        OPTION_VALUES[random.nextInt(OPTION_VALUES.length)]);
            } else {
                map.put(of(argumentOf(type, 0), method, random), of(argumentOf(type, 1), method, random));
            }
        }
        return map;
    }

    /** Whether null was given anywhere: then, and only then, a {@link NullPointerException} is in order. */
    static boolean hasNull(@Nullable Object[] arguments) {
        return Arrays.stream(arguments).anyMatch(MisuseArguments::isOrHasNull);
    }

    private static boolean isOrHasNull(@Nullable Object value) {
        return switch (value) {
            case null -> true;
            case Set<?> set -> set.stream().anyMatch(MisuseArguments::isOrHasNull);
            case Collection<?> collection -> collection.stream().anyMatch(MisuseArguments::isOrHasNull);
            case Map<?, ?> map -> isOrHasNull(map.keySet()) || isOrHasNull(map.values());
            case Record record -> Arrays.stream(record.getClass().getRecordComponents())
                    .anyMatch(component -> component(record, component) == null);
            default -> false;
        };
    }

    private static @Nullable Object component(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
