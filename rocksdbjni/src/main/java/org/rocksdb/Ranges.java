package org.rocksdb;

/** Refuses numbers with which RocksDB would end the process. */
final class Ranges {

    /** A process that cannot start as many ends. */
    static final int MOST_THREADS = 4096;

    static final int MOST_LEVELS = 1000;

    private Ranges() {
    }

    static long check(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " must be between " + least + " and " + most + ", not " + value);
        }
        return value;
    }
}
