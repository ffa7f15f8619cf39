package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.callbacks.NativeEnv;

/**
 * An empty database in memory without statistics. An iterator over it and an index shows the index alone. It is opened when first needed,
 * and never closed.
 */
final class EmptyDatabase {
    private static final String OPTIONS = "create_if_missing=true;stats_dump_period_sec=0;stats_persist_period_sec=0;"
            + "write_buffer_size=65536;arena_block_size=4096;";

    private static volatile long handle;

    private EmptyDatabase() {
    }

    static long handle(Scratch scratch) throws RocksDBException {
        long opened = handle;
        return opened == 0 ? open(scratch) : opened;
    }

    private static synchronized long open(Scratch scratch) throws RocksDBException {
        if (handle != 0) {
            return handle;
        }
        long options = NativeDbOptions.create();
        try {
            NativeDbOptions.parse(options, NativeValues.text(scratch, OPTIONS), options,
                    Errors.place(scratch));
            Errors.check(scratch);
            NativeDbOptions.setEnv(options, NativeEnv.inMemory());
            long opened = NativeOpening.open(options, NativeValues.text(scratch, "/empty"), Errors.place(scratch));
            Errors.check(scratch);
            handle = opened;
            return opened;
        } finally {
            NativeDbOptions.destroy(options);
        }
    }
}
