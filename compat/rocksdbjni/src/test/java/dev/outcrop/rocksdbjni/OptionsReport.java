package dev.outcrop.rocksdbjni;

import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A program that says how every option behaves: its default, what all getters return after each setter, and what a copy returns. It finds
 * the options by reflection, so that it runs on the published classes and on ours.
 */
final class OptionsReport {

    static final List<String> CLASSES = List.of("Options", "DBOptions", "ColumnFamilyOptions", "ReadOptions",
            "WriteOptions",
            "FlushOptions", "CompactRangeOptions", "CompactionOptions", "CompactionOptionsUniversal",
            "CompactionOptionsFIFO",
            "CompressionOptions", "IngestExternalFileOptions", "ImportColumnFamilyOptions", "EnvOptions",
            "TransactionOptions",
            "TransactionDBOptions", "OptimisticTransactionOptions", "BackupEngineOptions", "ConfigOptions",
            "ComparatorOptions",
            "TraceOptions", "BlockBasedTableConfig", "PlainTableConfig", "SkipListMemTableConfig",
            "VectorMemTableConfig",
            "HashSkipListMemTableConfig", "HashLinkedListMemTableConfig");

    private static final List<String> BUILDERS = List.of("MutableDBOptions", "MutableColumnFamilyOptions");

    private final Map<String, String> lines = new TreeMap<>();
    /** Looked up once: sorting them takes longer than calling them. */
    private final Map<Class<?>, List<Method>> methods = new HashMap<>();
    private final Map<Class<?>, List<Method>> getters = new HashMap<>();

    private OptionsReport() {
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        report().forEach((key, value) -> out.println(key + "\t" + value));
        out.flush();
    }

    static Map<String, String> report() throws ReflectiveOperationException {
        Class.forName("org.rocksdb.RocksDB");
        OptionsReport report = new OptionsReport();
        for (String name : CLASSES) {
            report.options(Class.forName("org.rocksdb." + name));
        }
        for (String name : BUILDERS) {
            report.builder(Class.forName("org.rocksdb." + name));
        }
        return report.lines;
    }

    private void options(Class<?> type) throws ReflectiveOperationException {
        Object fresh;
        try {
            fresh = make(type);
        } catch (InvocationTargetException e) {
            lines.put(type.getSimpleName() + "()", thrown(e));
            return;
        }
        Map<String, String> defaults = getters(fresh);
        defaults.forEach((getter, value) -> lines.put(type.getSimpleName() + "()." + getter, value));
        close(fresh);
        for (Method setter : methods(type).filter(m -> m.getName().startsWith("set") && m.getParameterCount() == 1)
                // Starts as many threads at once.
                .filter(m -> !m.getName().equals("setIncreaseParallelism")).toList()) {
            for (Object value : values(setter.getParameterTypes()[0])) {
                Object changed = make(type);
                String call = type.getSimpleName() + "()." + setter.getName() + "(" + text(value) + ")";
                String outcome = call(setter, changed, value);
                lines.put(call, outcome.startsWith("throws") ? outcome : "done");
                differences(call, defaults, getters(changed));
                copy(call, defaults, changed);
                close(changed);
            }
        }
    }

    private void copy(String call, Map<String, String> defaults, Object changed) throws ReflectiveOperationException {
        Constructor<?> copying;
        try {
            copying = changed.getClass().getConstructor(changed.getClass());
        } catch (NoSuchMethodException e) {
            return;
        }
        Object copy = copying.newInstance(changed);
        differences("copy of " + call, defaults, getters(copy));
        close(copy);
    }

    private void differences(String call, Map<String, String> defaults, Map<String, String> now) {
        now.forEach((getter, value) -> {
            if (!value.equals(defaults.get(getter))) {
                lines.put(call + "." + getter, value);
            }
        });
    }

