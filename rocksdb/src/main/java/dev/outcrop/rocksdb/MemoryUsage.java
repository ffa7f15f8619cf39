package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.ref.Reference;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;

/**
 * How much memory databases and caches use, as RocksDB estimates it.
 *
 * @param memTables          bytes of all memtables, also those that are flushed and still in use
 * @param unflushedMemTables bytes of the memtables that are not flushed yet
 * @param tableReaders       bytes of what is known about open table files and is not in a cache, such as filters and indexes
 * @param caches             bytes of what is in the caches
 */
public record MemoryUsage(long memTables, long unflushedMemTables, long tableReaders, long caches) {

    /**
     * Asks for the memory that some databases and caches use together. What is given twice counts once.
     *
     * @param databases open databases
     * @param caches    caches, of these databases or not
     * @return the sums
     * @throws RocksDBException      if RocksDB fails
     * @throws IllegalStateException if one of the databases is closed
     */
    public static MemoryUsage of(Collection<RocksDB> databases, Collection<Cache> caches) {
        Objects.requireNonNull(databases, "databases");
        Objects.requireNonNull(caches, "caches");
        MemoryUsage sum = new MemoryUsage(0, 0, 0, 0);
        for (RocksDB database : distinct(databases)) {
            Store store = database.store();
            try (Scratch scratch = store.enterToLook()) {
                sum = sum.plus(ask(scratch, consumers -> CApi.rocksdb_memory_consumers_add_db(consumers, store.db)));
            }
        }
        for (Cache cache : distinct(caches)) {
            try (Scratch scratch = Native.scratch()) {
                sum = sum.plus(ask(scratch,
                        consumers -> CApi.rocksdb_memory_consumers_add_cache(consumers, cache.address())));
            } finally {
                Reference.reachabilityFence(cache);
            }
        }
        return sum;
    }

    private static <T> Set<T> distinct(Collection<T> objects) {
        Set<T> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        distinct.addAll(objects);
        return distinct;
    }

    /** Adds one consumer to the native list of them. */
    private interface Consumer {
        void addTo(long consumers);
    }

    private static MemoryUsage ask(Scratch scratch, Consumer consumer) {
        long consumers = CApi.rocksdb_memory_consumers_create();
        try {
            consumer.addTo(consumers);
            long usage = CApi.rocksdb_approximate_memory_usage_create(consumers, Native.error(scratch));
            Native.check(scratch);
            MemoryUsage read = new MemoryUsage(CApi.rocksdb_approximate_memory_usage_get_mem_table_total(usage),
                    CApi.rocksdb_approximate_memory_usage_get_mem_table_unflushed(usage),
                    CApi.rocksdb_approximate_memory_usage_get_mem_table_readers_total(usage),
                    CApi.rocksdb_approximate_memory_usage_get_cache_total(usage));
            CApi.rocksdb_approximate_memory_usage_destroy(usage);
            return read;
        } finally {
            CApi.rocksdb_memory_consumers_destroy(consumers);
        }
    }

    private MemoryUsage plus(MemoryUsage other) {
        return new MemoryUsage(memTables + other.memTables, unflushedMemTables + other.unflushedMemTables,
                tableReaders + other.tableReaders, caches + other.caches);
    }
}
