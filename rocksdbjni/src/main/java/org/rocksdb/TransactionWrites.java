package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Writes of transactions, in all forms. */
final class TransactionWrites {

    private TransactionWrites() {
    }

    static void put(Transaction transaction, ColumnFamilyHandle family, byte[] key, byte[] value, boolean assumeTracked)
            throws RocksDBException {
        write(transaction, family, BatchFormat.PUT, Tracking.of(assumeTracked), key, value);
    }

    static void put(Transaction transaction, ColumnFamilyHandle family, byte[] key, byte[] value)
            throws RocksDBException {
        write(transaction, family, BatchFormat.PUT, Tracking.TRACKED, key, value);
    }

    static void put(Transaction transaction, byte[] key, byte[] value) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.PUT, Tracking.TRACKED, key, value);
    }

    static void put(Transaction transaction, ColumnFamilyHandle family, byte[][] key, byte[][] value,
            boolean assumeTracked) throws RocksDBException {
        write(transaction, family, BatchFormat.PUT, Tracking.of(assumeTracked), joined(key), joined(value));
    }

    static void put(Transaction transaction, ColumnFamilyHandle family, byte[][] key, byte[][] value)
            throws RocksDBException {
        write(transaction, family, BatchFormat.PUT, Tracking.TRACKED, joined(key), joined(value));
    }

    static void put(Transaction transaction, byte[][] key, byte[][] value) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.PUT, Tracking.TRACKED, joined(key), joined(value));
    }

    static void put(Transaction transaction, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        consume(transaction, family(transaction), BatchFormat.PUT, Tracking.TRACKED, key, value);
    }

    static void put(Transaction transaction, ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value,
            boolean assumeTracked) throws RocksDBException {
        consume(transaction, family, BatchFormat.PUT, Tracking.of(assumeTracked), key, value);
    }

    static void put(Transaction transaction, ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value)
            throws RocksDBException {
        consume(transaction, family, BatchFormat.PUT, Tracking.TRACKED, key, value);
    }

    static void putUntracked(Transaction transaction, ColumnFamilyHandle family, byte[] key, byte[] value)
            throws RocksDBException {
        write(transaction, family, BatchFormat.PUT, Tracking.UNTRACKED, key, value);
    }

    static void putUntracked(Transaction transaction, byte[] key, byte[] value) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.PUT, Tracking.UNTRACKED, key, value);
    }

    static void putUntracked(Transaction transaction, ColumnFamilyHandle family, byte[][] key, byte[][] value)
            throws RocksDBException {
        write(transaction, family, BatchFormat.PUT, Tracking.UNTRACKED, joined(key), joined(value));
    }

    static void putUntracked(Transaction transaction, byte[][] key, byte[][] value) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.PUT, Tracking.UNTRACKED, joined(key), joined(value));
    }

    static void merge(Transaction transaction, ColumnFamilyHandle family, byte[] key, byte[] value,
            boolean assumeTracked) throws RocksDBException {
        write(transaction, family, BatchFormat.MERGE, Tracking.of(assumeTracked), key, value);
    }

    static void merge(Transaction transaction, ColumnFamilyHandle family, byte[] key, byte[] value)
            throws RocksDBException {
        write(transaction, family, BatchFormat.MERGE, Tracking.TRACKED, key, value);
    }

    static void merge(Transaction transaction, byte[] key, byte[] value) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.MERGE, Tracking.TRACKED, key, value);
    }

    /** Leaves the buffers' positions where they are, as published. */
    static void merge(Transaction transaction, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.MERGE, Tracking.TRACKED, key, value);
    }

    static void merge(Transaction transaction, ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value,
            boolean assumeTracked) throws RocksDBException {
        consume(transaction, family, BatchFormat.MERGE, Tracking.of(assumeTracked), key, value);
    }

    static void merge(Transaction transaction, ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value)
            throws RocksDBException {
        consume(transaction, family, BatchFormat.MERGE, Tracking.TRACKED, key, value);
    }

    static void mergeUntracked(Transaction transaction, ColumnFamilyHandle family, byte[] key, byte[] value)
            throws RocksDBException {
        write(transaction, family, BatchFormat.MERGE, Tracking.UNTRACKED, key, value);
    }

    static void mergeUntracked(Transaction transaction, byte[] key, byte[] value) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.MERGE, Tracking.UNTRACKED, key, value);
    }

    static void mergeUntracked(Transaction transaction, ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value)
            throws RocksDBException {
        consume(transaction, family, BatchFormat.MERGE, Tracking.UNTRACKED, key, value);
    }

    static void mergeUntracked(Transaction transaction, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        consume(transaction, family(transaction), BatchFormat.MERGE, Tracking.UNTRACKED, key, value);
    }

    static void delete(Transaction transaction, ColumnFamilyHandle family, byte[] key, boolean assumeTracked)
            throws RocksDBException {
        write(transaction, family, BatchFormat.DELETE, Tracking.of(assumeTracked), key, NONE);
    }

    static void delete(Transaction transaction, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        write(transaction, family, BatchFormat.DELETE, Tracking.TRACKED, key, NONE);
    }

    static void delete(Transaction transaction, byte[] key) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.DELETE, Tracking.TRACKED, key, NONE);
    }

    static void delete(Transaction transaction, ColumnFamilyHandle family, byte[][] key, boolean assumeTracked)
            throws RocksDBException {
        write(transaction, family, BatchFormat.DELETE, Tracking.of(assumeTracked), joined(key), NONE);
    }

    static void delete(Transaction transaction, ColumnFamilyHandle family, byte[][] key) throws RocksDBException {
        write(transaction, family, BatchFormat.DELETE, Tracking.TRACKED, joined(key), NONE);
    }

    static void delete(Transaction transaction, byte[][] key) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.DELETE, Tracking.TRACKED, joined(key), NONE);
    }

    static void deleteUntracked(Transaction transaction, ColumnFamilyHandle family, byte[] key)
            throws RocksDBException {
        write(transaction, family, BatchFormat.DELETE, Tracking.UNTRACKED, key, NONE);
    }

    static void deleteUntracked(Transaction transaction, byte[] key) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.DELETE, Tracking.UNTRACKED, key, NONE);
    }

    static void deleteUntracked(Transaction transaction, ColumnFamilyHandle family, byte[][] key)
            throws RocksDBException {
        write(transaction, family, BatchFormat.DELETE, Tracking.UNTRACKED, joined(key), NONE);
    }

    static void deleteUntracked(Transaction transaction, byte[][] key) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.DELETE, Tracking.UNTRACKED, joined(key), NONE);
    }

    static void singleDelete(Transaction transaction, ColumnFamilyHandle family, byte[] key, boolean assumeTracked)
            throws RocksDBException {
        write(transaction, family, BatchFormat.SINGLE_DELETE, Tracking.of(assumeTracked), key, NONE);
    }

    static void singleDelete(Transaction transaction, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        write(transaction, family, BatchFormat.SINGLE_DELETE, Tracking.TRACKED, key, NONE);
    }

    static void singleDelete(Transaction transaction, byte[] key) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.SINGLE_DELETE, Tracking.TRACKED, key, NONE);
    }

    static void singleDelete(Transaction transaction, ColumnFamilyHandle family, byte[][] key, boolean assumeTracked)
            throws RocksDBException {
        write(transaction, family, BatchFormat.SINGLE_DELETE, Tracking.of(assumeTracked), joined(key), NONE);
    }

    static void singleDelete(Transaction transaction, ColumnFamilyHandle family, byte[][] key)
            throws RocksDBException {
        write(transaction, family, BatchFormat.SINGLE_DELETE, Tracking.TRACKED, joined(key), NONE);
    }

    static void singleDelete(Transaction transaction, byte[][] key) throws RocksDBException {
        write(transaction, family(transaction), BatchFormat.SINGLE_DELETE, Tracking.TRACKED, joined(key), NONE);
    }

    static void putLogData(Transaction transaction, byte[] blob) {
        TransactionParts parts = transaction.parts_;
        try (Scratch scratch = parts.database().use(); Scratch _ = parts.use()) {
            synchronized (parts.owner().lock()) {
                NativeTransaction.putLogData(transaction.nativeHandle_, Natives.copy(scratch, blob), blob.length);
            }
        }
    }

    static void rebuildFromWriteBatch(Transaction transaction, WriteBatch batch) throws RocksDBException {
        TransactionParts parts = transaction.parts_;
        try (Scratch scratch = parts.database().use(); Scratch _ = parts.use()) {
            synchronized (batch) {
                batch.requireFor(parts.database());
                long copy = batch.copy(scratch);
                try {
                    synchronized (parts.owner().lock()) {
                        parts.requireUsable();
                        NativeTransaction.rebuild(scratch, transaction.nativeHandle_, copy);
                    }
                } finally {
                    batch.giveBack(scratch, copy);
                }
            }
            Errors.check(scratch);
        }
    }

    private static final byte[] NONE = {};

    private static ColumnFamilyHandle family(Transaction transaction) {
        return transaction.parts_.defaultFamily();
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

    private static void write(Transaction transaction, ColumnFamilyHandle family, byte tag, Tracking tracking,
            byte[] key, byte[] value) throws RocksDBException {
        write(transaction, family, tag, tracking, MemorySegment.ofArray(key), MemorySegment.ofArray(value));
    }

    private static void write(Transaction transaction, ColumnFamilyHandle family, byte tag, Tracking tracking,
            ByteBuffer key, ByteBuffer value) throws RocksDBException {
        TransactionReads.requireSameKind(key, value);
        write(transaction, family, tag, tracking, MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(value));
    }

    private static void consume(Transaction transaction, ColumnFamilyHandle family, byte tag, Tracking tracking,
            ByteBuffer key, ByteBuffer value) throws RocksDBException {
        write(transaction, family, tag, tracking, key, value);
        key.position(key.limit());
        value.position(value.limit());
    }

    private static void write(Transaction transaction, ColumnFamilyHandle family, byte tag, Tracking tracking,
            MemorySegment key, MemorySegment value) throws RocksDBException {
        TransactionParts parts = transaction.parts_;
        long handle = transaction.nativeHandle_;
        try (Scratch scratch = parts.database().use(); Scratch _ = parts.use()) {
            long in = family.in(parts.database());
            synchronized (parts.owner().lock()) {
                parts.requireUsable();
                if (tracking != Tracking.TRACKED && parts.isOptimistic()) {
                    Untracked.write(scratch, parts, handle, in, tag, key, value);
                    return;
                }
                if (tracking == Tracking.ASSUMED) {
                    Untracked.requireTracked(scratch, parts, handle, in, key);
                }
                switch (tag) {
                    case BatchFormat.PUT -> NativeTransaction.put(scratch, handle, in, key, value);
                    case BatchFormat.MERGE -> NativeTransaction.merge(scratch, handle, in, key, value);
                    case BatchFormat.DELETE -> NativeTransaction.delete(scratch, handle, in, key);
                    default -> NativeTransaction.singleDelete(scratch, handle, in, key);
                }
                if (tracking == Tracking.UNTRACKED) {
                    Untracked.check(scratch, handle);
                }
            }
            Errors.check(scratch);
        }
    }
}
