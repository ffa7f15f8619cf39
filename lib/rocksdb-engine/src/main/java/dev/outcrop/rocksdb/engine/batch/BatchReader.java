package dev.outcrop.rocksdb.engine.batch;

import static dev.outcrop.rocksdb.engine.batch.BatchFormat.BYTE;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.HEADER;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.INT;

import dev.outcrop.rocksdb.engine.NativeStatus;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a write batch that may hold any bytes. It reads only within the batch, and accepts no more than RocksDB does. It
 * ends at damage, and {@link #problem()} has the reason.
 */
public final class BatchReader {
    private final MemorySegment batch;
    private final long end;
    private long at = HEADER;
    private int found;
    private @Nullable NativeStatus problem;

    /** The start of the current record. */
    private long start;
    /** The current record's tag. If the kind of record has two tags, this is the tag for the default column family. */
    private byte tag;
    private int family;
    private long key;
    private long keyLength;
    private long value;
    private long valueLength;

    public BatchReader(MemorySegment batch) {
        this.batch = batch;
        this.end = batch.byteSize();
        if (end < HEADER) {
            problem = new NativeStatus(NativeStatus.CORRUPTION, NativeStatus.NONE,
                    "A write batch has at least " + HEADER + " bytes, but this one has " + end);
        }
    }

    /** Returns the batch's own count of its records. */
    public int count() {
        return batch.get(INT, BatchFormat.COUNT);
    }

    /** Returns the damage of the batch, or null. The caller checks it when there is no next record. */
    public @Nullable NativeStatus problem() {
        return problem;
    }

    /** Goes to the next record. Returns false at damage and at the end. At the end it checks the count. */
    public boolean next() {
        if (problem != null) {
            return false;
        }
        if (at == end) {
            if (found != count()) {
                damage("it has " + Integer.toUnsignedString(found) + " records, but says that it has "
                        + Integer.toUnsignedString(count()));
            }
            return false;
        }
        start = at;
        tag = batch.get(BYTE, at++);
        family = 0;
        keyLength = 0;
        valueLength = 0;
        switch (tag) {
            case BatchFormat.PUT, BatchFormat.MERGE, BatchFormat.DELETE_RANGE, BatchFormat.PUT_ENTITY -> keyAndValue();
            case BatchFormat.DELETE, BatchFormat.SINGLE_DELETE -> keyAlone();
            case BatchFormat.FAMILY_PUT -> inFamily(BatchFormat.PUT);
            case BatchFormat.FAMILY_MERGE -> inFamily(BatchFormat.MERGE);
            case BatchFormat.FAMILY_DELETE_RANGE -> inFamily(BatchFormat.DELETE_RANGE);
            case BatchFormat.FAMILY_PUT_ENTITY -> inFamily(BatchFormat.PUT_ENTITY);
            case BatchFormat.FAMILY_DELETE -> inFamily(BatchFormat.DELETE);
            case BatchFormat.FAMILY_SINGLE_DELETE -> inFamily(BatchFormat.SINGLE_DELETE);
            case BatchFormat.FAMILY_BLOB_INDEX -> inFamily(BatchFormat.BLOB_INDEX);
            case BatchFormat.FAMILY_TIMED_PUT -> inFamily(BatchFormat.TIMED_PUT);
            case BatchFormat.BLOB_INDEX, BatchFormat.TIMED_PUT -> keyAndValue();
            case BatchFormat.LOG_DATA, BatchFormat.END_PREPARE, BatchFormat.COMMIT, BatchFormat.ROLLBACK -> readValue();
            case BatchFormat.COMMIT_WITH_TIMESTAMP -> {
                readKey();
                readValue();
            }
            case BatchFormat.NOOP, BatchFormat.BEGIN_PREPARE, BatchFormat.BEGIN_PERSISTED_PREPARE,
                    BatchFormat.BEGIN_UNPREPARE ->
                {
                }
            default -> damage("it has a record of the unknown kind " + Byte.toUnsignedInt(tag));
        }
        return problem == null;
    }

    private void inFamily(byte defaultTag) {
        tag = defaultTag;
        family = (int) varint();
        if (defaultTag == BatchFormat.DELETE || defaultTag == BatchFormat.SINGLE_DELETE) {
            keyAlone();
        } else {
            keyAndValue();
        }
    }

    private void keyAlone() {
        readKey();
        found++;
    }

    private void keyAndValue() {
        readKey();
        readValue();
        found++;
    }

    private void readKey() {
        keyLength = varint();
        key = skip(keyLength);
    }

    private void readValue() {
        valueLength = varint();
        value = skip(valueLength);
    }

    private long skip(long length) {
        long from = at;
        if (length > end - from) {
            damage("it ends before the record does");
            return from;
        }
        at = from + length;
        return from;
    }

    private long varint() {
        if (at < end) {
            long only = batch.get(BYTE, at);
            if (only >= 0) {
                at++;
                return only;
            }
        }
        return longVarint();
    }

    private long longVarint() {
        long result = 0;
        for (int shift = 0; shift < 35 && at < end; shift += 7) {
            long next = batch.get(BYTE, at++);
            result |= (next & 0x7f) << shift;
            if (next >= 0) {
                if (result > 0xffff_ffffL) {
                    break;
                }
                return result;
            }
        }
        damage("a number in it has no end");
        return 0;
    }

    /** Returns the start of the record. */
    public long start() {
        return start;
    }

    public byte tag() {
        return tag;
    }

    /** Returns the column family's id; 0 is the default one. */
    public int family() {
        return family;
    }

    /** Returns the key with its timestamp, the beginning of a range, or the timestamp of a commit. */
    public MemorySegment key() {
        return batch.asSlice(key, keyLength);
    }

    public long keyLength() {
        return keyLength;
    }

    /** Returns the value, the end of a range, an operand, log data, or a transaction's name. */
    public MemorySegment value() {
        return batch.asSlice(value, valueLength);
    }

    public long valueLength() {
        return valueLength;
    }

    private void damage(String how) {
        if (problem == null) {
            problem = damaged(how);
        }
    }

    /** Returns the status of a batch that is damaged at the current record. */
    public NativeStatus damaged(String how) {
        return new NativeStatus(NativeStatus.CORRUPTION, NativeStatus.NONE,
                "The write batch is damaged at byte " + start + " of " + end + ": " + how);
    }
}
