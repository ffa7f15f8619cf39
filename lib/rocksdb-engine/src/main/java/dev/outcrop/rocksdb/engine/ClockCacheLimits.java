package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;

/** The limits of hyper clock caches. RocksDB reserves addresses for all entries at once, and ends the process if that fails. */
public final class ClockCacheLimits {
    /** The greatest capacity of a cache. */
    public static final long MOST_BYTES = 1L << 42;
    /** The greatest number of slots of a table with a fixed size: 4 GiB. */
    public static final long MOST_SLOTS = 1L << 26;
    /** Each shard is a mapping of memory, and a process may have 65,530 mappings. */
    public static final int MOST_SHARD_BITS = 10;

    private static final long SLOT_BYTES = 64;
    /** The least size of an entry, including its slot. RocksDB assumes it when it reserves addresses for a growing table. */
    private static final long LEAST_CHARGE = 300;

    private ClockCacheLimits() {
    }

    /**
     * Checks that the system has the memory for a table, by allocating that much.
     *
     * @param capacity of the cache, in bytes
     * @param slots    of a table with a fixed size; 0 for a table that grows
     * @throws IllegalArgumentException if the system has less
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
