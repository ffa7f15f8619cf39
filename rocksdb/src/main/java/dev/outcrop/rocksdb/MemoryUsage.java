package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * How much memory databases use, without their caches, as RocksDB estimates it.
 *
 * @param memTables          bytes of all memtables, also those that are flushed and still in use
 * @param unflushedMemTables bytes of the memtables that are not flushed yet
 * @param tableReaders       bytes of what is known about open table files and is not in a cache, such as filters and indexes
 */
public record MemoryUsage(long memTables, long unflushedMemTables, long tableReaders) {

    /**
     * Asks for the memory that some databases use together. One that is given twice counts once.
     *
     * @param databases open databases
     * @return the sums
     * @throws RocksDBException      if RocksDB fails
     * @throws IllegalStateException if one of the databases is closed
     */
    public static MemoryUsage of(Collection<RocksDB> databases) {
        MemoryUsage sum = new MemoryUsage(0, 0, 0);
        Set<RocksDB> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        distinct.addAll(databases);
        for (RocksDB database : distinct) {
            Store store = database.store();
            try (Scratch scratch = store.lifetime.enter()) {
                sum = sum.plus(ask(scratch, store));
            }
        }
        return sum;
    }

    private static MemoryUsage ask(Scratch scratch, Store store) {
        long consumers = CApi.rocksdb_memory_consumers_create();
        try {
            CApi.rocksdb_memory_consumers_add_db(consumers, store.db);
            long usage = CApi.rocksdb_approximate_memory_usage_create(consumers, Native.error(scratch));
            Native.check(scratch);
            MemoryUsage read = new MemoryUsage(CApi.rocksdb_approximate_memory_usage_get_mem_table_total(usage),
                    CApi.rocksdb_approximate_memory_usage_get_mem_table_unflushed(usage),
                    CApi.rocksdb_approximate_memory_usage_get_mem_table_readers_total(usage));
            CApi.rocksdb_approximate_memory_usage_destroy(usage);
            return read;
        } finally {
            CApi.rocksdb_memory_consumers_destroy(consumers);
        }
    }

    private MemoryUsage plus(MemoryUsage other) {
        return new MemoryUsage(memTables + other.memTables, unflushedMemTables + other.unflushedMemTables,
                tableReaders + other.tableReaders);
    }
}
