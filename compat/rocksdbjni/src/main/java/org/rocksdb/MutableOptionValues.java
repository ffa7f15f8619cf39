package org.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Collectors;
import org.rocksdb.AbstractMutableOptions.AbstractMutableOptionsBuilder;
import org.rocksdb.MutableOptionKey.ValueType;

/** The values that a builder of mutable options has. Thread-safe. */
final class MutableOptionValues {

    private static final String ARRAY_SEPARATOR = ":";

    private final AbstractMutableOptionsBuilder<?, ?, ?> builder;
    private final Map<MutableOptionKey, Object> values = new LinkedHashMap<>();
    private final List<OptionString.Entry> unknown = new ArrayList<>();

    MutableOptionValues(AbstractMutableOptionsBuilder<?, ?, ?> builder) {
        this.builder = builder;
    }

    /** Returns {@code name=value;name=value}. */
    static String text(AbstractMutableOptions options) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < options.keys.length; i++) {
            pairs.add(options.keys[i] + AbstractMutableOptions.KEY_VALUE_SEPARATOR + options.values[i]);
        }
        return String.join(AbstractMutableOptions.KEY_VALUE_PAIR_SEPARATOR, pairs);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the builder's own type
    private <U> U self() {
        return (U) builder.self();
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the type that the builder builds
    <T> T build() {
        Map<MutableOptionKey, Object> set;
        synchronized (values) {
            set = new LinkedHashMap<>(values);
        }
        return (T) builder.build(set.keySet().stream().map(MutableOptionKey::name).toArray(String[]::new),
                set.values().stream().map(MutableOptionValues::text).toArray(String[]::new));
    }

    private static String text(Object value) {
        return value instanceof int[] array
                ? Arrays.stream(array).mapToObj(Integer::toString).collect(Collectors.joining(ARRAY_SEPARATOR))
                : value.toString();
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    <U> U set(MutableOptionKey key, ValueType type, Object value) {
        if (key.getValueType() != type) {
            throw new IllegalArgumentException(
                    key + " does not accept a " + type.name().toLowerCase(Locale.ROOT) + " value");
        }
        Objects.requireNonNull(value, () -> key.name() + " must not be null");
        synchronized (values) {
            values.put(key, value);
        }
        return self();
    }

    private Object get(MutableOptionKey key) {
        Object value;
        synchronized (values) {
            value = values.get(key);
        }
        if (value == null) {
            throw new NoSuchElementException(key.name() + " has not been set");
        }
        return value;
    }

    /** Returns a value. As published, throws a {@link NumberFormatException} if the value has another type. */
    private <V> V get(MutableOptionKey key, Class<V> type) {
        Object value = get(key);
        if (!type.isInstance(value)) {
            throw new NumberFormatException(key.name() + " is " + text(value) + ", which is no " + key.getValueType());
        }
        return type.cast(value);
    }

    double getDouble(MutableOptionKey key) {
        return get(key, Number.class).doubleValue();
    }

    long getLong(MutableOptionKey key) {
        return get(key, Number.class).longValue();
    }

    int getInt(MutableOptionKey key) {
        return get(key, Number.class).intValue();
    }

    boolean getBoolean(MutableOptionKey key) {
        return get(key, Boolean.class);
    }

    int[] getIntArray(MutableOptionKey key) {
        return get(key, int[].class);
    }

    String getString(MutableOptionKey key) {
        return text(get(key));
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as published
    <N extends Enum<N>> N getEnum(MutableOptionKey key) {
        return (N) get(key, Enum.class);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals")
    <U> U fromParsed(List<OptionString.Entry> options, boolean ignoreUnknown) {
        for (OptionString.Entry option : options) {
            MutableOptionKey key = builder.allKeys().get(option.key);
            if (key != null) {
                synchronized (values) {
                    values.put(key, parsed(key, option.value));
                }
            } else if (ignoreUnknown) {
                unknown.add(option);
            } else {
                throw new IllegalArgumentException("There is no option " + option.key);
            }
        }
        return self();
    }

    List<OptionString.Entry> getUnknown() {
        return List.copyOf(unknown);
    }

    private static Object parsed(MutableOptionKey key, OptionString.Value value) {
        if (!value.isList()) {
            throw new IllegalArgumentException(key.name() + " takes a simple value, not " + value);
        }
        try {
            return switch (key.getValueType()) {
                case DOUBLE -> Double.parseDouble(single(key, value));
                case LONG -> whole(single(key, value));
                case INT -> (int) whole(single(key, value));
                case BOOLEAN -> Boolean.parseBoolean(single(key, value));
                case INT_ARRAY -> some(value).stream().mapToInt(Integer::parseInt).toArray();
                case ENUM -> key.name().equals("prepopulate_blob_cache")
                        ? PrepopulateBlobCache.fromInternal(single(key, value))
                        : CompressionType.fromInternal(single(key, value));
                case STRING -> String.join(ARRAY_SEPARATOR, some(value));
            };
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key.name() + " takes a number, not " + value, e);
        }
    }

    private static String single(MutableOptionKey key, OptionString.Value value) {
        if (value.list().size() != 1) {
            throw new IllegalArgumentException(key.name() + " takes one value, not '" + value + "'");
        }
        return value.list().getFirst();
    }

    /** Returns the values. As published, throws an {@link IndexOutOfBoundsException} if there are none. */
    private static List<String> some(OptionString.Value value) {
        Objects.checkIndex(0, value.list().size());
        return value.list();
    }

    /** Parses a whole number, which may be written as {@code 1e3}. As published, an int takes the lower half of a larger number. */
    private static long whole(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            double number = Double.parseDouble(text);
            long rounded = Math.round(number);
            if (rounded == number) {
                return rounded;
            }
            throw e;
        }
    }
}
