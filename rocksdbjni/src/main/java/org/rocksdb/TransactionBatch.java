package org.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;

/**
 * The batch that a transaction writes to, as it is now. It ends with the transaction; closing it does nothing. Whoever uses the
 * transaction or this batch holds its monitor.
 */
final class TransactionBatch extends WriteBatchWithIndex {

    private final TransactionParts transaction;

    TransactionBatch(TransactionParts transaction, long nativeTransaction) {
        super(CApi.rocksdb_transaction_get_writebatch_wi(nativeTransaction));
        this.transaction = transaction;
        disOwnNativeHandle();
    }

    /** Also ends the transaction's own iterators, which point into it too. */
    @Override
    void clearRecords() {
        transaction.endIterators();
        super.clearRecords();
    }

    /** Called once, by whoever holds the monitor. */
    void endWithTransaction() {
        end(() -> {
        });
    }

    /** Only what points to the batch. */
    @Override
    void free(long handle) {
        CApi.rocksdb_free(handle);
    }
}
