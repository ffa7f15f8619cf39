package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Writes of a transaction. */
final class TransactionWrites {

    static final byte[] NO_VALUE = {};
    static final byte[][] NO_VALUE_PARTS = {};

    private TransactionWrites() {
    }

    /**
     * Adds a write.
     *
     * @param tag           the kind of record
     * @param isTracked     whether RocksDB checks the key for conflicts; otherwise it only locks the key, if the transaction uses locks
     * @param assumeTracked whether the key must have been checked before
     */
    static void write(Transaction transaction, byte tag, boolean isTracked, ColumnFamilyHandle family, byte[] key,
            byte[] value, boolean assumeTracked) throws RocksDBException {
        write(transaction, family, tag, isTracked, assumeTracked, MemorySegment.ofArray(key),
                MemorySegment.ofArray(value));
    }

    /** Adds a write. Joins the parts of the key and of the value. */
    static void write(Transaction transaction, byte tag, boolean isTracked, ColumnFamilyHandle family, byte[][] key,
            byte[][] value, boolean assumeTracked) throws RocksDBException {
        write(transaction, tag, isTracked, family, joined(key), joined(value), assumeTracked);
    }

    /** Adds a write. Afterwards the positions of the buffers are their limits. */
    static void write(Transaction transaction, byte tag, boolean isTracked, ColumnFamilyHandle family, ByteBuffer key,
            ByteBuffer value, boolean assumeTracked) throws RocksDBException {
        TransactionReads.requireSameKind(key, value);
        write(transaction, family, tag, isTracked, assumeTracked, MemorySegment.ofBuffer(key),
                MemorySegment.ofBuffer(value));
        key.position(key.limit());
        value.position(value.limit());
    }

    /** Adds a merge. As published, the positions of the buffers do not change. */
    static void mergeKeepingPositions(Transaction transaction, ByteBuffer key, ByteBuffer value)
            throws RocksDBException {
        write(transaction, BatchFormat.MERGE, true, transaction.state_.defaultFamily(), key.duplicate(),
                value.duplicate(), false);
    }

    static void putLogData(Transaction transaction, byte[] blob) {
        TransactionContext state = transaction.state_;
        try (Scratch scratch = state.database().use(); Scratch _ = state.use()) {
            synchronized (state.owner().lock()) {
                NativeTransaction.putLogData(transaction.nativeHandle_, NativeValues.copy(scratch, blob), blob.length);
            }
        }
    }

    static void rebuildFromWriteBatch(Transaction transaction, WriteBatch batch) throws RocksDBException {
        TransactionContext state = transaction.state_;
        try (Scratch scratch = state.database().use(); Scratch _ = state.use()) {
            synchronized (batch) {
                batch.requireFor(state.database());
                long copy = batch.copy(scratch);
                try {
                    synchronized (state.owner().lock()) {
                        state.requireUsable();
                        NativeTransaction.rebuild(scratch, transaction.nativeHandle_, copy);
                    }
                } finally {
                    NativeWriteBatch.destroy(copy);
                }
            }
            Errors.check(scratch);
        }
    }

    private static byte[] joined(byte[][] parts) {
        int length = 0;
        for (byte[] part : parts) {
            length = Math.addExact(length, part.length);
        }
        byte[] whole = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        return whole;
    }

    private static void write(Transaction transaction, ColumnFamilyHandle family, byte tag, boolean isTracked,
            boolean assumeTracked, MemorySegment key, MemorySegment value) throws RocksDBException {
        TransactionContext state = transaction.state_;
        long handle = transaction.nativeHandle_;
        try (Scratch scratch = state.database().use(); Scratch _ = state.use()) {
            long in = family.in(state.database());
            synchronized (state.owner().lock()) {
                state.requireUsable();
                if ((!isTracked || assumeTracked) && state.isOptimistic()) {
                    UntrackedWrites.write(scratch, state, handle, in, tag, key, value);
                    return;
                }
                if (assumeTracked) {
                    UntrackedWrites.requireTracked(scratch, state, handle, in, key);
                }
                switch (tag) {
                    case BatchFormat.PUT -> NativeTransaction.put(scratch, handle, in, key, value);
                    case BatchFormat.MERGE -> NativeTransaction.merge(scratch, handle, in, key, value);
                    case BatchFormat.DELETE -> NativeTransaction.delete(scratch, handle, in, key);
                    default -> NativeTransaction.singleDelete(scratch, handle, in, key);
                }
                if (!isTracked) {
                    UntrackedWrites.check(scratch, handle);
                }
            }
            Errors.check(scratch);
        }
    }
}
