package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.SlowReads;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.ClassPreloading;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.batch.SliceParts;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One column family of a {@link WriteBatchWithIndex}: writes are added to the batch, and can be read again. There is nothing to close; it
 * ends with the batch.
 */
public final class IndexedBatchFamily implements BatchWriter {
    private final WriteBatchWithIndex batch;
    private final Family family;
    private final ReadOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long readOptions;
    private final @Nullable Snapshot snapshot;

    IndexedBatchFamily(WriteBatchWithIndex batch, Family family, ReadOptions options) {
        this.batch = batch;
        this.family = family;
        this.options = options;
        this.readOptions = options.use(family.database);
        this.snapshot = options.snapshot();
    }

    /** Initializes a class that batches need later. */
    static void preload() {
        ClassPreloading.initialize(MethodHandles.lookup(), Unused.class);
    }

    Family family() {
        return family;
    }

    /**
     * Returns a view of the same column family and batch that reads the database with other options.
     *
     * @param readOptions how to read; they can no longer be changed
     * @return a view; there is nothing to close
     */
    public IndexedBatchFamily with(ReadOptions readOptions) {
        Objects.requireNonNull(readOptions, "readOptions");
        return new IndexedBatchFamily(batch, family, readOptions);
    }

    private void add(byte tag, MemorySegment key, MemorySegment value) {
        // First: a refused write must not end the segments of iterators.
        ApiCall.requireSize(key.byteSize() + value.byteSize());
        batch.requireRoom();
        batch.lifetime.enter();
        try (Scratch scratch = ApiCall.scratchForCall()) {
            batch.iterators.beforeChange();
            if (NativeWriteBatchWithIndex.add(scratch, tag, batch.address, family.handle, key, value)) {
                batch.added(family);
            }
            ApiCall.check(scratch);
        } finally {
            batch.lifetime.exit();
        }
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        add(BatchFormat.PUT, key, value);
    }

    @Override
    public void put(List<MemorySegment> keyParts, List<MemorySegment> valueParts) {
        ApiCall.requireElements("keyParts", keyParts);
        ApiCall.requireElements("valueParts", valueParts);
        try (Scratch scratch = ApiCall.scratchForCall()) {
            put(gather(scratch, keyParts), gather(scratch, valueParts));
        }
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        add(BatchFormat.DELETE, key, MemorySegment.NULL);
    }

