package dev.outcrop.benchmarks.harness;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Passes a record of settings to a child process. Each component is a system property, because JMH creates the objects that need it.
 * Components are numbers, booleans, texts, paths, durations, enums, and records of these. A component that is annotated as nullable may be
 * missing.
 */
public final class Settings {
    private static final String PREFIX = "outcrop.benchmarks.";

    private Settings() {
    }

    /** Returns the arguments of a JVM that set the components of the record as system properties. */
    public static List<String> define(Record settings) {
        List<String> arguments = new ArrayList<>();
        define(PREFIX, settings, arguments);
        return arguments;
    }

    private static void define(String prefix, Record settings, List<String> arguments) {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            String name = prefix + component.getName();
            Object value = value(component, settings);
            if (value instanceof Record part) {
                define(name + '.', part, arguments);
            } else if (value != null) {
                arguments.add("-D" + name + '=' + (value instanceof Enum<?> constant ? constant.name() : value));
            }
        }
    }

    private static @Nullable Object value(RecordComponent component, Record of) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot read " + component, e);
        }
    }

    /** Returns the record that was passed to {@link #define} for this JVM. */
    public static <T extends Record> T current(Class<T> type) {
        return type.cast(read(PREFIX, type));
    }

    private static Object read(String prefix, Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(Arrays.stream(components)
                    .map(component -> read(prefix + component.getName(), component)).toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot make " + type, e);
        }
    }

    private static @Nullable Object read(String name, RecordComponent component) {
        Class<?> type = component.getType();
        if (type.isRecord()) {
            return read(name + '.', type);
        }
        String text = System.getProperty(name);
        if (text != null) {
            return parse(type, text);
        }
        if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            return null;
        }
        throw new IllegalStateException("System property " + name + " is not set: start this program through Main");
    }

    private static Object parse(Class<?> type, String text) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants()).filter(each -> ((Enum<?>) each).name().equals(text))
                    .findFirst().orElseThrow();
        }
        return switch (type.getSimpleName()) {
            case "int" -> Integer.valueOf(text);
            case "long" -> Long.valueOf(text);
            case "boolean" -> Boolean.valueOf(text);
            case "String" -> text;
            case "Path" -> Path.of(text);
            case "Duration" -> Duration.parse(text);
            default -> throw new IllegalArgumentException("Not the type of a setting: " + type);
        };
    }
}
