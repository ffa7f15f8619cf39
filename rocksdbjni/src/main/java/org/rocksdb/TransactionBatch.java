package org.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;

/**
 * The batch that a transaction writes to, as it is now. It ends with the transaction; closing it does nothing. A thread that uses the
 * transaction or this batch holds its monitor.
 */
final class TransactionBatch extends WriteBatchWithIndex {

    TransactionBatch(long nativeTransaction) {
        super(CApi.rocksdb_transaction_get_writebatch_wi(nativeTransaction));
        disOwnNativeHandle();
    }

    /** Called once, by a thread that holds the monitor. */
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
