package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;

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

    /** Closes the native database, whose family handles have gone before. */
    void close(long db);
}
