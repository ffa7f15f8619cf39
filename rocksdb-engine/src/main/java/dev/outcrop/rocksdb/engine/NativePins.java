package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Frees the two kinds of pins; 0 is none. */
public final class NativePins {
    private NativePins() {
    }

    /** Frees a {@code rocksdb_pinnableslice_t *}. */
    public static void destroySlice(long slice) {
        CApi.rocksdb_pinnableslice_destroy(slice);
    }

    /** Frees a {@code rocksdb_pinnable_handle_t *}. */
    public static void destroyHandle(long handle) {
        CApi.rocksdb_pinnable_handle_destroy(handle);
    }
}
