package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.BatchWriter;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Status;
import dev.outcrop.rocksdb.WideColumn;
import dev.outcrop.rocksdb.WriteBatchFamily;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a record to one column family. They go into a batch together with the writes of other records. So a mapper can only add
 * writes, only until it returns, and only in its own thread. After it has returned, each method throws {@link IllegalStateException}, and
 * in another thread {@link WrongThreadException}.
 *
 * <p>Adding allocates nothing. The forms with offset and length need not even a slice of a segment. A mapper may keep the result of
 * {@link #in}: it is the same object for all records.
 */
public final class RecordWrites implements BatchWriter {
    /** No thread has this id. */
    private static final long NO_THREAD = 0;

    private final RecordWrites all;
    private final Batches batches;
    private final ColumnFamily columnFamily;
    /** The timestamp, copied to the heap; null if there is none. */
    private final @Nullable MemorySegment timestamp;
    /** This family in each of the batches; null until something is added to that batch. */
    private final @Nullable WriteBatchFamily[] to = new WriteBatchFamily[Batches.COUNT];
    /** The objects of all requested families. Used in {@link #all}. */
    private final Map<WriteBatchFamily, RecordWrites> families = new HashMap<>();
    /** The thread that maps a record. Used in {@link #all}. Another thread never sees its own id here, because only that thread writes it. */
    private long mapping = NO_THREAD;

    /** Makes the writes to a database's default column family. */
    RecordWrites(Batches batches, ColumnFamily defaultFamily) {
        this.all = this;
        this.batches = batches;
        this.columnFamily = defaultFamily;
        this.timestamp = null;
    }

    private RecordWrites(RecordWrites all, ColumnFamily columnFamily, @Nullable MemorySegment timestamp) {
        this.all = all;
        this.batches = all.batches;
        this.columnFamily = columnFamily;
        this.timestamp = timestamp;
    }

    /** Begins a record in this thread. */
    void begin() {
        mapping = Thread.currentThread().threadId();
    }

    /** Ends the record. */
    void end() {
        mapping = NO_THREAD;
    }

    private WriteBatchFamily adding() {
        requireMapping();
        WriteBatchFamily there = to[batches.index()];
        return there != null ? there : first();
    }

    /** Returns the family in a batch that has no writes from this object yet. */
    private WriteBatchFamily first() {
        WriteBatchFamily there = batches.filling().writes.in(columnFamily);
        if (timestamp != null) {
            there = there.at(timestamp);
        }
        to[batches.index()] = there;
        return there;
    }

    private void requireMapping() {
        if (all.mapping != Thread.currentThread().threadId()) {
            throw refusal();
        }
    }

    private RuntimeException refusal() {
        return all.mapping == NO_THREAD
                ? new IllegalStateException(
                        "No record is being mapped: what a mapper is given to add to ends when it returns")
                : new WrongThreadException(
                        "A record is being mapped by another thread; a mapper adds what a record writes itself");
    }

    /**
     * Returns the writes to a column family.
     *
     * @param columnFamily of the pipeline's database, but not the one with the pipelines' positions
     * @return always the same object for the same column family
     * @throws IllegalArgumentException if it belongs to another database, or holds the pipelines' positions
     */
    public RecordWrites in(ColumnFamily columnFamily) {
        requireMapping();
        WriteBatchFamily there = batches.filling().writes.in(columnFamily);
        RecordWrites known = all.families.get(there);
        return known != null ? known : first(columnFamily, there);
    }

    private RecordWrites first(ColumnFamily columnFamily, WriteBatchFamily there) {
        RecordWrites known = columnFamily.id() == all.columnFamily.id() ? all : inOther(columnFamily.id());
        if (known != null) {
            all.families.put(there, known);
            return known;
        }
        if (columnFamily.name().equals(PositionStore.FAMILY)) {
            throw new IllegalArgumentException("A mapper cannot write to column family " + PositionStore.FAMILY
                    + ": there the pipelines know how far they are");
        }
        RecordWrites made = new RecordWrites(all, columnFamily, null);
        all.families.put(there, made);
        return made;
    }

    /** Finds the object of a family that was requested while another batch was filled. */
    private @Nullable RecordWrites inOther(int id) {
        for (RecordWrites each : all.families.values()) {
            if (each.columnFamily.id() == id) {
                return each;
            }
        }
        return null;
    }

    /**
     * Returns the writes to the same column family at a time; see {@link WriteBatchFamily#at(MemorySegment)}.
     *
     * @return a new object
     */
    @Override
    public RecordWrites at(MemorySegment timestamp) {
        WriteBatchFamily there = adding().at(timestamp);
        RecordWrites made = new RecordWrites(all, columnFamily,
                MemorySegment.ofArray(timestamp.toArray(ValueLayout.JAVA_BYTE)));
        made.to[batches.index()] = there;
        return made;
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        adding().put(key, value);
    }

    @Override
    public void put(MemorySegment key, long keyOffset, long keyLength, MemorySegment value, long valueOffset,
            long valueLength) {
        adding().put(key, keyOffset, keyLength, value, valueOffset, valueLength);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        adding().put(key, value);
    }

    @Override
    public void put(List<MemorySegment> keyParts, List<MemorySegment> valueParts) {
        adding().put(keyParts, valueParts);
    }

    @Override
    public void delete(MemorySegment key) {
        adding().delete(key);
    }

    @Override
    public void delete(MemorySegment key, long keyOffset, long keyLength) {
        adding().delete(key, keyOffset, keyLength);
    }

    @Override
    public void delete(byte[] key) {
        adding().delete(key);
    }

    @Override
    public void delete(List<MemorySegment> keyParts) {
        adding().delete(keyParts);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        adding().singleDelete(key);
    }

    @Override
    public void singleDelete(byte[] key) {
        adding().singleDelete(key);
    }

    /** Deletes a range. The order of the keys is checked only when the batch is written: a wrong order then stops the pipeline. */
    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        adding().deleteRange(begin, end);
    }

    @Override
    public void deleteRange(List<MemorySegment> beginParts, List<MemorySegment> endParts) {
        adding().deleteRange(beginParts, endParts);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        adding().merge(key, operand);
    }

    @Override
    public void merge(MemorySegment key, long keyOffset, long keyLength, MemorySegment operand, long operandOffset,
            long operandLength) {
        adding().merge(key, keyOffset, keyLength, operand, operandOffset, operandLength);
    }

    @Override
    public void merge(byte[] key, byte[] operand) {
        adding().merge(key, operand);
    }

    @Override
    public void merge(List<MemorySegment> keyParts, List<MemorySegment> operandParts) {
        adding().merge(keyParts, operandParts);
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
        adding().putEntity(key, columns);
    }

    /** The column family's name, for messages. */
    @Override
    public String toString() {
        return columnFamily.name();
    }
}
