package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeBackgroundWork;

/** Options for waiting for compactions. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class WaitForCompactOptions extends WaitForCompactOptionsSetters {
    /** Makes RocksDB's default options. */
    public WaitForCompactOptions() {
        super(NativeBackgroundWork::newWaitOptions, NativeBackgroundWork::destroyWaitOptions);
    }
}
