package dev.outcrop.rocksdb.engine.batch;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * RocksDB's format of write batches, in memory and in its write-ahead log (db/write_batch.cc, db/dbformat.h):
 *
 * <pre>
 *   batch  :=  sequence: 8 bytes   count: 4 bytes   record…       numbers are little-endian
 *   record :=  tag: 1 byte   [family: varint]   string   [string]
 *   string :=  length: varint   bytes
 * </pre>
 *
 * <p>A record of the default column family has its own tag and no family. A varint has 7 bits in each byte, the lowest bits first. The
 * highest bit of a byte is set if another byte follows. The sequence number is set when the batch is written. The count includes neither
 * log data nor the marks of transactions.
 */
public final class BatchFormat {
    private BatchFormat() {
    }

    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The offset of the count. */
    public static final int COUNT = 8;
    /** The offset of the first record. */
    public static final int HEADER = 12;
    public static final int LONGEST_VARINT = 5;
    /** A tag, a column family, and the lengths of two strings. */
    public static final int LONGEST_HEAD = 1 + 3 * LONGEST_VARINT;

    public static final byte DELETE = 0x0;
    public static final byte PUT = 0x1;
    public static final byte MERGE = 0x2;
    public static final byte LOG_DATA = 0x3;
    public static final byte FAMILY_DELETE = 0x4;
    public static final byte FAMILY_PUT = 0x5;
    public static final byte FAMILY_MERGE = 0x6;
    public static final byte SINGLE_DELETE = 0x7;
    public static final byte FAMILY_SINGLE_DELETE = 0x8;
    public static final byte BEGIN_PREPARE = 0x9;
    public static final byte END_PREPARE = 0xa;
    public static final byte COMMIT = 0xb;
    public static final byte ROLLBACK = 0xc;
    public static final byte NOOP = 0xd;
    public static final byte FAMILY_DELETE_RANGE = 0xe;
    public static final byte DELETE_RANGE = 0xf;
    public static final byte FAMILY_BLOB_INDEX = 0x10;
    public static final byte BLOB_INDEX = 0x11;
    public static final byte BEGIN_PERSISTED_PREPARE = 0x12;
    public static final byte BEGIN_UNPREPARE = 0x13;
    public static final byte COMMIT_WITH_TIMESTAMP = 0x15;
    public static final byte PUT_ENTITY = 0x16;
    public static final byte FAMILY_PUT_ENTITY = 0x17;
    public static final byte TIMED_PUT = 0x18;
    public static final byte FAMILY_TIMED_PUT = 0x19;

    /** Returns the bit for the kind of record that has this tag in the default column family. */
    public static int kind(byte tag) {
        return 1 << tag;
    }

    /** Returns the size of a number as a varint. */
    public static int varintSize(long value) {
        // One byte for each 7 bits up to the highest bit that is set, and at least one byte.
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    /** Returns the tag for the same kind of record in a column family other than the default one. */
    public static byte familyTag(byte tag) {
        return switch (tag) {
            case DELETE -> FAMILY_DELETE;
            case PUT -> FAMILY_PUT;
            case MERGE -> FAMILY_MERGE;
            case SINGLE_DELETE -> FAMILY_SINGLE_DELETE;
            case DELETE_RANGE -> FAMILY_DELETE_RANGE;
            case PUT_ENTITY -> FAMILY_PUT_ENTITY;
            default -> throw new IllegalArgumentException("No column family stands in records with tag " + tag);
        };
    }
}
