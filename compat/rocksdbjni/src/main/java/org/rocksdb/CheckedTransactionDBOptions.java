package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** A checked native copy of {@code TransactionDBOptions} for opening a database, which no other thread can change. */
final class CheckedTransactionDBOptions implements AutoCloseable {

    private static final long MOST_STRIPES = 1 << 22;

    private final TransactionDBOptions copy = new TransactionDBOptions();
    final long handle = copy.nativeHandle_;

    CheckedTransactionDBOptions(TransactionDBOptions options) {
        try (Scratch scratch = options.use()) {
            TransactionDBOptions.replay(scratch, options.nativeHandle_, handle);
            // RocksDB allocates this many stripes for each family. 0 means 1.
            OptionChecks.check("numStripes", copy.getNumStripes(), 0, MOST_STRIPES);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Completes a database that was opened with these options. */
    TransactionDB of(TransactionDB database) {
        database.state_.neverTails = copy.getWritePolicy() != TxnDBWritePolicy.WRITE_COMMITTED;
        return database;
    }

    @Override
    public void close() {
        copy.close();
    }
}
