package dev.outcrop.rocksdb.engine.batch;

import static dev.outcrop.rocksdb.engine.batch.BatchFormat.BYTE;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.HEADER;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.INT;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.LONG;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.LONGEST_HEAD;
import static dev.outcrop.rocksdb.engine.batch.BatchFormat.LONGEST_VARINT;

import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The records of a write batch, in native memory that grows. A record is written after the last one before it is counted. So a record that
 * fails half-way, for example because a segment's arena is closed, leaves nothing behind.
 *
 * <p>Not thread-safe, but misuse does no harm: accesses are checked against the memory's bounds, and the collector frees outgrown memory.
 * So misuse by several threads can only spoil the content of the batch, and that is checked before RocksDB gets it.
 *
 * <p>Methods that add a record return null, or the reason if they cannot add it.
 */
public final class BatchBuffer {
    /** RocksDB's offsets into a batch have 32 bits. */
    public static final long LONGEST_BATCH = 0xffff_ffffL;
    private static final long FIRST_BYTES = 1024;

    /** The bytes that follow each key of a record in a column family with timestamps. */
    public static final class Timestamp {
        /** For column families without timestamps. */
        public static final Timestamp NONE = new Timestamp(new byte[0], false);

        public final byte[] bytes;
        /** Whether the bytes are only a placeholder for a timestamp that must be set before the batch is written. */
        public final boolean isMissing;

        private Timestamp(byte[] bytes, boolean isMissing) {
            this.bytes = bytes;
            this.isMissing = isMissing;
        }

        public static Timestamp of(byte[] timestamp) {
            return new Timestamp(timestamp, false);
        }

        public static Timestamp missing(int size) {
            return size == 0 ? NONE : new Timestamp(new byte[size], true);
        }
    }

    private final long maxBytes;
    private MemorySegment memory;
    private long size = HEADER;
    private int count;
    /** The kinds of records that were added since the buffer was empty, one bit for each kind. */
    private int kinds;
    /** The place of the first record with a missing timestamp. */
    private long unstampedFrom = Long.MAX_VALUE;
    /** The size and the count at each save point. */
    private long[] savePoints = new long[4];
    private int savePointsEnd;

    public BatchBuffer(long reservedBytes, long maxBytes) {
        this.maxBytes = maxBytes;
        this.memory = Arena.ofAuto().allocate(Math.max(reservedBytes, FIRST_BYTES), Long.BYTES);
    }

    /** A buffer for an existing batch, see {@link #set}. */
    public BatchBuffer(MemorySegment batch) {
        this(batch.byteSize() > LONGEST_BATCH ? 0 : batch.byteSize(), LONGEST_BATCH);
    }

    /** Copies a batch. If the batch is damaged, the buffer stays empty, and this method returns the problem. */
    public @Nullable NativeStatus set(MemorySegment batch) {
        if (batch.byteSize() > LONGEST_BATCH) {
            return tooLong();
        }
        MemorySegment.copy(batch, 0, memory, 0, batch.byteSize());
        BatchReader reader = new BatchReader(memory.asSlice(0, batch.byteSize()));
        int found = 0;
        while (reader.next()) {
            found |= BatchFormat.kind(reader.tag());
        }
        if (reader.problem() != null) {
            clear();
            return reader.problem();
        }
        this.kinds = found;
        this.size = batch.byteSize();
        this.count = reader.count();
        return null;
    }

    /** Returns the batch, in RocksDB's format. */
    public MemorySegment data() {
        return memory().asSlice(0, size);
    }

    /** Returns memory that begins with {@link #data()}. */
    public MemorySegment memory() {
        MemorySegment batch = memory;
        batch.set(INT, BatchFormat.COUNT, count);
        return batch;
    }

    public long size() {
        return size;
    }

    public int count() {
        return count;
    }

    public int kinds() {
        return kinds;
    }

    public boolean isUnstamped() {
        return unstampedFrom < size;
    }

    /** Notes that all timestamps are set. */
    public void stamped() {
        unstampedFrom = Long.MAX_VALUE;
    }

    public void clear() {
        truncate(HEADER, 0);
        kinds = 0;
        savePointsEnd = 0;
        // Cleared, because a batch from a log has a sequence number.
        memory.set(LONG, 0, 0);
    }

    public void setSavePoint() {
        if (savePointsEnd == savePoints.length) {
            savePoints = Arrays.copyOf(savePoints, 2 * savePointsEnd);
        }
        savePoints[savePointsEnd] = size;
        savePoints[savePointsEnd + 1] = count;
        savePointsEnd += 2;
    }

