package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The live batch of a transaction. It ends with the transaction; closing it does nothing. Threads that use the transaction or this batch
 * hold the monitor of this batch.
 */
final class TransactionBatch extends WriteBatchWithIndex {

    TransactionBatch(long nativeTransaction) {
        super(NativeTransaction.batchHolder(nativeTransaction));
        disOwnNativeHandle();
    }

    /**
     * Returns whether the batch begins with the record that RocksDB overwrites when it prepares the transaction. RocksDB does not check
     * this.
     */
    boolean canBePrepared(Scratch scratch) {
        MemorySegment records = NativeWriteBatchWithIndex.data(scratch, nativeHandle_);
        return records.byteSize() > BatchFormat.HEADER
                && records.get(ValueLayout.JAVA_BYTE, BatchFormat.HEADER) == BatchFormat.NOOP;
    }

    /** Ends the batch. Called once, by a thread that holds the monitor. */
    void endWithTransaction() {
        end(() -> {
        });
    }

    /** Frees only the structure that points to the batch. */
    @Override
    void free(long handle) {
        NativeHeap.free(handle);
    }
}
