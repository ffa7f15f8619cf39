package org.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Collectors;

/** Options that can be changed while the database is open, as names and values. */
public class AbstractMutableOptions {

    /** Between two options. */
    protected static final String KEY_VALUE_PAIR_SEPARATOR = ";";
    /** Between name and value. */
    protected static final char KEY_VALUE_SEPARATOR = '=';
    private static final String ARRAY_SEPARATOR = ":";

    /** The names. */
    protected final String[] keys;
    private final String[] values;

    /**
     * For subclasses.
     *
     * @param keys   the names
     * @param values as many values
     */
    protected AbstractMutableOptions(String[] keys, String[] values) {
        this.keys = keys;
        this.values = values;
    }

    String[] getKeys() {
        return keys;
    }

    String[] getValues() {
        return values;
    }

    @Override
    public String toString() {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            pairs.add(keys[i] + KEY_VALUE_SEPARATOR + values[i]);
        }
        return String.join(KEY_VALUE_PAIR_SEPARATOR, pairs);
    }

    /**
     * Collects options.
     *
     * @param <T> what is built
     * @param <U> the builder itself
     * @param <K> the names of options
     */
    public abstract static class AbstractMutableOptionsBuilder<T extends AbstractMutableOptions,
            U extends AbstractMutableOptionsBuilder<T, U, K>, K extends MutableOptionKey> {

        private final Map<K, Object> options = new LinkedHashMap<>();
        private final List<OptionString.Entry> unknown = new ArrayList<>();

        /** For subclasses. */
        public AbstractMutableOptionsBuilder() {
        }

        /**
         * This builder with its own type.
         *
         * @return this
         */
        protected abstract U self();

        /**
         * All options there are.
         *
         * @return keys by name
         */
        protected abstract Map<String, K> allKeys();

        /**
         * Makes the options.
         *
         * @param keys   names
         * @param values as many values
         * @return the options
         */
        protected abstract T build(String[] keys, String[] values);

        /**
         * Makes options of what was set.
         *
         * @return the options
         */
        public T build() {
            Map<K, Object> set;
            synchronized (options) {
                set = new LinkedHashMap<>(options);
            }
            return build(set.keySet().stream().map(MutableOptionKey::name).toArray(String[]::new),
                    set.values().stream().map(AbstractMutableOptionsBuilder::text).toArray(String[]::new));
        }

        private static String text(Object value) {
            return value instanceof int[] array
                    ? Arrays.stream(array).mapToObj(Integer::toString).collect(Collectors.joining(ARRAY_SEPARATOR))
                    : value.toString();
        }

        private U set(K key, Object value) {
            Objects.requireNonNull(value, () -> key.name() + " must not be null");
            synchronized (options) {
                options.put(key, value);
            }
            return self();
        }

        private Object get(K key) {
            Object value;
            synchronized (options) {
                value = options.get(key);
            }
            if (value == null) {
                throw new NoSuchElementException(key.name() + " has not been set");
            }
            return value;
        }

        private RuntimeException otherType(K key, Object value) {
            return new NumberFormatException(key.name() + " is " + text(value) + ", which is no " + key.getValueType());
        }

        /**
         * Sets an option.
         *
         * @param key   which
         * @param value its value
         * @return this
         */
        protected U setDouble(K key, double value) {
            requireType(key, MutableOptionKey.ValueType.DOUBLE);
            return set(key, value);
        }

        /**
         * What an option was set to.
         *
         * @param key which
         * @return its value
         * @throws NoSuchElementException if it was not set
         * @throws NumberFormatException  if it is no number
         */
        protected double getDouble(K key) throws NoSuchElementException, NumberFormatException {
            return number(key).doubleValue();
        }

        /**
         * Sets an option.
         *
         * @param key   which
         * @param value its value
         * @return this
         */
        protected U setLong(K key, long value) {
            requireType(key, MutableOptionKey.ValueType.LONG);
            return set(key, value);
        }

        /**
         * What an option was set to.
         *
         * @param key which
         * @return its value
         * @throws NoSuchElementException if it was not set
         * @throws NumberFormatException  if it is no number
         */
        protected long getLong(K key) throws NoSuchElementException, NumberFormatException {
            return number(key).longValue();
        }

        /**
         * Sets an option.
         *
         * @param key   which
         * @param value its value
         * @return this
         */
        protected U setInt(K key, int value) {
            requireType(key, MutableOptionKey.ValueType.INT);
            return set(key, value);
        }

        /**
         * What an option was set to.
         *
         * @param key which
         * @return its value
         * @throws NoSuchElementException if it was not set
         * @throws NumberFormatException  if it is no number
         */
        protected int getInt(K key) throws NoSuchElementException, NumberFormatException {
            return number(key).intValue();
        }

        /**
         * Sets an option.
         *
         * @param key   which
         * @param value its value
         * @return this
         */
        protected U setBoolean(K key, boolean value) {
            requireType(key, MutableOptionKey.ValueType.BOOLEAN);
            return set(key, value);
        }

        /**
         * What an option was set to.
         *
         * @param key which
         * @return its value
         * @throws NoSuchElementException if it was not set
         * @throws NumberFormatException  if it is neither true nor false
         */
        protected boolean getBoolean(K key) throws NoSuchElementException, NumberFormatException {
            Object value = get(key);
            if (value instanceof Boolean flag) {
                return flag;
            }
            throw otherType(key, value);
        }

        /**
         * Sets an option.
         *
         * @param key   which
         * @param value its value
         * @return this
         */
        protected U setIntArray(K key, int[] value) {
            requireType(key, MutableOptionKey.ValueType.INT_ARRAY);
            return set(key, value);
        }

        /**
         * What an option was set to.
         *
         * @param key which
         * @return its value
         * @throws NoSuchElementException if it was not set
         * @throws NumberFormatException  if it is no list of numbers
         */
        protected int[] getIntArray(K key) throws NoSuchElementException, NumberFormatException {
            Object value = get(key);
            if (value instanceof int[] array) {
                return array;
            }
            throw otherType(key, value);
        }

        /**
         * Sets an option.
         *
         * @param key   which
         * @param value its value
         * @return this
         */
        protected U setString(K key, String value) {
            requireType(key, MutableOptionKey.ValueType.STRING);
            return set(key, value);
        }

        /**
         * What an option was set to.
         *
         * @param key which
         * @return its value
         */
        protected String getString(K key) {
            return text(get(key));
        }

        /**
         * Sets an option.
         *
         * @param <N>   the type of its value
         * @param key   which
         * @param value its value
         * @return this
         */
        protected <N extends Enum<N>> U setEnum(K key, N value) {
            requireType(key, MutableOptionKey.ValueType.ENUM);
            return set(key, value);
        }

        /**
         * What an option was set to.
         *
         * @param <N> the type of its value
         * @param key which
         * @return its value
         * @throws NoSuchElementException if it was not set
         * @throws NumberFormatException  if it is of another type
         */
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as published
        protected <N extends Enum<N>> N getEnum(K key) throws NoSuchElementException, NumberFormatException {
            Object value = get(key);
            if (value instanceof Enum<?>) {
                return (N) value;
            }
            throw otherType(key, value);
        }

        /**
         * Sets options that were read from a text.
         *
         * @param options       names and values
         * @param ignoreUnknown whether unknown names are kept for {@link #getUnknown} instead of being refused
         * @return this
         */
        protected U fromParsed(List<OptionString.Entry> options, boolean ignoreUnknown) {
            for (OptionString.Entry option : options) {
                K key = allKeys().get(option.key);
                if (key != null) {
                    this.options.put(key, parsed(key, option.value));
                } else if (ignoreUnknown) {
                    unknown.add(option);
                } else {
                    throw new IllegalArgumentException("There is no option " + option.key);
                }
            }
            return self();
        }

        /**
         * Options of a parsed text that nobody knows.
         *
         * @return names and values
         */
        public List<OptionString.Entry> getUnknown() {
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

        /** As published, an {@link IndexOutOfBoundsException} if there is nothing. */
        private static List<String> some(OptionString.Value value) {
            Objects.checkIndex(0, value.list().size());
            return value.list();
        }

        /** A whole number, which may be written as {@code 1e3}. As published, one that is too large for an int loses its upper half. */
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

        private Number number(K key) {
            Object value = get(key);
            if (value instanceof Number number) {
                return number;
            }
            throw otherType(key, value);
        }

        private static void requireType(MutableOptionKey key, MutableOptionKey.ValueType type) {
            if (key.getValueType() != type) {
                throw new IllegalArgumentException(
                        key + " does not accept a " + type.name().toLowerCase(java.util.Locale.ROOT) + " value");
            }
        }
    }
}