    /** Goes back to the last save point, and removes it; returns false if there is none. */
    public boolean rollbackToSavePoint() {
        if (!popSavePoint()) {
            return false;
        }
        truncate(savePoints[savePointsEnd], (int) savePoints[savePointsEnd + 1]);
        return true;
    }

    /** Removes the last save point; returns false if there is none. */
    public boolean popSavePoint() {
        if (savePointsEnd == 0) {
            return false;
        }
        savePointsEnd -= 2;
        return true;
    }

    private void truncate(long size, int count) {
        this.size = size;
        this.count = count;
        if (unstampedFrom >= size) {
            stamped();
        }
    }

    /** Adds a record with a key and no value. */
    public @Nullable NativeStatus add(byte tag, int family, MemorySegment key, Timestamp timestamp) {
        return add(tag, family, key, 0, key.byteSize(), timestamp);
    }

    /** Adds a record with a key in a part of a segment, and no value. */
    public @Nullable NativeStatus add(byte tag, int family, MemorySegment key, long keyOffset, long keyLength,
            Timestamp timestamp) {
        Objects.checkFromIndexSize(keyOffset, keyLength, key.byteSize());
        long at = size;
        NativeStatus problem = room(at, keyLength + timestamp.bytes.length);
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        long end = head(to, at, tag, family);
        end = key(to, end, key, keyOffset, keyLength, timestamp.bytes);
        return commit(tag, at, end, timestamp);
    }

    /** Adds a record with a key and no value. */
    public @Nullable NativeStatus add(byte tag, int family, byte[] key, Timestamp timestamp) {
        long at = size;
        NativeStatus problem = room(at, (long) key.length + timestamp.bytes.length);
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        long end = head(to, at, tag, family);
        end = key(to, end, key, timestamp.bytes);
        return commit(tag, at, end, timestamp);
    }

    /** Adds a record with a key and a value. */
    public @Nullable NativeStatus add(byte tag, int family, MemorySegment key, Timestamp timestamp,
            MemorySegment value) {
        return add(tag, family, key, 0, key.byteSize(), timestamp, value, 0, value.byteSize());
    }

    /** Adds a record with a key and a value in parts of segments. */
    public @Nullable NativeStatus add(byte tag, int family, MemorySegment key, long keyOffset, long keyLength,
            Timestamp timestamp,
            MemorySegment value, long valueOffset, long valueLength) {
        // Checked first, because a wrong length would spoil the computations.
        Objects.checkFromIndexSize(keyOffset, keyLength, key.byteSize());
        Objects.checkFromIndexSize(valueOffset, valueLength, value.byteSize());
        long at = size;
        NativeStatus problem = room(at, keyLength + timestamp.bytes.length + valueLength);
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        long end = head(to, at, tag, family);
        end = key(to, end, key, keyOffset, keyLength, timestamp.bytes);
        end = string(to, end, value, valueOffset, valueLength);
        return commit(tag, at, end, timestamp);
    }

    /** Adds a record with a key and a value. */
    public @Nullable NativeStatus add(byte tag, int family, byte[] key, Timestamp timestamp, byte[] value) {
        long at = size;
        NativeStatus problem = room(at, (long) key.length + timestamp.bytes.length + value.length);
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        long end = head(to, at, tag, family);
        end = key(to, end, key, timestamp.bytes);
        end = string(to, end, value);
        return commit(tag, at, end, timestamp);
    }

    /** Adds a record with a key and a value from several places. */
    public @Nullable NativeStatus add(byte tag, int family, SliceParts key, Timestamp timestamp,
            @Nullable SliceParts value) {
        long at = size;
        NativeStatus problem = room(at, key.length + timestamp.bytes.length + (value == null ? 0 : value.length));
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        long end = head(to, at, tag, family);
        end = varint(to, end, key.length + timestamp.bytes.length);
        end = bytes(to, key.copy(to, end), timestamp.bytes);
        if (value != null) {
            end = varint(to, end, value.length);
            end = value.copy(to, end);
        }
        return commit(tag, at, end, timestamp);
    }

    /** Adds the deletion of a range; each of its ends is a key. */
    public @Nullable NativeStatus addRange(int family, SliceParts begin, SliceParts end, Timestamp timestamp) {
        long at = size;
        NativeStatus problem = room(at, begin.length + end.length + 2L * timestamp.bytes.length);
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        long next = head(to, at, BatchFormat.DELETE_RANGE, family);
        next = varint(to, next, begin.length + timestamp.bytes.length);
        next = bytes(to, begin.copy(to, next), timestamp.bytes);
        next = varint(to, next, end.length + timestamp.bytes.length);
        next = bytes(to, end.copy(to, next), timestamp.bytes);
        return commit(BatchFormat.DELETE_RANGE, at, next, timestamp);
    }

