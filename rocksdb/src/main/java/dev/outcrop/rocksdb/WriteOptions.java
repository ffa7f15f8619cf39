package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeReadOptions;

/**
 * How to write. Set what differs from the default, then give it to {@link RocksDB#with(WriteOptions)}; from then on it cannot be
 * changed, so that any number of threads may write with it. There is nothing to close.
 */
public final class WriteOptions extends WriteOptionsSetters {
    /**
     * Makes RocksDB's default write options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public WriteOptions() {
        super(NativeReadOptions::newWriteOptions, NativeReadOptions::destroyWriteOptions);
    }
}
