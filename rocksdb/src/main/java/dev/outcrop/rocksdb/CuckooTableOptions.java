package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How cuckoo tables are built: hash tables for keys and values of one length each, for reading single keys. Give it to {@link
 * Options#cuckooTableFactory(CuckooTableOptions)}. It is copied by what it is given to, and can be changed and used again.
 * There is nothing to close. Thread-safe.
 */
public final class CuckooTableOptions extends CuckooTableOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public CuckooTableOptions() {
        super(CApi::rocksdb_cuckoo_options_create, CApi::rocksdb_cuckoo_options_destroy);
    }
}
