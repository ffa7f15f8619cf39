package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;

/**
 * The batch that a transaction writes to, as it is now. It ends with the transaction; closing it does nothing. A thread that uses the
 * transaction or this batch holds its monitor.
 */
final class TransactionBatch extends WriteBatchWithIndex {

    TransactionBatch(long nativeTransaction) {
        super(CApi.rocksdb_transaction_get_writebatch_wi(nativeTransaction));
        disOwnNativeHandle();
    }

    /** Whether it begins with the record that RocksDB writes over when it prepares the transaction; it does not look what is there. */
    boolean canBePrepared(Scratch scratch) {
        long records = CApi.rocksdb_writebatch_wi_data(nativeHandle_, scratch.wordAddress(0)) + BatchFormat.HEADER;
        return scratch.word(0) > BatchFormat.HEADER
                && NativeCalls.view(records, 1).get(ValueLayout.JAVA_BYTE, 0) == BatchFormat.NOOP;
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