    public @Nullable NativeStatus addEntity(int family, MemorySegment key, WideColumns columns) {
        long at = size;
        long keyLength = key.byteSize();
        NativeStatus problem = room(at, keyLength + columns.length());
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        long end = head(to, at, BatchFormat.PUT_ENTITY, family);
        end = string(to, end, key, 0, keyLength);
        end = varint(to, end, columns.length());
        end = columns.write(to, end);
        return commit(BatchFormat.PUT_ENTITY, at, end, Timestamp.NONE);
    }

    public @Nullable NativeStatus addLogData(MemorySegment data) {
        long at = size;
        long length = data.byteSize();
        NativeStatus problem = room(at, length);
        if (problem != null) {
            return problem;
        }
        MemorySegment to = memory;
        to.set(BYTE, at, BatchFormat.LOG_DATA);
        long end = string(to, at + 1, data, 0, length);
        if (end > maxBytes) {
            return tooLong();
        }
        kinds |= BatchFormat.kind(BatchFormat.LOG_DATA);
        size = end;
        return null;
    }

    /** Makes room for a record with strings of this many bytes; returns why there is none, or null. */
    private @Nullable NativeStatus room(long at, long bytes) {
        NativeStatus problem = NativeCall.sizeProblem(bytes);
        return problem != null || bytes + LONGEST_HEAD <= memory.byteSize() - at ? problem : grow(at, bytes);
    }

    private @Nullable NativeStatus grow(long at, long bytes) {
        if (at + bytes > maxBytes) {
            return tooLong();
        }
        long needed = at + bytes + LONGEST_HEAD;
        MemorySegment larger = Arena.ofAuto().allocate(Math.max(needed, 2 * memory.byteSize()), Long.BYTES);
        MemorySegment.copy(memory, 0, larger, 0, at);
        memory = larger;
        return null;
    }

    private @Nullable NativeStatus commit(byte tag, long at, long end, Timestamp timestamp) {
        if (end > maxBytes) {
            return tooLong();
        }
        if (timestamp.isMissing) {
            unstampedFrom = Math.min(unstampedFrom, at);
        }
        kinds |= BatchFormat.kind(tag);
        size = end;
        count++;
        return null;
    }

    private NativeStatus tooLong() {
        return new NativeStatus(NativeStatus.ABORTED, NativeStatus.MEMORY_LIMIT, "The write batch would be longer than "
                + maxBytes + " bytes; write it, clear it and go on");
    }

    private static long head(MemorySegment to, long at, byte tag, int family) {
        if (family == 0) {
            to.set(BYTE, at, tag);
            return at + 1;
        }
        to.set(BYTE, at, BatchFormat.familyTag(tag));
        return varint(to, at + 1, Integer.toUnsignedLong(family));
    }

    private static long key(MemorySegment to, long at, MemorySegment key, long offset, long length, byte[] timestamp) {
        long next = varint(to, at, length + timestamp.length);
        MemorySegment.copy(key, offset, to, next, length);
        return bytes(to, next + length, timestamp);
    }

    private static long key(MemorySegment to, long at, byte[] key, byte[] timestamp) {
        long next = varint(to, at, (long) key.length + timestamp.length);
        return bytes(to, bytes(to, next, key), timestamp);
    }

    private static long string(MemorySegment to, long at, MemorySegment string, long offset, long length) {
        long next = varint(to, at, length);
        MemorySegment.copy(string, offset, to, next, length);
        return next + length;
    }

    private static long string(MemorySegment to, long at, byte[] string) {
        return bytes(to, varint(to, at, string.length), string);
    }

    private static long bytes(MemorySegment to, long at, byte[] bytes) {
        if (bytes.length != 0) {
            MemorySegment.copy(bytes, 0, to, BYTE, at, bytes.length);
        }
        return at + bytes.length;
    }

    /** Writes a number of at most 32 bits. */
    public static long varint(MemorySegment to, long at, long value) {
        if (value < 0x80) {
            to.set(BYTE, at, (byte) value);
            return at + 1;
        }
        return longVarint(to, at, value);
    }

    private static long longVarint(MemorySegment to, long at, long value) {
        long rest = value;
        long next = at;
        while (rest >= 0x80 && next < at + LONGEST_VARINT) {
            to.set(BYTE, next++, (byte) (rest | 0x80));
            rest >>>= 7;
        }
        to.set(BYTE, next, (byte) rest);
        return next + 1;
    }
}
