package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.OpenDatabaseWriter.BatchCheck;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.batch.BatchBuffer;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.ClassPreloading;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.batch.TimestampSizes;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Operations that are written to a database together, and that can be read before that: alone, or as if they were in the database
 * already. RocksDB keeps an index of them, so adding to it is slower than to a {@link WriteBatch}.
 *
 * <p>It belongs to one database, and must be closed. Its own methods add to and read from the default column family; {@link
 * #in(ColumnFamily)} is for the others. It cannot hold range deletions or wide-column entities; {@code deleteRange} throws {@link
 * RocksDBException} with {@link Status.Code#NOT_SUPPORTED}.
 *
 * <p>Only one thread at a time may use it, but threads may take turns. Using it at the same time, or after {@link #close()}, throws {@link
 * IllegalStateException}.
 */
public final class WriteBatchWithIndex implements BatchWriter, AutoCloseable {
    final OpenDatabase database;
    final ExclusiveLifetime lifetime;
    /** The {@code rocksdb_writebatch_wi_t *}. */
    final long address;
    private final long maxBytes;
    /** The column families that were asked for, by id; the batch has a lease on each of them. */
    private final Map<Integer, IndexedBatchFamily> families = new HashMap<>();
    private final IndexedBatchFamily defaultFamily;
    /** The column families that have operations in the batch, or had some that were removed again. */
    private final Set<Family> used = new HashSet<>();
    /** The column families with an order of keys that the native batch knows. */
    private final Set<Family> ordered = new HashSet<>();
    /** Its iterators that are open. Used inside only. */
    final OwnedIterators iterators = new OwnedIterators();
    private int count;
    private int savePoints;
    /** Whether there may be operations in column families with timestamps. */
    private boolean isStamped;
    /** Whether there may be operations without their timestamp. */
    private boolean isUnstamped;

    /**
     * Makes an empty batch.
     *
     * @param db            the database it is for
     * @param overwriteKeys whether a new write of a key replaces the older one in the index, which makes reading faster; merges never
     *                      replace anything
     */
    public WriteBatchWithIndex(RocksDB db, boolean overwriteKeys) {
        this(db, overwriteKeys, 0, 0, false);
    }

    /**
     * Makes an empty batch.
     *
     * @param db            the database it is for
     * @param overwriteKeys whether a new write of a key replaces the older one in the index; merges never replace anything
     * @param reservedBytes how much memory to take now
     * @param maxBytes      how long the batch may become; 0 for no limit
     * @param isProtected   whether each operation gets a checksum that is checked when the batch is written
     * @throws IllegalArgumentException if a size is negative or more than 4 GiB
     */
    public WriteBatchWithIndex(RocksDB db, boolean overwriteKeys, long reservedBytes, long maxBytes,
            boolean isProtected) {
        requireSize("reservedBytes", reservedBytes);
        requireSize("maxBytes", maxBytes);
        ClassPreloading.indexedBatches();
        IndexedBatchFamily.preload();
        // Enough stack for everything that is made here, or for giving it back after a failure.
        StackCheck.require(CallbackGuard.OPENING);
        this.database = db.database();
        this.maxBytes = maxBytes;
        Family family = database.defaultFamily().family();
        try (Scratch scratch = family.enter()) {
            // No comparator for column families that the batch does not know: it learns each family's own, see learnOrder.
            long unknown = 0;
            this.address = NativeWriteBatchWithIndex.create(unknown, reservedBytes,
                    overwriteKeys, maxBytes, isProtected ? 8 : 0);
            family.lifetime.lease(scratch, DatabaseChild.WRITE_BATCH);
        }
        this.lifetime = new ExclusiveLifetime(this, "write batch with index of " + database, this::free);
        this.defaultFamily = new IndexedBatchFamily(this, family, new ReadOptions());
        families.put(0, defaultFamily);
        lifetime.enter();
        try {
            learnOrder(family);
        } finally {
            lifetime.exit();
        }
    }

    private static void requireSize(String name, long bytes) {
        if (bytes < 0 || bytes > BatchBuffer.LONGEST_BATCH) {
            throw new IllegalArgumentException(
                    name + " must be from 0 to " + BatchBuffer.LONGEST_BATCH + ", but is " + bytes);
        }
    }

    private void free() {
        NativeWriteBatchWithIndex.destroy(address);
        families.values().forEach(family -> family.family().lifetime.release(DatabaseChild.WRITE_BATCH));
    }

    /**
     * Returns a view of this batch for a column family.
     *
     * @param columnFamily a column family of the batch's database
     * @return always the same object; there is nothing to close
     * @throws IllegalArgumentException if it belongs to another database
     * @throws IllegalStateException    if it was dropped
     */
    public IndexedBatchFamily in(ColumnFamily columnFamily) {
        Family family = database.own(columnFamily);
        requireRoom();
        lifetime.enter();
        try {
            IndexedBatchFamily known = families.get(family.id);
            if (known != null) {
                return known;
            }
            IndexedBatchFamily added = new IndexedBatchFamily(this, family, new ReadOptions());
            try (Scratch scratch = family.enter()) {
                family.lifetime.lease(scratch, DatabaseChild.WRITE_BATCH);
            }
            families.put(family.id, added);
            learnOrder(family);
            return added;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Lets RocksDB learn the order of the keys of a family. RocksDB takes the order from the first operation on the family. Until then it
     * has none, and a bounded iterator over the family would end the process. Adds an operation and removes it again. Does nothing while
     * iterators are open, because they would not survive that.
     */
    private void learnOrder(Family family) {
        if (ordered.contains(family) || !iterators.isEmpty()) {
            return;
        }
        try (Scratch scratch = ApiCall.scratchForCall()) {
            boolean isEmpty = savePoints == 0 && byteSize(scratch) == BatchFormat.HEADER;
            if (family.timestampSize > 0 && !isEmpty) {
                // From then on, the batch would ask for timestamps.
                return;
            }
            NativeWriteBatchWithIndex.setSavePoint(address);
            MemorySegment nothing = MemorySegment.NULL;
            boolean _ = NativeWriteBatchWithIndex.add(scratch, BatchFormat.PUT, address, family.handle, nothing,
                    nothing);
            if (NativeWriteBatchWithIndex.count(address) != count) {
                ordered.add(family);
            }
            NativeWriteBatchWithIndex.rollbackToSavePoint(scratch, address);
            ApiCall.check(scratch);
            if (isEmpty) {
                NativeWriteBatchWithIndex.clear(address);
            }
        }
    }

    /** Refuses an iterator that would end the process, see {@link #learnOrder}. */
    void requireOrder(Family family) {
        learnOrder(family);
        if (!ordered.contains(family)) {
            throw new IllegalStateException("The " + lifetime + " has had no operation on the " + family
                    + " yet, which its iterators need; add one first, or close the batch's other iterators");
        }
    }

    /** Called after an operation was added. Checks whether RocksDB accepted it, because the C API does not report that. */
    void added(Family family) {
        int now = NativeWriteBatchWithIndex.count(address);
        if (now == count) {
            throw refused("The " + family);
        }
        count = now;
        used.add(family);
        ordered.add(family);
        isStamped |= family.timestampSize != 0;
        isUnstamped |= family.timestampSize != 0;
    }

    private RocksDBException refused(String by) {
        return maxBytes == 0
                ? RocksDBException.of(Status.Code.NOT_SUPPORTED,
                        by + " does not take the operation in a write batch with index")
                : RocksDBException.of(Status.Code.ABORTED, Status.SubCode.MEMORY_LIMIT,
                        "The write batch would be longer than " + maxBytes + " bytes; write it, clear it and go on");
    }

    /**
     * Adds data that goes to the write-ahead log with the batch, and nowhere else. It does not count as an operation.
     *
     * @param data the data
     */
    public void putLogData(MemorySegment data) {
        ApiCall.requireSize(data.byteSize());
        requireRoom();
        lifetime.enter();
        try (Scratch scratch = ApiCall.scratchForCall()) {
            MemorySegment bytes = ApiCall.in(scratch, data);
            iterators.beforeChange();
            long before = byteSize(scratch);
            NativeWriteBatchWithIndex.putLogData(address, bytes, data.byteSize());
            if (byteSize(scratch) == before) {
                throw refused("The batch");
            }
        } finally {
            lifetime.exit();
        }
    }

    private long byteSize(Scratch scratch) {
        return NativeWriteBatchWithIndex.data(scratch, address).byteSize();
    }

    /** Sets a save point for {@link #rollbackToSavePoint()}. Save points nest. */
    public void setSavePoint() {
        requireRoom();
        lifetime.enter();
        try {
            NativeWriteBatchWithIndex.setSavePoint(address);
            savePoints++;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Removes the operations that were added since the last save point, forgets that save point, and closes the batch's iterators.
     *
     * @throws RocksDBException with {@link Status.Code#NOT_FOUND} if there is none
     */
    public void rollbackToSavePoint() {
        requireRoom();
        lifetime.enter();
        try (Scratch scratch = ApiCall.scratchForCall()) {
            WriteBatch.requireSavePoint(savePoints != 0);
            iterators.end();
            NativeWriteBatchWithIndex.rollbackToSavePoint(scratch, address);
            ApiCall.check(scratch);
            savePoints--;
            count = NativeWriteBatchWithIndex.count(address);
        } finally {
            lifetime.exit();
        }
    }

    /** Empties the batch, forgets its save points and closes its iterators. */
    public void clear() {
        requireRoom();
        lifetime.enter();
        try {
            iterators.end();
            NativeWriteBatchWithIndex.clear(address);
            count = 0;
            used.clear();
            isStamped = false;
            isUnstamped = false;
            savePoints = 0;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Returns the number of operations in the batch. Log data does not count.
     *
     * @return the number, unsigned
     */
    public int count() {
        requireRoom();
        lifetime.enter();
        try {
            return count;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Returns a copy without an index, to read its bytes or records, or to write it elsewhere.
     *
     * @return a copy
     */
    public WriteBatch toWriteBatch() {
        requireRoom();
        lifetime.enter();
        try (Scratch scratch = ApiCall.scratchForCall()) {
            return WriteBatch.of(NativeWriteBatchWithIndex.data(scratch, address));
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Sets the timestamp of all operations in column families with timestamps. They have none before.
     *
     * @param timestamp the timestamp; copied
     * @throws RocksDBException with {@link Status.Code#INVALID_ARGUMENT} if an operation's timestamp has another size
     */
    public void updateTimestamps(MemorySegment timestamp) {
        byte[] bytes = timestamp.toArray(ValueLayout.JAVA_BYTE);
        requireRoom();
        lifetime.enter();
        try (Scratch scratch = ApiCall.scratchForCall()) {
            iterators.beforeChange();
            long sizes = TimestampSizes.write(scratch, used);
            CApi.rocksdb_writebatch_wi_update_timestamps(address, scratch.allocateFrom(ValueLayout.JAVA_BYTE, bytes),
                    bytes.length, sizes, TimestampSizes.callback(), ApiCall.error(scratch));
            ApiCall.check(scratch);
            isUnstamped = false;
        } finally {
            lifetime.exit();
        }
    }

    /** Checks that there is enough stack for the comparator, which the database's is. */
    void requireRoom() {
        StackCheck.require(CallbackGuard.MAKING);
    }

    /** Refuses any database but its own. */
    void requireFor(OpenDatabase other) {
        if (other != database) {
            throw new IllegalArgumentException("The " + this + " cannot be written to the " + other);
        }
    }

    /** Writes the batch; called within a call of the default column family. */
    void write(Scratch scratch, long writeOptions) {
        requireRoom();
        lifetime.enter();
        List<Scratch> entered = new ArrayList<>();
        try {
            // RocksDB notices a dropped family too late, when the batch is already in the log.
            for (Family family : used) {
                entered.add(family.enter());
            }
            if (isStamped && database.kind().locksKeys()) {
                throw BatchCheck.noTimestamps();
            }
            if (isUnstamped) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        "The write batch cannot be written: it has records without timestamps; set them with"
                                + " updateTimestamps(timestamp)");
            }
            iterators.beforeChange();
            database.kind().writeIndexed(scratch, database.db, writeOptions, address);
            ApiCall.check(scratch);
        } finally {
            entered.forEach(Scratch::close);
            lifetime.exit();
        }
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        defaultFamily.put(key, value);
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
    public void delete(List<MemorySegment> keyParts) {
        defaultFamily.delete(keyParts);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        defaultFamily.singleDelete(key);
    }

    /** Not supported. */
    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        defaultFamily.deleteRange(begin, end);
    }

    /** Not supported. */
    @Override
    public void deleteRange(List<MemorySegment> beginParts, List<MemorySegment> endParts) {
        defaultFamily.deleteRange(beginParts, endParts);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        defaultFamily.merge(key, operand);
    }

    @Override
    public void merge(List<MemorySegment> keyParts, List<MemorySegment> operandParts) {
        defaultFamily.merge(keyParts, operandParts);
    }

    /**
     * Reads from the batch alone, in the default column family, see {@link IndexedBatchFamily#getFromBatch(byte[])}.
     *
     * @param key the key
     * @return the value, or null if the batch does not have the key, or deletes it
     */
    public byte @Nullable [] getFromBatch(byte[] key) {
        return defaultFamily.getFromBatch(key);
    }

    /**
     * Reads the default column family as it will be when the batch has been written.
     *
     * @param key the key
     * @return the value, or null if the key is not there
     */
    public byte @Nullable [] getFromBatchAndDB(byte[] key) {
        return defaultFamily.getFromBatchAndDB(key);
    }

    /**
     * Makes an iterator over the default column family as it will be when the batch has been written, see
     * {@link IndexedBatchFamily#iteratorFromBatchAndDB()}.
     *
     * @return the iterator, which the caller must close; emptying or closing the batch also closes it
     * @throws RocksDBException if RocksDB refuses
     */
    public KeyValueIterator iteratorFromBatchAndDB() {
        return defaultFamily.iteratorFromBatchAndDB();
    }

    /**
     * Frees the batch with all unwritten operations, and closes its iterators. Does nothing if it was closed before.
     *
     * @throws IllegalStateException if another thread has segments of one of its iterators, see {@link KeyValueIterator#detach()}
     */
    @Override
    public void close() {
        lifetime.close(iterators::end);
    }

    /** The batch's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
