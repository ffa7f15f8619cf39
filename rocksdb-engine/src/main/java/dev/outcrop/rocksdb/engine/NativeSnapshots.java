package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Calls of snapshots. */
public final class NativeSnapshots {
    private NativeSnapshots() {
    }

    /** Makes a snapshot; 0 if the database makes none. */
    public static long create(long db) {
        return CApi.rocksdb_create_snapshot(db);
    }

    public static void release(long db, long snapshot) {
        CApi.rocksdb_release_snapshot(db, snapshot);
    }

    public static long sequenceNumber(long snapshot) {
        return CApi.rocksdb_snapshot_get_sequence_number(snapshot);
    }
}
