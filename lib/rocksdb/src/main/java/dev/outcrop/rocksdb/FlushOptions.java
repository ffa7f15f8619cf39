package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeBackgroundWork;

/** Options for flushing memtables into table files. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class FlushOptions extends FlushOptionsSetters {
    /** Makes RocksDB's default options. */
    public FlushOptions() {
        super(NativeBackgroundWork::newFlushOptions, NativeBackgroundWork::destroyFlushOptions);
    }
}
