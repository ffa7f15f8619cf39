package dev.outcrop.rocksdb;

/** The lock that a transaction takes for a key that it reads. */
public enum LockMode {
    /** No other transaction may read the key for update or write it. */
    EXCLUSIVE,
    /** Others may read the key for update as well, but not write it. */
    SHARED
}
