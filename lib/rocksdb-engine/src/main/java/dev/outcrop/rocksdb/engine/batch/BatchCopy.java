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
 * <p>RocksDB reads all records of a batch that comes as bytes (rocksdb_writebatch_create_from), to find their kinds, which takes a tenth of
 * the time of a write to memory. So puts and deletes are added to an empty native batch as one put: RocksDB knows the kinds then, and appends
 * the bytes as they are. Afterwards the count is corrected, and the few bytes at the beginning of that put.
 */
public final class BatchCopy {
    private static final int SIZE = 1;
    private static final int PUT = BatchFormat.kind(BatchFormat.PUT);
    private static final int DELETE = BatchFormat.kind(BatchFormat.DELETE);
    /** The kinds that can be copied like this; RocksDB ignores log data. */
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
     * @param kinds  the kinds of records that it may have, a bit for each
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
     * Copies a batch of which only a part is for the write-ahead log.
     *
     * @param batch  its bytes
     * @param logged the number of bytes, with the header, that are for the log
     * @param count  the number of records in them
     * @param mark   marks the end of a native batch as that of the part for the log
     * @return a {@code rocksdb_writebatch_t *}, which the caller destroys
     */
    public static long create(Scratch scratch, MemorySegment batch, long logged, int count, LongConsumer mark) {
        MemorySegment bytes = NativeCall.in(scratch, batch);
        long size = batch.byteSize();
        MemorySegment first = scratch.allocate(logged, 1).copyFrom(bytes.asSlice(0, logged));
        first.set(BatchFormat.INT, COUNT, count);
        long copy = NativeWriteBatch.create(first, logged);
        mark.accept(copy);
        // The rest becomes one record of its size, which its bytes then take the place of. RocksDB finds its kinds when it needs them.
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
        // Tag, length of the key, key, length of the value, value; the key has a byte if the length of the value is a byte shorter.
        long value = rest - 2 - BatchFormat.varintSize(rest);
        if (value < 0) {
            return false;
        }
        int key = BatchFormat.varintSize(rest) - BatchFormat.varintSize(value);
        NativeWriteBatch.put(copy, memory, key, memory.asSlice(size - value, value), value);
        long address = NativeWriteBatch.data(copy, scratch.wordAddress(SIZE));
        if (scratch.word(SIZE) != size) {
            // RocksDB has refused the put, which its function cannot report.
            return false;
        }
        MemorySegment.copy(memory, COUNT, MEMORY, address + COUNT, size - value - COUNT);
        return true;
    }

    /**
     * Returns whether a copy is complete and only has puts and deletes of the default column family, which cannot be wrong if that has no
     * timestamps. This is the common case, and the check makes no object.
     *
     * @param address of the batch's bytes, which can no longer change
     * @param size    their number
     * @param kinds   the kinds of records that RocksDB knows of, a bit for each
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
