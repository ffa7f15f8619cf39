package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import java.lang.foreign.MemorySegment;

/**
 * Untracked writes and reads of transactions. C has no functions for them. In transactions with locks they differ from tracked ones only if
 * there is a snapshot. In optimistic transactions an untracked write only adds to the batch.
 */
final class UntrackedWrites {

    private UntrackedWrites() {
    }

    static void write(Scratch scratch, TransactionContext state, long handle, long family, byte tag, MemorySegment key,
            MemorySegment value) throws RocksDBException {
        if (!state.isIndexing()) {
            throw new UnsupportedOperationException("An optimistic transaction whose indexing is disabled cannot write"
                    + " without tracking: the C API of RocksDB has no function for it");
        }
        long batch = NativeTransaction.batchHolder(handle);
        try {
            WriteBatchWithIndex.add(scratch, tag, batch, family, key, value);
        } finally {
            NativeHeap.free(batch);
        }
        state.countWrite(tag);
    }

    /**
     * Refuses a key that the transaction does not track yet. This method reads the key for update, which tracks one more key if it was not
     * tracked, and rolls the read back.
     */
    static void requireTracked(Scratch scratch, TransactionContext state, long handle, long family, MemorySegment key)
            throws RocksDBException {
        long before = Transaction.jniGetNumKeys(state.object());
        state.setSavePoint();
        NativePins.destroySlice(NativeTransaction.pinForUpdate(handle, state.database().state_.readOptions, family,
                NativeCall.key(scratch, key), key.byteSize(), true, Errors.place(scratch)));
        boolean failed = scratch.word(NativeCall.ERROR) != 0;
        Errors.forget(scratch);
        boolean tracked = !failed && Transaction.jniGetNumKeys(state.object()) == before;
        state.rollbackToSavePoint(scratch, handle);
        Errors.check(scratch);
        if (!tracked) {
            throw new RocksDBException(new Status(Status.Code.InvalidArgument, Status.SubCode.None,
                    "assume_tracked is set but it is not tracked yet"));
        }
    }

    /**
     * Checks for errors of a call. If the error is a conflict for which an untracked call should not look, throws an exception that says
     * so.
     */
    static void check(Scratch scratch, long handle) throws RocksDBException {
        try {
            Errors.check(scratch);
        } catch (RocksDBException e) {
            boolean conflict = e.getStatus().getSubCode() == Status.SubCode.None
                    && (e.getStatus().getCode() == Status.Code.Busy
                            || e.getStatus().getCode() == Status.Code.TryAgain);
            if (conflict && NativeTransaction.snapshot(handle) != 0) {
                throw new UnsupportedOperationException("The key was changed since the snapshot of the transaction, and"
                        + " the C API of RocksDB has no function that leaves out the check", e);
            }
            throw e;
        }
    }
}
