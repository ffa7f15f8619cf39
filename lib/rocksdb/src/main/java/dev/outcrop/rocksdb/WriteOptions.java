package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeReadOptions;

/**
 * Options for writing. Set what differs from the default, then pass the options to {@link RocksDB#with(WriteOptions)}. From then on they
 * cannot be changed, so any number of threads may write with them. There is nothing to close.
 */
public final class WriteOptions extends WriteOptionsSetters {
    /** Makes RocksDB's default write options. */
    public WriteOptions() {
        super(NativeReadOptions::newWriteOptions, NativeReadOptions::destroyWriteOptions);
    }
}
