package org.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.CMemory;

/**
 * The snapshot that a transaction has. It ends when the transaction gets another one or none; {@link RocksDB#releaseSnapshot} refuses it.
 */
final class TransactionSnapshot extends Snapshot {

    TransactionSnapshot(RocksDB database, long nativeHandle) {
        super(database, nativeHandle);
    }

    /** Returns when nobody uses it any longer, also if another thread has begun to end it. */
    synchronized void endAndAwait() {
        end();
    }

    /** Only what points to the snapshot. */
    @Override
    void free(long handle) {
        CMemory.free(handle);
    }
}
