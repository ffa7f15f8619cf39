package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeMemory;
import java.lang.ref.Reference;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The memory that databases and caches use, as RocksDB estimates it.
 *
 * @param memTables          bytes of all memtables, including memtables that are flushed and still in use
 * @param unflushedMemTables bytes of the memtables that are not flushed yet
 * @param tableReaders       bytes of data about open table files outside of caches, such as filters and indexes
 * @param caches             bytes of entries in the caches
 */
public record MemoryUsage(long memTables, long unflushedMemTables, long tableReaders, long caches) {

    /**
     * Returns the memory that some databases and caches use together. Duplicates count once.
     *
     * @param databases open databases
     * @param caches    caches, of these databases or not
     * @return the sums
     * @throws RocksDBException      if RocksDB fails
     * @throws IllegalStateException if one of the databases is closed
     */
    public static MemoryUsage of(Collection<RocksDB> databases, Collection<Cache> caches) {
        ApiCall.requireElements("databases", databases);
        ApiCall.requireElements("caches", caches);
        NativeMemory sum = NativeMemory.NONE;
        for (RocksDB each : distinct(databases)) {
            OpenDatabase database = each.database();
            try (Scratch scratch = database.enterForRead()) {
                sum = sum.plus(NativeMemory.ofDatabase(scratch, database.db));
                ApiCall.check(scratch);
            }
        }
        for (Cache cache : distinct(caches)) {
            try (Scratch scratch = ApiCall.scratch()) {
                sum = sum.plus(NativeMemory.ofCache(scratch, cache.address()));
                ApiCall.check(scratch);
            } finally {
                Reference.reachabilityFence(cache);
            }
        }
        return new MemoryUsage(sum.memTables(), sum.unflushedMemTables(), sum.tableReaders(), sum.caches());
    }

    private static <T> Set<T> distinct(Collection<T> objects) {
        Set<T> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
        distinct.addAll(objects);
        return distinct;
    }
}
