package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;

/** What differs between a plain database and one with transactions, once it is open. */
interface DatabaseKind {
    /** A plain one. */
    DatabaseKind PLAIN = new DatabaseKind() {
        @Override
        public KeyValueWriter writer(Family family, WriteOptions options) {
            return new Writes(family, options);
        }

        @Override
        public void close(long db) {
            CApi.rocksdb_close(db);
        }
    };

    /** A writer that does what this kind needs beside writing, such as locking keys. */
    KeyValueWriter writer(Family family, WriteOptions options);

    /** A reader, likewise. */
    default KeyValueReader reader(Family family, ReadOptions options) {
        return new Reads(family, options);
    }

    /** Creates a column family; returns its handle, or sets the error. */
    default long createColumnFamily(long db, long options, MemorySegment name, long error) {
        return CApi.rocksdb_create_column_family(db, options, name, error);
    }

    /** Makes a snapshot. */
    default long createSnapshot(long db) {
        return CApi.rocksdb_create_snapshot(db);
    }

    /** Releases a snapshot. */
    default void releaseSnapshot(long db, long snapshot) {
        CApi.rocksdb_release_snapshot(db, snapshot);
    }

    /** Closes the native database, whose family handles have gone before. */
    void close(long db);
}
