package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** A native copy of options to open a database with transactions with, which was checked and which no other thread can change. */
final class LockingOptions implements AutoCloseable {

    private static final long MOST_STRIPES = 1 << 20;

    private final TransactionDBOptions copy = new TransactionDBOptions();
    final long handle = copy.nativeHandle_;

    LockingOptions(TransactionDBOptions options) {
        try (Scratch scratch = options.use()) {
            TransactionDBOptions.replay(scratch, options.nativeHandle_, handle);
            // RocksDB divides by it, and takes memory for as many.
            Ranges.check("numStripes", copy.getNumStripes(), 1, MOST_STRIPES);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Says how a database writes that was opened with these. */
    TransactionDB of(TransactionDB database) {
        database.parts_.neverTails = copy.getWritePolicy() != TxnDBWritePolicy.WRITE_COMMITTED;
        return database;
    }

    @Override
    public void close() {
        copy.close();
    }
}
