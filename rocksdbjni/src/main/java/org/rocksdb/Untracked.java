package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/**
 * Writes and reads of transactions for which RocksDB is not to look for conflicts. C has no functions for them. Transactions that lock
 * differ only if they have a snapshot; for optimistic ones such a write is an entry of the batch and nothing else.
 */
final class Untracked {

    private Untracked() {
    }

    static void write(TransactionParts parts, long handle, long family, TransactionWrite write, MemorySegment key,
            long length, MemorySegment value, long valueLength) {
        if (!parts.isIndexing()) {
            throw new UnsupportedOperationException("An optimistic transaction whose indexing is disabled cannot write"
                    + " without tracking: the C API of RocksDB has no function for it");
        }
        long batch = CApi.rocksdb_transaction_get_writebatch_wi(handle);
        try {
            write.toBatch(batch, family, key, length, value, valueLength);
        } finally {
            CApi.rocksdb_free(batch);
        }
        parts.countWrite(write.counter);
    }

    /**
     * Refuses a key that the transaction does not track yet. Reading the key for an update tracks one key more if it was not tracked;
     * that read is undone.
     */
    static void requireTracked(Scratch scratch, TransactionParts parts, long handle, long family, MemorySegment key,
            long length) throws RocksDBException {
        long before = TransactionExports.numKeys(parts.object());
        parts.setSavePoint();
        long value = CApi.rocksdb_transaction_get_pinned_for_update_cf(handle, parts.database().parts_.readOptions,
                family, key, length, Natives.flag(true), Errors.place(scratch));
        boolean failed = scratch.word(0) != 0;
        if (failed) {
            CApi.rocksdb_free(scratch.word(0));
        }
        if (value != 0) {
            CApi.rocksdb_pinnableslice_destroy(value);
        }
        boolean tracked = !failed && TransactionExports.numKeys(parts.object()) == before;
        parts.rollbackToSavePoint(handle, Errors.place(scratch));
        Errors.check(scratch);
        if (!tracked) {
            throw new RocksDBException(new Status(Status.Code.InvalidArgument, Status.SubCode.None,
                    "assume_tracked is set but it is not tracked yet"));
        }
    }

    /** After a call that looked for conflicts although it should not have: refuses what it found. */
    static void check(Scratch scratch, long handle) throws RocksDBException {
        try {
            Errors.check(scratch);
        } catch (RocksDBException e) {
            boolean conflict = e.getStatus().getSubCode() == Status.SubCode.None
                    && (e.getStatus().getCode() == Status.Code.Busy
                            || e.getStatus().getCode() == Status.Code.TryAgain);
            if (conflict && hasSnapshot(handle)) {
                throw new UnsupportedOperationException("The key was changed since the snapshot of the transaction, and"
                        + " the C API of RocksDB has no function that leaves out the check", e);
            }
            throw e;
        }
    }

    private static boolean hasSnapshot(long handle) {
        long snapshot = CApi.rocksdb_transaction_get_snapshot(handle);
        try {
            return NativeCalls.readLong(snapshot) != 0;
        } finally {
            CApi.rocksdb_free(snapshot);
        }
    }
}
