package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;

/**
 * How to write. Set what differs from the default, then give it to {@link RocksDB#with(WriteOptions)}; from then on it cannot be
 * changed, so that any number of threads may write with it. There is nothing to close.
 */
public final class WriteOptions extends WriteOptionsSetters {
    private final NativeObject owned;
    private boolean used;

    /**
     * Makes RocksDB's default write options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public WriteOptions() {
        Native.requireLibrary();
        this.owned = new NativeObject(this, CApi.rocksdb_writeoptions_create(), CApi::rocksdb_writeoptions_destroy);
    }

    /** The native options for writing with; no setter changes them any more. Valid while this object is reachable. */
    synchronized long use() {
        used = true;
        return owned.address();
    }

    @Override
    long changing() {
        if (used) {
            throw new IllegalStateException("These write options are in use and cannot be changed any more;"
                    + " make new ones with new WriteOptions()");
        }
        return owned.address();
    }

    @Override
    long reading() {
        return owned.address();
    }
}
