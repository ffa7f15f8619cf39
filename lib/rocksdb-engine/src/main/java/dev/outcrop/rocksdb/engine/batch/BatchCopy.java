package dev.outcrop.rocksdb.engine.batch;

import static dev.outcrop.rocksdb.engine.batch.BatchFormat.COUNT;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.HEADER;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * Makes RocksDB's copy of a batch.
 *
 * <p>If a batch comes as bytes (rocksdb_writebatch_create_from), RocksDB reads all records to find their kinds, which takes a tenth of the
 * time of a write to memory. So this class adds puts and deletes to an empty native batch as one put: then RocksDB knows the kinds, and
 * appends the bytes unchanged. Afterwards this class corrects the count, and the few bytes at the beginning of that put.
 */
public final class BatchCopy {
    private static final int SIZE = 1;
    private static final int PUT = BatchFormat.kind(BatchFormat.PUT);
    private static final int DELETE = BatchFormat.kind(BatchFormat.DELETE);
    /** The kinds that can be copied in this way; RocksDB ignores log data. */
    private static final int PLAIN = PUT | DELETE | BatchFormat.kind(BatchFormat.LOG_DATA);
    /** The tag and the length of an empty key. */
    private static final int EMPTY_DELETE = 2;
    /** The tag and the lengths of an empty key and an empty value. */
    private static final int LEAST_PUT = 3;

    /** All memory, by address: a view of each copy would be an object. */
    public static final MemorySegment MEMORY = NativeCalls.view(0, Long.MAX_VALUE);

    private BatchCopy() {
    }

    /**
     * Copies a batch.
     *
     * @param memory begins with the batch's bytes
     * @param size   their number
     * @param kinds  the kinds of records that the batch may have, one bit for each kind
     * @return a {@code rocksdb_writebatch_t *}, which the caller destroys
     */
    public static long create(Scratch scratch, MemorySegment memory, long size, int kinds) {
        // Misuse by several threads must do no harm.
        Objects.checkFromIndexSize(0, size, memory.byteSize());
        if ((kinds & PUT) != 0 && (kinds & ~PLAIN) == 0) {
            long copy = NativeWriteBatch.create();
            if (fill(scratch, copy, memory, size, (kinds & DELETE) != 0)) {
                return copy;
            }
            NativeWriteBatch.destroy(copy);
        }
        return NativeWriteBatch.create(memory, size);
    }

    /**
     * Copies a batch with a first part for the write-ahead log, and a rest that the log does not get.
     *
     * @param batch  its bytes
     * @param logged the number of bytes for the log, including the header
     * @param count  the number of records in them
     * @param mark   marks the current end of a native batch as the end of the part for the log
     * @return a {@code rocksdb_writebatch_t *}, which the caller destroys
     */
    public static long create(Scratch scratch, MemorySegment batch, long logged, int count, LongConsumer mark) {
        MemorySegment bytes = NativeCall.in(scratch, batch);
        long size = batch.byteSize();
        MemorySegment first = scratch.allocate(logged, 1).copyFrom(bytes.asSlice(0, logged));
        first.set(BatchFormat.INT, COUNT, count);
        long copy = NativeWriteBatch.create(first, logged);
        mark.accept(copy);
        // The rest becomes one record of the same size. Then the bytes of the rest replace this record. RocksDB finds the kinds of the rest
        // when it needs them.
        long rest = size - logged;
        if (rest >= LEAST_PUT) {
            long value = rest - 2 - BatchFormat.varintSize(rest);
            NativeWriteBatch.put(copy, first, BatchFormat.varintSize(rest) - BatchFormat.varintSize(value),
                    bytes.asSlice(size - value), value);
        } else if (rest > 0) {
            NativeWriteBatch.delete(copy, first, 0);
        }
        long address = NativeWriteBatch.data(copy, scratch.wordAddress(SIZE));
        if (scratch.word(SIZE) != size) {
            NativeWriteBatch.destroy(copy);
            return NativeWriteBatch.create(bytes, size);
        }
        MemorySegment.copy(bytes, COUNT, MEMORY, address + COUNT, size - COUNT);
        return copy;
    }

    private static boolean fill(Scratch scratch, long copy, MemorySegment memory, long size, boolean hasDeletes) {
        long rest = size - HEADER;
        if (hasDeletes) {
            NativeWriteBatch.delete(copy, memory, 0);
            rest -= EMPTY_DELETE;
        }
        // Tag, length of the key, key, length of the value, value. The key has one byte if the length of the value takes one byte less.
        long value = rest - 2 - BatchFormat.varintSize(rest);
        if (value < 0) {
            return false;
        }
        int key = BatchFormat.varintSize(rest) - BatchFormat.varintSize(value);
        NativeWriteBatch.put(copy, memory, key, memory.asSlice(size - value, value), value);
        long address = NativeWriteBatch.data(copy, scratch.wordAddress(SIZE));
        if (scratch.word(SIZE) != size) {
            // RocksDB has refused the put, but its function cannot report that.
            return false;
        }
        MemorySegment.copy(memory, COUNT, MEMORY, address + COUNT, size - value - COUNT);
        return true;
    }

    /**
     * Returns whether a copy is complete and has only puts and deletes of the default column family. If that family has no timestamps, such
     * records cannot be wrong. This is the common case, and the check makes no object.
     *
     * @param address of the batch's bytes, which can no longer change
     * @param size    their number
     * @param kinds   the kinds of records that RocksDB knows of, one bit for each kind
     */
    public static boolean isPlain(long address, long size, int kinds) {
        if (size < BatchFormat.HEADER || size > NativeCall.LONGEST_ENTRY) {
            return false;
        }
        long end = address + size;
        long at = address + BatchFormat.HEADER;
        int records = 0;
        while (at < end) {
            byte tag = MEMORY.get(BatchFormat.BYTE, at++);
            if ((tag != BatchFormat.PUT && tag != BatchFormat.DELETE) || (kinds & BatchFormat.kind(tag)) == 0) {
                return false;
            }
            for (int strings = tag == BatchFormat.PUT ? 2 : 1; strings > 0; strings--) {
                long length = 0;
                int shift = 0;
                byte next;
                do {
                    if (at == end || shift == 7 * BatchFormat.LONGEST_VARINT) {
                        return false;
                    }
                    next = MEMORY.get(BatchFormat.BYTE, at++);
                    length |= (next & 0x7fL) << shift;
                    shift += 7;
                } while (next < 0);
                if (length > end - at) {
                    return false;
                }
                at += length;
            }
            records++;
        }
        return records == MEMORY.get(BatchFormat.INT, address + BatchFormat.COUNT);
    }
}
