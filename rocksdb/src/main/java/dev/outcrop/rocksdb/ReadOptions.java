package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;

/**
 * How to read. Set what differs from the default, then give it to {@link RocksDB#with(ReadOptions)}; from then on it cannot be
 * changed, so that any number of threads may read with it. There is nothing to close.
 */
public final class ReadOptions extends ReadOptionsSetters {
    static final ReadOptions DEFAULT = new ReadOptions();

    private final OwnedOptions owned;
    private boolean used;

    /** Makes RocksDB's default read options. */
    public ReadOptions() {
        this.owned = new OwnedOptions(this, CApi.rocksdb_readoptions_create(), CApi::rocksdb_readoptions_destroy);
    }

    /** The native options for reading with; no setter changes them any more. Valid while this object is reachable. */
    synchronized long use() {
        used = true;
        return owned.address();
    }

    @Override
    long changing() {
        if (used) {
            throw new IllegalStateException("These read options are in use and cannot be changed any more;"
                    + " make new ones with new ReadOptions()");
        }
        return owned.address();
    }

    @Override
    long reading() {
        return owned.address();
    }
}
