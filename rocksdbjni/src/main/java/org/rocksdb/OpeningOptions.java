package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;

/** A native copy of options to open something with, which was checked and which no other thread can change. */
final class OpeningOptions implements AutoCloseable {

    final long handle;

    OpeningOptions(RocksObject options) throws RocksDBException {
        try (Scratch _ = options.use()) {
            handle = CApi.rocksdb_options_create_copy(options.nativeHandle_);
        }
        try {
            Ranges.checkOptions(handle);
        } catch (RocksDBException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        CApi.rocksdb_options_destroy(handle);
    }
}
