package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.ColumnFamily;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * A batch of a database's log, as a record of a queue. With little-endian numbers:
 *
 * <pre>
 * 0        8         12         16       24      28
 * | magic  | version | families | first  | count | families: id (4), length of the name (4), name (bytes) ... | batch ...
 * |OUTCROPC|    1    |          |        |       |
 * </pre>
 *
 * @param first    sequence number of its first change
 * @param count    how many changes it has
 * @param families names of the column families that it changes, by their ids in the batch; do not apply changes of other families
 * @param batch    in RocksDB's format
 */
record Change(long first, long count, Map<Integer, String> families, MemorySegment batch) {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** "OUTCROPC". */
    private static final long MAGIC = 0x43_50_4f_52_43_54_55_4fL;
    private static final int VERSION = 1;
    private static final int HEAD = 28;
    private static final int FAMILY_HEAD = 8;
    /** The place of the number of changes in a batch. */
    private static final int COUNT = 8;

    /** Makes the change of a batch in the log. */
    static Change of(long first, Map<Integer, String> families, MemorySegment batch) {
        return new Change(first, Integer.toUnsignedLong(batch.get(INT, COUNT)), families, batch);
    }

    /** Returns the sequence number of the next change. */
    long end() {
        return first + count;
    }

    /** Makes the head of the record, which comes before the batch. */
    MemorySegment head() {
        long size = HEAD;
        Map<Integer, byte[]> names = new HashMap<>();
        for (Map.Entry<Integer, String> family : families.entrySet()) {
            byte[] name = ColumnFamily.bytesOf(family.getValue());
            names.put(family.getKey(), name);
            size += FAMILY_HEAD + name.length;
        }
        MemorySegment head = MemorySegment.ofArray(new byte[Math.toIntExact(size)]);
        head.set(LONG, 0, MAGIC);
        head.set(INT, 8, VERSION);
        head.set(INT, 12, names.size());
        head.set(LONG, 16, first);
        head.set(INT, 24, (int) count);
        long at = HEAD;
        for (Map.Entry<Integer, byte[]> family : names.entrySet()) {
            byte[] name = family.getValue();
            head.set(INT, at, family.getKey());
            head.set(INT, at + 4, name.length);
            MemorySegment.copy(name, 0, head, ValueLayout.JAVA_BYTE, at + FAMILY_HEAD, name.length);
            at += FAMILY_HEAD + name.length;
        }
        return head;
    }

    /** Reads a record. The batch is a part of it. */
    static Change read(MemorySegment payload) {
        if (payload.byteSize() < HEAD || payload.get(LONG, 0) != MAGIC) {
            throw new PipelineException("A record of " + payload.byteSize()
                    + " bytes is not a change of a database: it was not written by a ChangeFeed. Is this the right queue?");
        }
        int version = payload.get(INT, 8);
        if (version != VERSION) {
            throw new PipelineException(
                    "A change of a database is of version " + version + "; this library knows version "
                            + VERSION + ". Use a newer one");
        }
        Map<Integer, String> families = new HashMap<>();
        long at = HEAD;
        for (int i = payload.get(INT, 12); i > 0; i--) {
            int length = payload.get(INT, at + 4);
            families.put(payload.get(INT, at),
                    ColumnFamily.nameOf(payload.asSlice(at + FAMILY_HEAD, length).toArray(ValueLayout.JAVA_BYTE)));
            at += FAMILY_HEAD + length;
        }
        return new Change(payload.get(LONG, 16), Integer.toUnsignedLong(payload.get(INT, 24)), families,
                payload.asSlice(at));
    }
}
