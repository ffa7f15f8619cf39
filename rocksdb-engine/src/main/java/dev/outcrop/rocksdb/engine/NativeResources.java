package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Calls of what databases share: caches, rate limiters, and managers of memory and files. */
public final class NativeResources {
    private NativeResources() {
    }

    public static void destroyCache(long cache) {
        CApi.rocksdb_cache_destroy(cache);
    }

    public static long newRateLimiter(long bytesPerSecond, long refillMicros, int fairness, int mode,
            boolean isAutoTuned) {
        return CApi.rocksdb_ratelimiter_create_with_mode(bytesPerSecond, refillMicros, fairness, mode, isAutoTuned);
    }

    public static long newWriteBufferManager(long bufferSize, long cache, boolean allowStall) {
        return CApi.rocksdb_write_buffer_manager_create_with_cache(bufferSize, cache, allowStall);
    }

    public static void setAllowStall(long writeBufferManager, boolean allowStall) {
        CApi.rocksdb_write_buffer_manager_set_allow_stall(writeBufferManager, allowStall);
    }

    public static void destroyWriteBufferManager(long writeBufferManager) {
        CApi.rocksdb_write_buffer_manager_destroy(writeBufferManager);
    }

    public static long newFileManager(long env) {
        return CApi.rocksdb_sst_file_manager_create(env);
    }

    /** Sets how fast files are deleted. One thread at a time: two at once may start two threads, which ends the process. */
    public static void setDeleteRate(long fileManager, long bytesPerSecond) {
        CApi.rocksdb_sst_file_manager_set_delete_rate_bytes_per_second(fileManager, bytesPerSecond);
    }

    public static void setMaxTrashRatio(long fileManager, double ratio) {
        CApi.rocksdb_sst_file_manager_set_max_trash_db_ratio(fileManager, ratio);
    }
}
