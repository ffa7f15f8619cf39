package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Side;

/** What one of the two libraries does with a database, over and over. Loaded once, unlike its implementations. */
public interface Program {
    /** Returned by a program that does not lend its database. */
    long NOT_LENT = 0;

    /**
     * Opens the database, with all keys if the program reads and empty if it writes. A program that writes is called
     * again, for an empty one instead.
     *
     * @param lent the {@code rocksdb_t *} of an open database, which is used instead of one of its own; or
     *             {@link #NOT_LENT}
     * @return the {@code rocksdb_t *} of the database, for others to use too; or {@link #NOT_LENT}
     * @throws Exception if that fails
     */
    long open(long lent) throws Exception;

    /**
     * What a thread does.
     *
     * @param operations how many times for each run
     * @return its work; the seed is that of its keys, or, in a program that writes to a database that others use too, the
     *         first key
     */
    Side.Work work(int operations);
}
