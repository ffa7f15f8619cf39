package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** An allocator for the memory of caches. There is nothing to close. Thread-safe. */
public final class MemoryAllocator extends SharedObject {
    private MemoryAllocator() {
        super(MemoryAllocator::createJemallocNodump, CApi::rocksdb_memory_allocator_destroy);
    }

    /**
     * Makes an allocator that keeps its memory out of core dumps, so that these stay small.
     *
     * @return the allocator
     * @throws RocksDBException if the native library was built without jemalloc, as the published one is
     */
    public static MemoryAllocator jemallocNodump() {
        return new MemoryAllocator();
    }

    private static long createJemallocNodump() {
        try (Scratch scratch = ApiCall.scratch()) {
            long allocator = CApi.rocksdb_jemalloc_nodump_allocator_create(ApiCall.error(scratch));
            try {
                ApiCall.check(scratch);
            } catch (RocksDBException e) {
                // The C API returns an object without an allocator in it, and RocksDB would use it as an allocator.
                CApi.rocksdb_memory_allocator_destroy(allocator);
                throw e;
            }
            return allocator;
        }
    }
}
