package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for a compaction in another process than the one that has the database open. Cannot be changed once in use. There is nothing to
 * close. Thread-safe.
 */
public final class OpenAndCompactOptions extends OpenAndCompactOptionsSetters {
    /** Makes RocksDB's default options. */
    public OpenAndCompactOptions() {
        super(CApi::rocksdb_open_and_compact_options_create, CApi::rocksdb_open_and_compact_options_destroy);
    }

    /**
     * Allows canceling the compaction while it runs.
     *
     * @param cancellation the object that cancels it; for one or more compactions
     * @return this object
     */
    public synchronized OpenAndCompactOptions canceled(Cancellation cancellation) {
        CApi.rocksdb_open_and_compact_options_set_canceled(changing(), cancellation.address());
        owned.keep("canceled", cancellation);
        return this;
    }
}
