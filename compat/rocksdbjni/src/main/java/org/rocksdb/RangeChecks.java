package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/**
 * Refuses deletions of ranges that end before they begin. RocksDB notices such a range only after it has logged the write. It then refuses
 * all writes, and if other threads write at that moment, it locks an uninitialized mutex.
 */
final class RangeChecks {

    private RangeChecks() {
    }

    /** Refuses a range that ends before it begins, as published. The keys are in native memory. */
    static void requireOrder(Scratch scratch, long family, MemorySegment begin, MemorySegment end)
            throws RocksDBException {
        if (!isFirst(scratch, family, begin, end)) {
            throw new RocksDBException(
                    new Status(Status.Code.InvalidArgument, Status.SubCode.None, "end key comes before start key"));
        }
    }

    /** Returns whether two keys are in the order of a family, or equal. */
    static boolean isInOrder(long family, byte[] first, byte[] second) throws RocksDBException {
        try (Scratch scratch = Scratch.open()) {
            return isFirst(scratch, family, NativeValues.copy(scratch, first).asSlice(0, first.length),
                    NativeValues.copy(scratch, second).asSlice(0, second.length));
        }
    }

    /** Refuses a native batch with a wrong range. */
    static void requireOrder(Scratch scratch, RocksDB database, long batch) throws RocksDBException {
        long data = NativeWriteBatch.data(batch, scratch.wordAddress(1));
        BatchReader record = new BatchReader(NativeCalls.view(data, scratch.word(1)));
        while (BatchBuffers.next(record)) {
            if (record.tag() == BatchFormat.DELETE_RANGE) {
                ColumnFamilyHandle family = database.state_.openFamily(record.family());
                // RocksDB refuses an unknown family.
                if (family != null) {
                    requireOrder(scratch, family.nativeHandle_, record.key(), record.value());
                    OptionChanges.stopPurging(scratch, database, family);
                }
            }
        }
    }

    /**
     * Returns whether a key is the first of two in the order of a family. The C API has no function for the order. So both keys are added
     * to a batch with an index, and the index is read over an empty database: the family's own database would count a seek. If the keys are
     * equal, the index has the key that was added last.
     */
    private static boolean isFirst(Scratch scratch, long family, MemorySegment first, MemorySegment second)
            throws RocksDBException {
        if (first.mismatch(second) == -1) {
            return true;
        }
        // RocksDB reads beyond the end of an index if a key does not equal itself.
        RunningCallbacks.ofThread().checkAll();
        long empty = EmptyDatabase.handle(scratch);
        long index = NativeWriteBatchWithIndex.create(0, true);
        long none = NativeReadOptions.create();
        long iterator = 0;
        try {
            WriteBatchWithIndex.add(scratch, BatchFormat.PUT, index, family, second, MemorySegment.NULL);
            WriteBatchWithIndex.add(scratch, BatchFormat.PUT, index, family, first, MemorySegment.NULL);
            iterator = NativeWriteBatchWithIndex.createIterator(index, CApi.rocksdb_create_iterator(empty, none),
                    family,
                    0);
            NativeIterator.seekToFirst(iterator);
            long found = NativeIterator.key(iterator, scratch.wordAddress(1));
            return NativeCalls.view(found, scratch.word(1)).mismatch(first) == -1;
        } finally {
            if (iterator != 0) {
                NativeIterator.destroy(iterator);
            }
            NativeReadOptions.destroy(none);
            NativeWriteBatchWithIndex.destroy(index);
        }
    }
}
