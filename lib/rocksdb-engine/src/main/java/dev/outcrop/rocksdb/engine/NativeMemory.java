package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** The memory that a database or a cache uses, in bytes. */
public record NativeMemory(long memTables, long unflushedMemTables, long tableReaders, long caches) {
    public static final NativeMemory NONE = new NativeMemory(0, 0, 0, 0);

    /** Returns the memory of a database. */
    public static NativeMemory ofDatabase(Scratch scratch, long db) {
        long consumers = CApi.rocksdb_memory_consumers_create();
        CApi.rocksdb_memory_consumers_add_db(consumers, db);
        return take(scratch, consumers);
    }

    /** Returns the memory of a cache. */
    public static NativeMemory ofCache(Scratch scratch, long cache) {
        long consumers = CApi.rocksdb_memory_consumers_create();
        CApi.rocksdb_memory_consumers_add_cache(consumers, cache);
        return take(scratch, consumers);
    }

    private static NativeMemory take(Scratch scratch, long consumers) {
        long usage = CApi.rocksdb_approximate_memory_usage_create(consumers, NativeCall.error(scratch));
        CApi.rocksdb_memory_consumers_destroy(consumers);
        if (scratch.word(NativeCall.ERROR) != 0) {
            return NONE;
        }
        NativeMemory read = new NativeMemory(CApi.rocksdb_approximate_memory_usage_get_mem_table_total(usage),
                CApi.rocksdb_approximate_memory_usage_get_mem_table_unflushed(usage),
                CApi.rocksdb_approximate_memory_usage_get_mem_table_readers_total(usage),
                CApi.rocksdb_approximate_memory_usage_get_cache_total(usage));
        CApi.rocksdb_approximate_memory_usage_destroy(usage);
        return read;
    }

    public NativeMemory plus(NativeMemory other) {
        return new NativeMemory(memTables + other.memTables, unflushedMemTables + other.unflushedMemTables,
                tableReaders + other.tableReaders, caches + other.caches);
    }
}
