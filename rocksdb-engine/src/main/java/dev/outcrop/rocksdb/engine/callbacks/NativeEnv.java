package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Calls of environments. All have the same pools of threads. */
public final class NativeEnv {
    private NativeEnv() {
    }

    public static long ofSystem() {
        return CApi.rocksdb_create_default_env();
    }

    public static long inMemory() {
        return CApi.rocksdb_create_mem_env();
    }

    public static void destroy(long env) {
        CApi.rocksdb_env_destroy(env);
    }

    public static int lowThreads(long env) {
        return CApi.rocksdb_env_get_low_priority_background_threads(env);
    }

    public static int highThreads(long env) {
        return CApi.rocksdb_env_get_high_priority_background_threads(env);
    }

    public static int bottomThreads(long env) {
        return CApi.rocksdb_env_get_bottom_priority_background_threads(env);
    }

    public static void setLowThreads(long env, int threads) {
        CApi.rocksdb_env_set_low_priority_background_threads(env, threads);
    }

    public static void setHighThreads(long env, int threads) {
        CApi.rocksdb_env_set_high_priority_background_threads(env, threads);
    }

    public static void setBottomThreads(long env, int threads) {
        CApi.rocksdb_env_set_bottom_priority_background_threads(env, threads);
    }
}
