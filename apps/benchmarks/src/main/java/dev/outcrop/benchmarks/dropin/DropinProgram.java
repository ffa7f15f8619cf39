package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Side;

/** The repeated work of one of the two libraries on a database. This interface is loaded once, unlike its implementations. */
public interface DropinProgram {
    /** Returned by a program that does not lend its database. */
    long NOT_LENT = 0;

    /**
     * Opens the database: with all keys if the program reads, and empty if it writes. If the program writes, this method is called again to
     * start with an empty database. Takes the {@code rocksdb_t *} of an open database to use instead of its own, or {@link #NOT_LENT}.
     * Returns the {@code rocksdb_t *} of a database that others can use too, or {@link #NOT_LENT}.
     */
    long open(long lent) throws Exception;

    /**
     * Returns the work of one thread. Its seed is the seed of the keys; in a program that writes to a shared database, it is the first key.
     */
    Side.Work work(int operations);
}
