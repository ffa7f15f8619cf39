package org.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;

/**
 * The snapshot of a transaction. It ends when the transaction gets another snapshot or clears it. {@link RocksDB#releaseSnapshot} refuses
 * it.
 */
final class TransactionSnapshot extends Snapshot {

    TransactionSnapshot(RocksDB database, long nativeHandle) {
        super(database, nativeHandle);
    }

    /** Ends the snapshot, and waits until no read uses it, even if another thread has begun to end it. */
    synchronized void endAndAwait() {
        end();
    }

    /** Frees only the structure that points to the snapshot. */
    @Override
    void free(long handle) {
        NativeHeap.free(handle);
    }
}
