package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeReadOptions;

/**
 * Options for writing. Set what differs from the default, then give it to {@link RocksDB#with(WriteOptions)}; from then on it cannot be
 * changed, so that any number of threads may write with it. There is nothing to close.
 */
public final class WriteOptions extends WriteOptionsSetters {
    /** Makes RocksDB's default write options. */
    public WriteOptions() {
        super(NativeReadOptions::newWriteOptions, NativeReadOptions::destroyWriteOptions);
    }
}
