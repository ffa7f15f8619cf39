package org.rocksdb;

/**
 * Takes a value out of a method that returns another one.
 *
 * @param <T> the value's type
 */
public class Holder<T> {

    private T value;

    /** Without a value. */
    public Holder() {
    }

    /**
     * With a value.
     *
     * @param value the value
     */
    public Holder(T value) {
        this.value = value;
    }

    /**
     * The value.
     *
     * @return null if there is none
     */
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
