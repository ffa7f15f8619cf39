package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;

/** The tables of hyper clock caches: RocksDB reserves addresses for all entries at once, and ends the process where there are none left. */
public final class ClockTables {
    /** The greatest capacity of a cache. */
    public static final long MOST_BYTES = 1L << 42;
    /** The greatest number of slots of a table with a fixed size, 4 GiB. */
    public static final long MOST_SLOTS = 1L << 26;
    /** Each part is a mapping of memory of its own, of which a process has 65,530. */
    public static final int MOST_SHARD_BITS = 10;

    private static final long SLOT_BYTES = 64;
    /** What RocksDB takes an entry for at least, with its slot, when it reserves addresses for a table that grows. */
    private static final long LEAST_CHARGE = 300;

    private ClockTables() {
    }

    /**
     * Checks that the system would give the memory for a table. It is asked for as much by malloc, which says so.
     *
     * @param capacity of the cache, in bytes
     * @param slots    of a table with a fixed size; 0 for one that grows
     * @throws IllegalArgumentException if the system has not got so much
     */
    public static void requireMemory(long capacity, long slots) {
        long bytes = Math.max(2 * slots * SLOT_BYTES, capacity / LEAST_CHARGE * SLOT_BYTES);
        try (Scratch scratch = Scratch.open()) {
            scratch.allocate(bytes, SLOT_BYTES);
        } catch (OutOfMemoryError e) {
            throw new IllegalArgumentException("The system has no memory for the table of a cache of " + capacity
                    + " bytes, which would take " + bytes, e);
        }
    }
}
