package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options of cuckoo tables: hash tables for keys and values of one length each, for reading single keys. Pass it to {@link
 * Options#cuckooTableFactory(CuckooTableOptions)}. Receivers copy the options, so they can be changed and used again. There is nothing to
 * close. Thread-safe.
 */
public final class CuckooTableOptions extends CuckooTableOptionsSetters {
    /** Makes RocksDB's default options. */
    public CuckooTableOptions() {
        super(CApi::rocksdb_cuckoo_options_create, CApi::rocksdb_cuckoo_options_destroy);
    }
}
