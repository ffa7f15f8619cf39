package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.SliceParts;
import dev.outcrop.rocksdb.engine.batch.WideColumns;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;

/**
 * One column family of a {@link WriteBatch}: writes are added to the batch. There is nothing to close, and it can be kept for as long as
 * the batch.
 *
 * <p>In a column family with timestamps, records are added with the timestamp of {@link #at(MemorySegment)}, or have none until {@link
 * WriteBatch#updateTimestamps(MemorySegment)} sets it.
 */
public final class WriteBatchFamily implements BatchWriter {
    private final BatchBuffer buffer;
    private final String name;
    private final int id;
    private final BatchBuffer.Timestamp stamp;

    WriteBatchFamily(BatchBuffer buffer, String name, int id, BatchBuffer.Timestamp stamp) {
        this.buffer = buffer;
        this.name = name;
        this.id = id;
        this.stamp = stamp;
    }

    /** Returns the size of this column family's timestamps; 0 if it has none. */
    int timestampSize() {
        return stamp.bytes.length;
    }

    /**
     * Returns a view that adds records with a timestamp.
     *
     * @param timestamp the timestamp, as many bytes as the column family's comparator asks for; copied
     * @return the same column family of the same batch
     * @throws IllegalArgumentException if timestamps of this column family have another size, or if it has none
     */
    @Override
    public WriteBatchFamily at(MemorySegment timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        if (timestamp.byteSize() != timestampSize() || timestampSize() == 0) {
            throw new IllegalArgumentException(
                    "The timestamp has " + timestamp.byteSize() + " bytes, but those of the column family "
                            + name + " have " + timestampSize());
        }
        return new WriteBatchFamily(buffer, name, id,
                BatchBuffer.Timestamp.of(timestamp.toArray(ValueLayout.JAVA_BYTE)));
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        ApiCall.check(buffer.add(BatchFormat.PUT, id, key, stamp, value));
    }

    @Override
    public void put(MemorySegment key, long keyOffset, long keyLength, MemorySegment value, long valueOffset,
            long valueLength) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        ApiCall.check(
                buffer.add(BatchFormat.PUT, id, key, keyOffset, keyLength, stamp, value, valueOffset, valueLength));
    }

    @Override
    public void put(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        ApiCall.check(buffer.add(BatchFormat.PUT, id, key, stamp, value));
    }

    @Override
    public void put(List<MemorySegment> keyParts, List<MemorySegment> valueParts) {
        ApiCall.requireElements("keyParts", keyParts);
        ApiCall.requireElements("valueParts", valueParts);
        ApiCall.check(buffer.add(BatchFormat.PUT, id, new SliceParts(keyParts), stamp, new SliceParts(valueParts)));
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        ApiCall.check(buffer.add(BatchFormat.DELETE, id, key, stamp));
    }

    @Override
    public void delete(MemorySegment key, long keyOffset, long keyLength) {
        Objects.requireNonNull(key, "key");
        ApiCall.check(buffer.add(BatchFormat.DELETE, id, key, keyOffset, keyLength, stamp));
    }

    @Override
    public void delete(byte[] key) {
        Objects.requireNonNull(key, "key");
        ApiCall.check(buffer.add(BatchFormat.DELETE, id, key, stamp));
    }

    @Override
    public void delete(List<MemorySegment> keyParts) {
        ApiCall.requireElements("keyParts", keyParts);
        ApiCall.check(buffer.add(BatchFormat.DELETE, id, new SliceParts(keyParts), stamp, null));
    }

    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        ApiCall.check(buffer.add(BatchFormat.SINGLE_DELETE, id, key, stamp));
    }

    @Override
    public void singleDelete(byte[] key) {
        Objects.requireNonNull(key, "key");
        ApiCall.check(buffer.add(BatchFormat.SINGLE_DELETE, id, key, stamp));
    }

    /** Removes all keys of a range. Their order depends on the column family, so it is checked when the batch is written. */
    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        ApiCall.check(buffer.addRange(id, new SliceParts(begin), new SliceParts(end), stamp));
    }

    @Override
    public void deleteRange(List<MemorySegment> beginParts, List<MemorySegment> endParts) {
        ApiCall.requireElements("beginParts", beginParts);
        ApiCall.requireElements("endParts", endParts);
        ApiCall.check(buffer.addRange(id, new SliceParts(beginParts), new SliceParts(endParts), stamp));
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        ApiCall.check(buffer.add(BatchFormat.MERGE, id, key, stamp, operand));
    }

    @Override
    public void merge(MemorySegment key, long keyOffset, long keyLength, MemorySegment operand, long operandOffset,
            long operandLength) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        ApiCall.check(buffer.add(BatchFormat.MERGE, id, key, keyOffset, keyLength, stamp, operand, operandOffset,
                operandLength));
    }

    @Override
    public void merge(byte[] key, byte[] operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        ApiCall.check(buffer.add(BatchFormat.MERGE, id, key, stamp, operand));
    }

    @Override
    public void merge(List<MemorySegment> keyParts, List<MemorySegment> operandParts) {
        ApiCall.requireElements("keyParts", keyParts);
        ApiCall.requireElements("operandParts", operandParts);
        ApiCall.check(buffer.add(BatchFormat.MERGE, id, new SliceParts(keyParts), stamp, new SliceParts(operandParts)));
    }

    /**
     * Stores a wide-column entity under a key, in place of any value it had.
     *
     * @param key     the key
     * @param columns the entity's columns, in any order
     * @throws IllegalArgumentException if two columns have the same name
     * @throws RocksDBException         with {@link Status.Code#NOT_SUPPORTED} if the column family has timestamps
     */
    public void putEntity(MemorySegment key, List<WideColumn> columns) {
        Objects.requireNonNull(key, "key");
        ApiCall.requireElements("columns", columns);
        if (timestampSize() != 0) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                    "The column family " + name + " has timestamps, and RocksDB cannot store entities with timestamps");
        }
        ApiCall.check(buffer.addEntity(id, key, new WideColumns(WideColumn.columns(columns))));
    }

    /** The column family's name, for messages. */
    @Override
    public String toString() {
        return name;
    }
}
