package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.BatchText;
import dev.outcrop.rocksdb.engine.batch.WideColumns;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations that are written to a database together: all of them or none. The batch lies in native memory in RocksDB's own format,
 * and adding to it makes neither a native call nor an object.
 *
 * <pre>{@code
 * WriteBatch batch = new WriteBatch();
 * batch.put(key, value);                 // in the default column family
 * batch.in(users).delete(key);           // in another one
 * db.write(batch);
 * batch.clear();                         // to use its memory again
 * }</pre>
 *
 * <p>There is nothing to close: the garbage collector frees the memory. Not thread-safe: threads that share a batch must take turns. If
 * they do not, the batch may be corrupted, and writing it then fails with {@link Status.Code#CORRUPTION}, but nothing worse happens.
 *
 * <p>Adding throws {@link RocksDBException} with {@link Status.SubCode#MEMORY_LIMIT} if the batch would grow beyond its limit, which is 4
 * GiB if none is set. If adding throws, the batch is unchanged.
 */
public final class WriteBatch implements BatchWriter {
    private final BatchBuffer buffer;
    /** The column families that were asked for, by id. */
    private final Map<Integer, WriteBatchFamily> families = new HashMap<>();
    private WriteBatchFamily defaultFamily;
    /** The database of the column families that were asked for. */
    private @Nullable OpenDatabase database;
    /** The end of the records that came with {@link #of}: as RocksDB wrote them, with their timestamps. */
    private long ownFrom = BatchFormat.HEADER;

    /** Makes an empty batch. */
    public WriteBatch() {
        this(0);
    }

    /**
     * Makes an empty batch with reserved memory. It grows if that is not enough.
     *
     * @param reservedBytes how much memory to take now
     */
    public WriteBatch(long reservedBytes) {
        this(reservedBytes, BatchBuffer.LONGEST_BATCH);
    }

    /**
     * Makes an empty batch with a limit.
     *
     * @param reservedBytes how much memory to take now
     * @param maxBytes      how long the batch may become, see {@link #byteSize()}; 4 GiB at most
     * @throws IllegalArgumentException if one of them is negative, or if they contradict each other
     */
    public WriteBatch(long reservedBytes, long maxBytes) {
        this(new BatchBuffer(checkReserved(reservedBytes, maxBytes), maxBytes));
    }

    private WriteBatch(BatchBuffer buffer) {
        this.buffer = buffer;
        this.defaultFamily = new WriteBatchFamily(buffer, "default", 0, BatchBuffer.Timestamp.NONE);
    }

    private static long checkReserved(long reservedBytes, long maxBytes) {
        if (maxBytes < BatchFormat.HEADER || maxBytes > BatchBuffer.LONGEST_BATCH) {
            throw new IllegalArgumentException("maxBytes must be from " + BatchFormat.HEADER + " to "
                    + BatchBuffer.LONGEST_BATCH + ", but is " + maxBytes);
        }
        if (reservedBytes < 0 || reservedBytes > maxBytes) {
            throw new IllegalArgumentException(
                    "reservedBytes must be from 0 to " + maxBytes + ", the limit of the batch, but is "
                            + reservedBytes);
        }
        return reservedBytes;
    }

    /**
     * Makes a batch from its bytes, for example from a write-ahead log, or from {@link #data()} elsewhere.
     *
     * @param data the batch in RocksDB's format; copied
     * @return an independent batch
     * @throws RocksDBException with {@link Status.Code#CORRUPTION} if the bytes are not a complete batch
     */
    public static WriteBatch of(MemorySegment data) {
        Objects.requireNonNull(data, "data");
        BatchBuffer buffer = new BatchBuffer(data);
        ApiCall.check(buffer.set(data));
        WriteBatch batch = new WriteBatch(buffer);
        batch.ownFrom = batch.byteSize();
        return batch;
    }

    /**
     * Returns a view that adds to this batch in a column family. From then on, the batch belongs to that column family's database.
     *
     * @param columnFamily the column family
     * @return always the same object; there is nothing to close
     * @throws IllegalArgumentException if the batch has column families of another database
     * @throws IllegalStateException    if this is a default column family with timestamps, and the batch already has records of it
     */
    public WriteBatchFamily in(ColumnFamily columnFamily) {
        Family family = columnFamily.family();
        requireFor(family.database);
        database = family.database;
        return in(family.name, family.id, family.timestampSize);
    }

    /** Refuses any database but the one of the batch's column families: the ids mean other column families there. */
    void requireFor(OpenDatabase other) {
        OpenDatabase mine = database;
        if (mine != null && mine != other) {
            throw new IllegalArgumentException(
                    "The write batch has column families of the " + mine + " and cannot be used with the " + other);
        }
    }

    /** Returns whether a record of the default column family was added without room for its timestamp. */
    boolean addedWithoutTimestamp(long start) {
        return start >= ownFrom && defaultFamily.timestampSize() == 0;
    }

    /** Returns the memory that begins with {@link #data()}, without a new object. */
    MemorySegment memory() {
        return buffer.memory();
    }

    /** Returns the kinds of records that there may be, as one bit each. */
    int kinds() {
        return buffer.kinds();
    }

    boolean isUnstamped() {
        return buffer.isUnstamped();
    }

    WriteBatchFamily in(String name, int id, int timestampSize) {
        WriteBatchFamily family = families.get(id);
        return family != null
                ? family
                : add(new WriteBatchFamily(buffer, name, id, BatchBuffer.Timestamp.missing(timestampSize)), id);
    }

    private WriteBatchFamily add(WriteBatchFamily family, int id) {
        if (id == 0) {
            if (family.timestampSize() != 0 && byteSize() > ownFrom) {
                throw new IllegalStateException(
                        "The default column family has timestamps, but records were added to the write batch"
                                + " before it knew that; ask for in(db.defaultColumnFamily()) first, while the batch is empty");
            }
            defaultFamily = family;
        }
        families.put(id, family);
        return family;
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        defaultFamily.put(key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        defaultFamily.put(key, value);
    }

    @Override
    public void put(MemorySegment key, long keyOffset, long keyLength, MemorySegment value, long valueOffset,
            long valueLength) {
        defaultFamily.put(key, keyOffset, keyLength, value, valueOffset, valueLength);
    }

    @Override
    public void put(List<MemorySegment> keyParts, List<MemorySegment> valueParts) {
        defaultFamily.put(keyParts, valueParts);
    }

    @Override
    public void delete(MemorySegment key) {
        defaultFamily.delete(key);
    }

    @Override
    public void delete(byte[] key) {
        defaultFamily.delete(key);
    }

    @Override
    public void delete(MemorySegment key, long keyOffset, long keyLength) {
        defaultFamily.delete(key, keyOffset, keyLength);
    }

    @Override
    public void delete(List<MemorySegment> keyParts) {
        defaultFamily.delete(keyParts);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        defaultFamily.singleDelete(key);
    }

    @Override
    public void singleDelete(byte[] key) {
        defaultFamily.singleDelete(key);
    }

    /** Removes all keys of a range. Their order depends on the column family, so it is checked when the batch is written. */
    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        defaultFamily.deleteRange(begin, end);
    }

    @Override
    public void deleteRange(List<MemorySegment> beginParts, List<MemorySegment> endParts) {
        defaultFamily.deleteRange(beginParts, endParts);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        defaultFamily.merge(key, operand);
    }

    @Override
    public void merge(byte[] key, byte[] operand) {
        defaultFamily.merge(key, operand);
    }

    @Override
    public void merge(MemorySegment key, long keyOffset, long keyLength, MemorySegment operand, long operandOffset,
            long operandLength) {
        defaultFamily.merge(key, keyOffset, keyLength, operand, operandOffset, operandLength);
    }

    @Override
    public void merge(List<MemorySegment> keyParts, List<MemorySegment> operandParts) {
        defaultFamily.merge(keyParts, operandParts);
    }

    /**
     * Stores a wide-column entity under a key of the default column family, in place of any value it had.
     *
     * @param key     the key
     * @param columns the entity's columns, in any order
     * @throws IllegalArgumentException if two columns have the same name
     */
    public void putEntity(MemorySegment key, List<WideColumn> columns) {
        defaultFamily.putEntity(key, columns);
    }

    /**
     * Adds data that goes to the write-ahead log with the batch, and nowhere else. It does not count as an operation.
     *
     * @param data the data
     */
    public void putLogData(MemorySegment data) {
        ApiCall.check(buffer.addLogData(data));
    }

    /** Sets a save point for {@link #rollbackToSavePoint()}. Save points nest. */
    public void setSavePoint() {
        buffer.setSavePoint();
    }

    /**
     * Removes the operations that were added since the last save point, and forgets that save point.
     *
     * @throws RocksDBException with {@link Status.Code#NOT_FOUND} if there is none
     */
    public void rollbackToSavePoint() {
        requireSavePoint(buffer.rollbackToSavePoint());
    }

    /**
     * Forgets the last save point.
     *
     * @throws RocksDBException with {@link Status.Code#NOT_FOUND} if there is none
     */
    public void popSavePoint() {
        requireSavePoint(buffer.popSavePoint());
    }

    static void requireSavePoint(boolean isThere) {
        if (!isThere) {
            throw RocksDBException.of(Status.Code.NOT_FOUND,
                    "The write batch has no save point; set one with setSavePoint()");
        }
    }

    /**
     * Sets the timestamp of all records in the column families with timestamps, including records that were added with a timestamp.
     *
     * @param timestamp the timestamp; copied
     * @throws IllegalArgumentException if a record's timestamp has another size; nothing is changed then
     */
    public void updateTimestamps(MemorySegment timestamp) {
        byte[] bytes = timestamp.toArray(ValueLayout.JAVA_BYTE);
        forEachStamped((record, family) -> requireTimestamp(record, family, bytes));
        forEachStamped((record, _) -> {
            setTimestamp(record.key(), bytes);
            if (record.tag() == BatchFormat.DELETE_RANGE) {
                setTimestamp(record.value(), bytes);
            }
        });
        buffer.stamped();
    }

    private void forEachStamped(BiConsumer<BatchReader, WriteBatchFamily> use) {
        BatchReader record = new BatchReader(buffer.data());
        while (ApiCall.next(record)) {
            switch (record.tag()) {
                case BatchFormat.PUT, BatchFormat.DELETE, BatchFormat.SINGLE_DELETE, BatchFormat.DELETE_RANGE,
                        BatchFormat.MERGE -> {
                    WriteBatchFamily family = families.get(record.family());
                    if (family != null && family.timestampSize() != 0) {
                        use.accept(record, family);
                    }
                }
                default -> {
                }
            }
        }
    }

    private static void requireTimestamp(BatchReader record, WriteBatchFamily family, byte[] timestamp) {
        if (family.timestampSize() != timestamp.length) {
            throw new IllegalArgumentException("The timestamp has " + timestamp.length
                    + " bytes, but those of the column family " + family + " have " + family.timestampSize());
        }
        boolean isRange = record.tag() == BatchFormat.DELETE_RANGE;
        if (record.keyLength() < timestamp.length || (isRange && record.valueLength() < timestamp.length)) {
            throw ApiCall.failure(record.damaged("a key is shorter than its timestamp"));
        }
    }

    private static void setTimestamp(MemorySegment key, byte[] timestamp) {
        MemorySegment.copy(timestamp, 0, key, BatchFormat.BYTE, key.byteSize() - timestamp.length, timestamp.length);
    }

    /** Empties the batch and forgets its save points. Its memory is kept for later operations. */
    public void clear() {
        buffer.clear();
        ownFrom = BatchFormat.HEADER;
    }

    /**
     * Returns the number of operations in the batch. Log data does not count.
     *
     * @return the number, unsigned
     */
    public int count() {
        return buffer.count();
    }

    /**
     * Returns the size of the batch in RocksDB's format.
     *
     * @return bytes; 12 if it is empty
     */
    public long byteSize() {
        return buffer.size();
    }

    /**
     * Returns the batch in RocksDB's format.
     *
     * @return its bytes, read-only; undefined once the batch is changed
     */
    public MemorySegment data() {
        return buffer.data().asReadOnly();
    }

    /**
     * Passes all records to a handler, in the order in which they were added. Stops if the handler throws.
     *
     * @param handler is called for each record; it must not change the batch
     * @throws RocksDBException      with {@link Status.Code#CORRUPTION} if several threads have corrupted the batch; with {@link
     *                               Status.Code#NOT_SUPPORTED} for records that only RocksDB itself can understand, such as references to
     *                               blob files, which may be in batches from a write-ahead log
     * @throws IllegalStateException if the handler changed the batch
     */
    public void forEach(WriteBatchHandler handler) {
        Objects.requireNonNull(handler, "handler");
        MemorySegment data = data();
        int count = count();
        BatchReader reader = new BatchReader(data);
        while (ApiCall.next(reader)) {
            show(reader, handler);
            if (byteSize() != data.byteSize() || count() != count) {
                throw new IllegalStateException("The write batch was changed while its records were shown");
            }
        }
    }

    private static void show(BatchReader record, WriteBatchHandler handler) {
        int family = record.family();
        switch (record.tag()) {
            case BatchFormat.PUT -> handler.put(family, record.key(), record.value());
            case BatchFormat.DELETE -> handler.delete(family, record.key());
            case BatchFormat.SINGLE_DELETE -> handler.singleDelete(family, record.key());
            case BatchFormat.DELETE_RANGE -> handler.deleteRange(family, record.key(), record.value());
            case BatchFormat.MERGE -> handler.merge(family, record.key(), record.value());
            case BatchFormat.PUT_ENTITY -> handler.putEntity(family, record.key(), columns(record.value()));
            case BatchFormat.LOG_DATA -> handler.logData(record.value());
            case BatchFormat.BEGIN_PREPARE, BatchFormat.BEGIN_PERSISTED_PREPARE, BatchFormat.BEGIN_UNPREPARE ->
                handler.beginPrepare();
            case BatchFormat.END_PREPARE -> handler.endPrepare(record.value());
            case BatchFormat.COMMIT, BatchFormat.COMMIT_WITH_TIMESTAMP -> handler.commit(record.value());
            case BatchFormat.ROLLBACK -> handler.rollback(record.value());
            case BatchFormat.NOOP -> {
            }
            default -> throw notSupported(record.tag());
        }
    }

    static RocksDBException notSupported(byte tag) {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, switch (tag) {
            case BatchFormat.BLOB_INDEX ->
                "The write batch refers to a blob file, which only its own database can read";
            case BatchFormat.TIMED_PUT ->
                "The write batch has a put with a write time, which RocksDB only experiments with";
            default -> "The write batch has the mark of a prepared transaction, which only RocksDB itself may write";
        });
    }

    private static List<WideColumn> columns(MemorySegment value) {
        WideColumns.Entity entity = WideColumns.Entity.read(value);
        ApiCall.check(entity.problem());
        return WideColumn.of(entity.columns());
    }

    /** The size and the first records, for messages. */
    @Override
    public String toString() {
        return "write batch of " + count() + (count() == 1 ? " record, " : " records, ") + byteSize() + " bytes"
                + BatchText.of(data());
    }
}