    private void builder(Class<?> type) throws ReflectiveOperationException {
        Class<?> builder = type.getMethod("builder").getReturnType();
        for (Method setter : methods(builder).filter(m -> m.getName().startsWith("set") && m.getParameterCount() == 1)
                .toList()) {
            for (Object value : values(setter.getParameterTypes()[0])) {
                Object made = type.getMethod("builder").invoke(null);
                String call = builder.getSimpleName() + "." + setter.getName() + "(" + text(value) + ")";
                String outcome = call(setter, made, value);
                lines.put(call, outcome.startsWith("throws") ? outcome : "done");
                String built = call(builder.getMethod("build"), made);
                lines.put(call + ".build()", built);
                getters(made).forEach((getter, got) -> lines.put(call + "." + getter, got));
                for (boolean ignore : new boolean[]{false, true}) {
                    parse(type, built, ignore);
                }
            }
        }
        for (String text : List.of("", ";", "no_such_option=1", "a", "a=", "=1", "a={b=1}", "bytes_per_sync=x",
                "ttl=10;",
                " ttl = 10 ; ", "ttl=10;ttl=11", "ttl=1;;", "max_bytes_for_level_multiplier_additional=1:2:3",
                "ttl={x=1}",
                "compression=kZSTD", "compression=ZSTD_COMPRESSION", "disable_auto_compactions=true")) {
            parse(type, text, false);
            parse(type, text, true);
        }
    }

    private void parse(Class<?> type, String text, boolean ignoreUnknown) throws ReflectiveOperationException {
        Method parse = type.getMethod("parse", String.class, boolean.class);
        String key = type.getSimpleName() + ".parse(" + text + ", " + ignoreUnknown + ")";
        try {
            Object parsed = parse.invoke(null, text, ignoreUnknown);
            lines.put(key, String.valueOf(parsed.getClass().getMethod("build").invoke(parsed)));
        } catch (InvocationTargetException e) {
            lines.put(key, thrown(e).replaceAll(":.*", ""));
        }
    }

    private static Object make(Class<?> type) throws ReflectiveOperationException {
        return type.getSimpleName().equals("BackupEngineOptions")
                ? type.getConstructor(String.class).newInstance("/tmp")
                : type.getConstructor().newInstance();
    }

    private static void close(Object object) throws ReflectiveOperationException {
        if (object instanceof AutoCloseable) {
            object.getClass().getMethod("close").invoke(object);
        }
    }

    private Map<String, String> getters(Object object) {
        Map<String, String> values = new LinkedHashMap<>();
        getters.computeIfAbsent(object.getClass(),
                type -> methods(type).filter(m -> m.getParameterCount() == 0 && isValue(m.getReturnType()))
                        .filter(m -> !m.getName().matches("isOwningHandle|getNativeHandle|hashCode|toString")).toList())
                .forEach(getter -> values.put(getter.getName(), call(getter, object)));
        return values;
    }

    private static boolean isValue(Class<?> type) {
        return (type != void.class && type.isPrimitive()) || type == String.class || type.isEnum()
                || type == int[].class;
    }

    private Stream<Method> methods(Class<?> type) {
        return methods.computeIfAbsent(type, OptionsReport::find).stream();
    }

    private static List<Method> find(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).filter(m -> !m.isSynthetic() && !m.isBridge())
                .filter(m -> Modifier.isPublic(m.getModifiers()) && !Modifier.isStatic(m.getModifiers()))
                .sorted(Comparator.comparing(Method::toString)).toList();
    }

    private static String call(Method method, Object target, Object... arguments) {
        try {
            return text(method.invoke(target, arguments));
        } catch (InvocationTargetException e) {
            return thrown(e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String thrown(InvocationTargetException e) {
        return "throws " + String.valueOf(e.getCause()).replace('\n', ' ');
    }

    private static String text(Object value) {
        return value instanceof int[] array ? Arrays.toString(array) : String.valueOf(value);
    }

    private static List<?> values(Class<?> type) {
        if (type.isEnum()) {
            return List.of(type.getEnumConstants());
        }
        return switch (type.getName()) {
            case "boolean" -> List.of(true, false);
            case "int" -> List.of(0, 1, 7, 1 << 20, -1);
            case "long" -> List.of(0L, 1L, 7L, 1L << 20, 7L << 33, -1L);
            case "double" -> List.of(0.0, 0.25, 3.5);
            case "java.lang.String" -> List.of("", "/tmp/some where");
            default -> type == int[].class ? List.of(Array.newInstance(int.class, 0), new int[]{1, 2, 3}) : List.of();
        };
    }
}
