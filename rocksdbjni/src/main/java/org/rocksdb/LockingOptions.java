package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** A native copy of options to open a database with transactions with, which was checked and which no other thread can change. */
final class LockingOptions implements AutoCloseable {

    private static final long MOST_STRIPES = 1 << 20;

    final long handle = CApi.rocksdb_transactiondb_options_create();

    LockingOptions(TransactionDBOptions options) {
        try (Scratch scratch = options.use()) {
            TransactionDBOptions.replay(scratch, options.nativeHandle_, handle);
            // RocksDB divides by it, and takes memory for as many.
            Ranges.check("numStripes", CApi.rocksdb_transactiondb_options_get_num_stripes(handle), 1, MOST_STRIPES);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Says how a database writes that was opened with these. */
    TransactionDB of(TransactionDB database) {
        database.parts_.neverTails = CApi
                .rocksdb_transactiondb_options_get_write_policy(handle) != TxnDBWritePolicy.WRITE_COMMITTED.toNative();
        return database;
    }

    @Override
    public void close() {
        CApi.rocksdb_transactiondb_options_destroy(handle);
    }
}
