package org.rocksdb;

/**
 * Holds an additional result of a method.
 *
 * @param <T> the value's type
 */
public class Holder<T> {

    private T value;

    /** Makes an empty holder. */
    public Holder() {
    }

    /**
     * Makes a holder with a value.
     *
     * @param value the value
     */
    public Holder(T value) {
        this.value = value;
    }

    /** {@return the value, or null} */
    public T getValue() {
        return value;
    }

    /**
     * Replaces the value.
     *
     * @param value the new one
     */
    public void setValue(T value) {
        this.value = value;
    }
}
