package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeWork;

/**
 * How to write what is in memory into table files. Once in use it cannot be changed any more. There is nothing to close.
 * Thread-safe.
 */
public final class FlushOptions extends FlushOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public FlushOptions() {
        super(NativeWork::newFlushOptions, NativeWork::destroyFlushOptions);
    }
}
