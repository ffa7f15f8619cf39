package dev.outcrop.cli.pipe;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.rocksdb.ColumnFamily;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A record of the queue: the entries of a part of an input, and the position after it. Numbers are big-endian:
 *
 * <pre>
 * 0        8         12        16        20         24         32      40        44
 * | magic  | version | entries | refused | checksum | position | lines | length  | length  | family | source | item ...
 * |OUTCROPI|    1    |         |         |       of the position       |of family|of source|
 *
 * item:  kind (1), length (4), length (4), key or reason, value or record
 * </pre>
 *
 * @param entries how many entries there are
 * @param refused records that became no entries
 * @param family  column family that the entries go to
 * @param source  the input, as {@link Positions} knows it
 * @param position how far the input was taken
 * @param items   entries and refused records, in the order of the input
 */
record Chunk(int entries, int refused, String family, String source, Position position, MemorySegment items) {
    /** "OUTCROPI". */
    private static final long MAGIC = 0x4F55_5443_524F_5049L;
    private static final int VERSION = 1;
    static final byte PUT = 1;
    static final byte MERGE = 2;
    static final byte REFUSED = 3;
    /** The offset of the names. */
    private static final int NAMES = 48;
    private static final int ITEM = 9;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Collects the items of a chunk. */
    static final class Builder {
        /** A chunk ends after this many bytes. */
        private static final int ENOUGH = 64 << 10;

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * ENOUGH);
        private int entries;
        private int refused;

        void entry(boolean isMerge, byte[] key, byte[] value) {
            add(isMerge ? MERGE : PUT, key, value);
            entries++;
        }

        /** Adds a rejected record, with the reason. */
        void refused(String reason, byte[] record) {
            add(REFUSED, reason.getBytes(StandardCharsets.UTF_8), record);
            refused++;
        }

        private void add(byte kind, byte[] first, byte[] second) {
            bytes.writeBytes(ByteBuffer.allocate(ITEM).put(kind).putInt(first.length).putInt(second.length).array());
            bytes.writeBytes(first);
            bytes.writeBytes(second);
        }

        boolean isFull() {
            return bytes.size() >= ENOUGH;
        }

        /** Makes the record of the queue, and clears this builder. */
        byte[] take(String family, String source, Position position) {
            byte[] familyBytes = ColumnFamily.bytesOf(family);
            byte[] sourceBytes = source.getBytes(StandardCharsets.UTF_8);
            ByteBuffer record = ByteBuffer.allocate(NAMES + familyBytes.length + sourceBytes.length + bytes.size())
                    .putLong(MAGIC).putInt(VERSION).putInt(entries).putInt(refused).putInt(position.checksum())
                    .putLong(position.bytes()).putLong(position.lines()).putInt(familyBytes.length)
                    .putInt(sourceBytes.length).put(familyBytes).put(sourceBytes).put(bytes.toByteArray());
            bytes.reset();
            entries = 0;
            refused = 0;
            return record.array();
        }
    }

    /** Visits items. */
    interface Use {
        /** Visits an item; both segments are parts of the record. */
        void item(byte kind, MemorySegment first, MemorySegment second);
    }

    /** Reads a record; fails if it is not a chunk. */
    static Chunk read(MemorySegment record) {
        if (record.byteSize() < NAMES || record.get(LONG, 0) != MAGIC || record.get(INT, 8) != VERSION) {
            throw new Failure("the queue has a record that './outcrop pipe' of this version has not appended;"
                    + " name with --queue one that nothing else uses");
        }
        int family = record.get(INT, 40);
        int source = record.get(INT, 44);
        return new Chunk(record.get(INT, 12), record.get(INT, 16),
                ColumnFamily.nameOf(record.asSlice(NAMES, family).toArray(ValueLayout.JAVA_BYTE)),
                text(record.asSlice(NAMES + (long) family, source)),
                new Position(record.get(LONG, 24), record.get(LONG, 32), record.get(INT, 20)),
                record.asSlice(NAMES + (long) family + source));
    }

    static String text(MemorySegment utf8) {
        return new String(utf8.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    void forEach(Use use) {
        for (long at = 0; at < items.byteSize();) {
            int first = items.get(INT, at + 1);
            int second = items.get(INT, at + 5);
            use.item(items.get(ValueLayout.JAVA_BYTE, at), items.asSlice(at + ITEM, first),
                    items.asSlice(at + ITEM + first, second));
            at += ITEM + (long) first + second;
        }
    }
}
