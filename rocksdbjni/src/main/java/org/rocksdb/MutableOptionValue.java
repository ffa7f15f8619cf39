package org.rocksdb;

/**
 * The value of an option that can be changed while the database is open.
 *
 * @param <T> its type
 */
public abstract class MutableOptionValue<T> {

    /** For subclasses. */
    public MutableOptionValue() {
    }
}
