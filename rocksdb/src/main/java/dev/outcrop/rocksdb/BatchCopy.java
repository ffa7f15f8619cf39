package dev.outcrop.rocksdb;

import static dev.outcrop.rocksdb.BatchFormat.COUNT;
import static dev.outcrop.rocksdb.BatchFormat.HEADER;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Makes RocksDB's own copy of a batch.
 *
 * <p>RocksDB goes once more through all records of a batch that comes as bytes (rocksdb_writebatch_create_from), to find out of which
 * kinds they are; that takes a tenth of the time of a write to memory. So puts and deletes are added to an empty native batch, all of
 * them as one put: RocksDB knows the kinds then, and appends the bytes as they are. Afterwards the count is set right, and the few bytes
 * that RocksDB took for the beginning of that put.
 */
final class BatchCopy {
    /** The word of scratch memory for a size that the C API returns. */
    private static final int SIZE = 1;
    private static final int PUT = BatchFormat.kind(BatchFormat.PUT);
    private static final int DELETE = BatchFormat.kind(BatchFormat.DELETE);
    /** The kinds that can be copied like this; RocksDB does not ask for log data. */
    private static final int PLAIN = PUT | DELETE | BatchFormat.kind(BatchFormat.LOG_DATA);
    /** A tag and the length of an empty key. */
    private static final int EMPTY_DELETE = 2;

    /** All of memory, by address: a view of each copy would be an object. */
    static final MemorySegment MEMORY = NativeCalls.view(0, Long.MAX_VALUE);

    private BatchCopy() {
    }

    /**
     * Copies a batch.
     *
     * @param memory begins with the batch's bytes
     * @param size   how many they are
     * @param kinds  what kinds of records there may be, a bit for each
     * @return a {@code rocksdb_writebatch_t *}, to be given to {@link SpareBatches} or destroyed by the caller
     */
    static long create(Scratch scratch, MemorySegment memory, long size, int kinds) {
        // The batch may be used by several threads at once, though it must not.
        Objects.checkFromIndexSize(0, size, memory.byteSize());
        if ((kinds & PUT) != 0 && (kinds & ~PLAIN) == 0) {
            long copy = SpareBatches.take(scratch);
            if (fill(scratch, copy, memory, size, (kinds & DELETE) != 0)) {
                return copy;
            }
            CApi.rocksdb_writebatch_destroy(copy);
        }
        return CApi.rocksdb_writebatch_create_from(memory, size);
    }

    private static boolean fill(Scratch scratch, long copy, MemorySegment memory, long size, boolean hasDeletes) {
        long rest = size - HEADER;
        if (hasDeletes) {
            CApi.rocksdb_writebatch_delete(copy, memory, 0);
            rest -= EMPTY_DELETE;
        }
        // Tag, length of the key, key, length of the value, value; the key has a byte where the length of the value has one less.
        long value = rest - 2 - BatchFormat.varintSize(rest);
        if (value < 0) {
            return false;
        }
        int key = BatchFormat.varintSize(rest) - BatchFormat.varintSize(value);
        CApi.rocksdb_writebatch_put(copy, memory, key, memory.asSlice(size - value, value), value);
        long address = CApi.rocksdb_writebatch_data(copy, scratch.wordAddress(SIZE));
        if (scratch.word(SIZE) != size) {
            // RocksDB has refused the put, and its function cannot say so.
            return false;
        }
        MemorySegment.copy(memory, COUNT, MEMORY, address + COUNT, size - value - COUNT);
        return true;
    }
}
