package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Makes and frees the two kinds of pins; 0 is none. */
public final class NativePins {
    private NativePins() {
    }

    /** Pins a value: a {@code rocksdb_pinnable_handle_t *}. */
    static long handle(long db, long options, long family, MemorySegment key, long keyLength, long error) {
        return CApi.rocksdb_get_pinned_cf_v2(db, options, family, key, keyLength, error);
    }

    /** Pins a value: a {@code rocksdb_pinnableslice_t *}. */
    static long slice(long db, long options, long family, MemorySegment key, long keyLength, long error) {
        return CApi.rocksdb_get_pinned_cf(db, options, family, key, keyLength, error);
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