    @Override
    public void delete(List<MemorySegment> keyParts) {
        ApiCall.requireElements("keyParts", keyParts);
        try (Scratch scratch = ApiCall.scratchForCall()) {
            delete(gather(scratch, keyParts));
        }
    }

    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        add(BatchFormat.SINGLE_DELETE, key, MemorySegment.NULL);
    }

    /**
     * Not supported.
     *
     * @throws RocksDBException always, with {@link Status.Code#NOT_SUPPORTED}
     */
    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                "A write batch with index cannot delete ranges; use a WriteBatch, or delete the keys one by one");
    }

    /**
     * Not supported.
     *
     * @throws RocksDBException always, with {@link Status.Code#NOT_SUPPORTED}
     */
    @Override
    public void deleteRange(List<MemorySegment> beginParts, List<MemorySegment> endParts) {
        ApiCall.requireElements("beginParts", beginParts);
        ApiCall.requireElements("endParts", endParts);
        deleteRange(MemorySegment.NULL, MemorySegment.NULL);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        family.requireMergeOperator();
        add(BatchFormat.MERGE, key, operand);
    }

    @Override
    public void merge(List<MemorySegment> keyParts, List<MemorySegment> operandParts) {
        ApiCall.requireElements("keyParts", keyParts);
        ApiCall.requireElements("operandParts", operandParts);
        try (Scratch scratch = ApiCall.scratchForCall()) {
            merge(gather(scratch, keyParts), gather(scratch, operandParts));
        }
    }

    /** Copies the parts into one piece. RocksDB could do that too, but would get bare addresses of memory that may be freed. */
    private static MemorySegment gather(Scratch scratch, List<MemorySegment> parts) {
        SliceParts gathered = new SliceParts(parts);
        ApiCall.requireSize(gathered.length);
        MemorySegment whole = scratch.allocate(gathered.length, 1);
        gathered.copy(whole, 0);
        return whole;
    }

    /**
     * Reads from the batch alone.
     *
     * @param key the key
     * @return the value, or null if the batch does not have the key, or deletes it
     * @throws RocksDBException with {@link Status.Code#MERGE_IN_PROGRESS} if the batch merges into a value that only the database has
     */
    public byte @Nullable [] getFromBatch(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        batch.requireRoom();
        batch.lifetime.enter();
        try (Scratch scratch = ApiCall.scratchForCall()) {
            return take(scratch, NativeWriteBatchWithIndex.get(scratch, batch.address, Unused.OPTIONS, family.handle,
                    key));
        } finally {
            batch.lifetime.exit();
        }
    }

    /**
     * Reads from the batch alone, see {@link #getFromBatch(MemorySegment)}.
     *
     * @param key the key
     * @return the value, or null if the batch does not have the key, or deletes it
     */
    public byte @Nullable [] getFromBatch(byte[] key) {
        Objects.requireNonNull(key, "key");
        return getFromBatch(MemorySegment.ofArray(key));
    }

    /**
     * Reads the value that the database will have when the batch has been written.
     *
     * @param key the key
     * @return the value, or null if the key will not be there
     */
    public byte @Nullable [] getFromBatchAndDB(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        batch.requireRoom();
        SlowReadEvent event = SlowReads.begin();
        batch.lifetime.enter();
        try (Scratch scratch = family.enter(); Scratch _ = enterSnapshot()) {
            return take(scratch, NativeWriteBatchWithIndex.getWithDatabase(scratch, batch.address, family.database.db,
                    readOptions, family.handle, key));
        } finally {
            batch.lifetime.exit();
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Reads the value that the database will have when the batch has been written, see {@link #getFromBatchAndDB(MemorySegment)}.
     *
     * @param key the key
     * @return the value, or null if the key will not be there
     */
    public byte @Nullable [] getFromBatchAndDB(byte[] key) {
        Objects.requireNonNull(key, "key");
        return getFromBatchAndDB(MemorySegment.ofArray(key));
    }

    /**
     * Pins the value that the database will have when the batch has been written. A value of the database is not copied. A value of the
     * batch is a copy, which later changes of the batch do not affect.
     *
     * @param key the key
     * @return the value, which this thread must close; null if the key will not be there
     */
    public @Nullable PinnedSlice getPinnedFromBatchAndDB(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        long pin = 0;
        batch.requireRoom();
        SlowReadEvent event = SlowReads.begin();
        batch.lifetime.enter();
        try (Scratch scratch = family.enter(); Scratch _ = enterSnapshot()) {
            pin = CApi.rocksdb_writebatch_wi_get_pinned_from_batch_and_db_cf(batch.address, family.database.db,
                    readOptions,
                    family.handle, ApiCall.key(scratch, key), key.byteSize(), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot read", pin, NativePins::destroySlice);
            if (pin == 0) {
                return null;
            }
            pin |= PinLayout.OF_TRANSACTION;
            long size = PinLayout.size(pin);
            family.hold(scratch);
            if (!family.database.lifetime.lease(scratch, size)) {
                family.database.lifetime.lease(scratch);
                pin |= PointReads.BEYOND_BUDGET;
            }
        } finally {
            batch.lifetime.exit();
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
        return PinnedSlice.of(family, pin);
    }

    /**
     * Makes an iterator over the column family as it will be when the batch has been written. The iterator is at no entry at first. Later
     * operations in the batch end the current entry: move before reading on. Emptying or closing the batch, or rolling it back to a save
     * point, closes the iterator.
     *
     * @return the iterator, which the caller must close; only one thread at a time may use it and the batch
     * @throws RocksDBException if the options cannot be used for iterating
     */
    public KeyValueIterator iteratorFromBatchAndDB() {
        boolean isBounded = options.lowerBound() != null || options.upperBound() != null;
        return new Iterators(family, options, new IteratorSource(isBounded)).iterator();
    }

    /**
     * Makes an iterator over a range of the column family as it will be when the batch has been written, see
     * {@link #iteratorFromBatchAndDB()}.
     *
     * @param range which keys; its direction does not matter
     * @return the iterator, which the caller must close
     * @throws RocksDBException         if the options cannot be used for iterating
     * @throws IllegalArgumentException if the range is not valid in the order of the column family
     */
    public KeyValueIterator iteratorFromBatchAndDB(KeyRange range) {
        return new Iterators(family, options, new IteratorSource(true)).iterator(range);
    }

    /** The batch over its database. */
    private final class IteratorSource implements Iterators.Source, KeyValueIterator.Owner {
        private final boolean isBounded;

        IteratorSource(boolean isBounded) {
            this.isBounded = isBounded;
        }

        @Override
        public long create(long nativeOptions) {
            if (isBounded) {
                batch.requireOrder(family);
            }
            long base = NativeIterator.create(family.database.db, nativeOptions, family.handle);
            // Takes the base over.
            return NativeWriteBatchWithIndex.createIterator(batch.address, base, family.handle, nativeOptions);
        }

        @Override
        public KeyValueIterator.Owner owner() {
            return this;
        }

        @Override
        public void enter() {
            batch.lifetime.enter();
        }

        @Override
        public void exit() {
            batch.lifetime.exit();
        }

        @Override
        public void opened(KeyValueIterator iterator) {
            batch.iterators.add(iterator);
        }

        @Override
        public void closed(KeyValueIterator iterator) {
            batch.iterators.remove(iterator);
        }
    }

    private @Nullable Scratch enterSnapshot() {
        return snapshot == null ? null : snapshot.enter();
    }

    /** Takes over a value that the C API allocated. */
    private static byte @Nullable [] take(Scratch scratch, long value) {
        if (value == 0) {
            ApiCall.check(scratch);
            return null;
        }
        try {
            long size = NativeWriteBatchWithIndex.size(scratch);
            if (size > ApiCall.LONGEST_ARRAY) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The value has " + size
                        + " bytes, more than an array can have; read it with getPinnedFromBatchAndDB(key)");
            }
            CallbackFailures.rethrow();
            return NativeCalls.view(value, size).toArray(ValueLayout.JAVA_BYTE);
        } finally {
            NativeHeap.free(value);
        }
    }

    /** The column family's name and its database's, for messages. */
    @Override
    public String toString() {
        return family.toString();
    }

    /** Options that the C API asks for and RocksDB does not look at; they live as long as the process. */
    private static final class Unused {
        private static final long OPTIONS = NativeDbOptions.create();
    }
}
