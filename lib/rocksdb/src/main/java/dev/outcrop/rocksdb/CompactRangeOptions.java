package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.Objects;

/** Options for compacting a range of keys. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class CompactRangeOptions extends CompactRangeOptionsSetters {
    /** Makes RocksDB's default options. */
    public CompactRangeOptions() {
        super(CApi::rocksdb_compactoptions_create, CApi::rocksdb_compactoptions_destroy);
    }

    /**
     * Sets the timestamp up to which older versions of a key need not be kept, in a column family with timestamps.
     *
     * @param timestamp as long as the timestamps of the column family; copied
     * @return this object
     */
    public synchronized CompactRangeOptions fullHistoryTsLow(byte[] timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        long options = changing();
        CApi.rocksdb_compactoptions_set_full_history_ts_low(options,
                owned.keepCopy("full_history_ts_low", timestamp), timestamp.length);
        return this;
    }
}
