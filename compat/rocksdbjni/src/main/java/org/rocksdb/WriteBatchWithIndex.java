package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A batch that can be read before it is written. Iterators over it end when it is cleared, rolled back or closed. */
public class WriteBatchWithIndex extends AbstractWriteBatch {

    /** For each native save point, whether it was popped, because RocksDB's C API cannot pop save points. The oldest is last. */
    private final Deque<Boolean> savePointIsPopped_ = new ArrayDeque<>();
    /** The comparators that the index has ever used. RocksDB keeps pointers to them, even if the batch is cleared. */
    private final Set<Object> comparators_ = Collections.newSetFromMap(new IdentityHashMap<>());
    private RocksDB lastDatabase_;
    /** Null until first needed. */
    private UnindexedBatch unindexed_;
    private final Set<AbstractRocksIterator<?>> iterators_ = ConcurrentHashMap.newKeySet();
    /** Whether keys without a family are in an order that the program defines. */
    private final boolean hasFallback_;

    /** The most memory that is reserved: if RocksDB cannot allocate memory, it ends the process. */
    private static final long MOST_RESERVED = 1 << 26;

    /** Makes an empty batch that keeps several records of a key. */
    public WriteBatchWithIndex() {
        this(false);
    }

    /**
     * Makes an empty batch.
     *
     * @param overwriteKey whether only the last record of a key is kept in the index
     */
    public WriteBatchWithIndex(boolean overwriteKey) {
        this(NativeWriteBatchWithIndex.create(0, overwriteKey));
    }

    /**
     * Makes an empty batch.
     *
     * @param fallbackIndexComparator the order of keys in families with an unknown order
     * @param reservedBytes           how many bytes it may need
     * @param overwriteKey            whether only the last record of a key is kept in the index
     */
    @SuppressWarnings("this-escape") // sets a field
    public WriteBatchWithIndex(AbstractComparator fallbackIndexComparator, int reservedBytes, boolean overwriteKey) {
        Object kept = fallbackIndexComparator.kept();
        super(NativeWriteBatchWithIndex.create(fallbackIndexComparator.nativeHandle_,
                Math.min(MOST_RESERVED, OptionChecks.check("reservedBytes", reservedBytes, 0, Integer.MAX_VALUE)),
                overwriteKey, 0, 0));
        comparators_.add(kept);
        hasFallback_ = true;
        callsJava();
    }

    WriteBatchWithIndex(long nativeHandle) {
        super(nativeHandle);
        hasFallback_ = false;
    }

    /**
     * Makes an iterator over the records of a family.
     *
     * @param columnFamilyHandle the family
     * @return an iterator to be closed by the caller
     */
    public synchronized WBWIRocksIterator newIterator(ColumnFamilyHandle columnFamilyHandle) {
        RocksDB database = columnFamilyHandle.database();
        NativeMethods.require("Java_org_rocksdb_WriteBatchWithIndex_iterator1");
        try (Scratch _ = use(); Scratch _ = database.use()) {
            long family = columnFamilyHandle.in(database);
            requireFor(database);
            callsJavaLike(database);
            return added(new WBWIRocksIterator(this,
                    iterator1(NativeCalls.readLong(nativeHandle_), JniWrappers.object(family))));
        }
    }

    /**
     * Makes an iterator over the records of the default family.
     *
     * @return an iterator to be closed by the caller
     */
    public synchronized WBWIRocksIterator newIterator() {
        NativeMethods.require("Java_org_rocksdb_WriteBatchWithIndex_iterator0");
        try (Scratch _ = use()) {
            return added(new WBWIRocksIterator(this, iterator0(NativeCalls.readLong(nativeHandle_))));
        }
    }

    private WBWIRocksIterator added(WBWIRocksIterator iterator) {
        iterators_.add(iterator);
        return iterator;
    }

    private static native long iterator0(long batch);

    private static native long iterator1(long batch, long family);

    /**
     * Makes an iterator over a database as if this batch had been written.
     *
     * @param columnFamilyHandle a family
     * @param baseIterator       an iterator over it, which cannot be used afterwards
     * @return an iterator to be closed by the caller
     */
    public RocksIterator newIteratorWithBase(ColumnFamilyHandle columnFamilyHandle, RocksIterator baseIterator) {
        return newIteratorWithBase(columnFamilyHandle, baseIterator, null);
    }

    /**
     * Makes an iterator over a database as if this batch had been written.
     *
     * @param columnFamilyHandle a family
     * @param baseIterator       an iterator over it, which cannot be used afterwards
     * @param readOptions        with bounds; null for none
     * @return an iterator to be closed by the caller
     */
    public RocksIterator newIteratorWithBase(ColumnFamilyHandle columnFamilyHandle, RocksIterator baseIterator,
            ReadOptions readOptions) {
        RocksDB database = baseIterator.parent_;
        WriteBatchWithIndex[] batches = BatchIterator.batches(this, baseIterator);
        try (Scratch _ = database.use(); Scratch used = Reads.use(readOptions)) {
            return BatchIterator.locked(batches, 0, () -> {
                try (Scratch _ = use()) {
                    long family = columnFamilyHandle.in(database);
                    requireFor(database);
                    return iterator(batches, family, baseIterator, readOptions, used);
                }
            });
        }
    }

    /** Makes an iterator. All batches are locked. */
    private BatchIterator iterator(WriteBatchWithIndex[] batches, long family, RocksIterator baseIterator,
            ReadOptions readOptions, Scratch used) {
        long base = baseIterator.giveAway();
        NativeSlice[] held = null;
        long handle;
        if (readOptions == null) {
            handle = NativeWriteBatchWithIndex.createIterator(nativeHandle_, base, family, 0);
        } else {
            // The lock keeps the options unchanged: the base iterator is used up, so this cannot be repeated.
            synchronized (readOptions.state_) {
                held = readOptions.state_.hold();
                handle = NativeWriteBatchWithIndex.createIterator(nativeHandle_, base, family,
                        readOptions.nativeHandle_);
            }
        }
        BatchIterator made = new BatchIterator(batches, baseIterator.parent_, handle);
        made.guard.takeOver(baseIterator.guard);
        // The native iterator cannot be reused: the reused iterator would be over the database alone.
        Iterators.keep(made, readOptions, used, held);
        return made;
    }

    /**
     * Makes an iterator over a database's default family as if this batch had been written.
     *
     * @param baseIterator an iterator over it, which cannot be used afterwards
     * @return an iterator to be closed by the caller
     */
    public RocksIterator newIteratorWithBase(RocksIterator baseIterator) {
        return newIteratorWithBase(baseIterator.parent_.getDefaultColumnFamily(), baseIterator, null);
    }

    /**
     * Makes an iterator over a database's default family as if this batch had been written.
     *
     * @param baseIterator an iterator over it, which cannot be used afterwards
     * @param readOptions  with bounds; null for none
     * @return an iterator to be closed by the caller
     */
    public RocksIterator newIteratorWithBase(RocksIterator baseIterator, ReadOptions readOptions) {
        return newIteratorWithBase(baseIterator.parent_.getDefaultColumnFamily(), baseIterator, readOptions);
    }

    /** Registers an iterator. It ends with the records. The batch is locked. */
    final void add(BatchIterator iterator) {
        iterators_.add(iterator);
    }

    final void remove(AbstractRocksIterator<?> iterator) {
        iterators_.remove(iterator);
    }

    /**
     * Reads the value that the batch has for a key.
     *
     * @param columnFamilyHandle the family
     * @param options            with the merge operator
     * @param key                the key
     * @return the value; null if there is none, or it is deleted
     * @throws RocksDBException if operands cannot be merged without the database
     */
    public synchronized byte[] getFromBatch(ColumnFamilyHandle columnFamilyHandle, DBOptions options, byte[] key)
            throws RocksDBException {
        RocksDB database = columnFamilyHandle.database();
        try (Scratch scratch = use(); Scratch _ = options.use(); Scratch _ = database.use()) {
            return taken(scratch, NativeWriteBatchWithIndex.get(scratch, nativeHandle_, options.nativeHandle_,
                    columnFamilyHandle.in(database), MemorySegment.ofArray(key)));
        }
    }

    /**
     * Reads the value that the batch has for a key of the default family.
     *
     * @param options with the merge operator
     * @param key     the key
     * @return the value; null if there is none, or it is deleted
     * @throws RocksDBException if operands cannot be merged without the database
     */
    public synchronized byte[] getFromBatch(DBOptions options, byte[] key) throws RocksDBException {
        try (Scratch scratch = use(); Scratch _ = options.use()) {
            return taken(scratch, NativeWriteBatchWithIndex.get(scratch, nativeHandle_, options.nativeHandle_, 0,
                    MemorySegment.ofArray(key)));
        }
    }

    /**
     * Reads the value that a key would have if this batch had been written.
     *
     * @param db                 the database
     * @param columnFamilyHandle one of its families
     * @param options            how to read
     * @param key                the key
     * @return the value; null if there is none
     * @throws RocksDBException if it cannot be read
     */
    public synchronized byte[] getFromBatchAndDB(RocksDB db, ColumnFamilyHandle columnFamilyHandle,
            ReadOptions options, byte[] key) throws RocksDBException {
        try (Scratch scratch = db.use(); Scratch _ = use(); Scratch _ = options.use()) {
            requireFor(db);
            db.state_.look();
            return taken(scratch, NativeWriteBatchWithIndex.getWithDatabase(scratch, nativeHandle_, db.nativeHandle_,
                    options.nativeHandle_, columnFamilyHandle.in(db), MemorySegment.ofArray(key)));
        }
    }

    /**
     * Reads the value that a key of the default family would have if this batch had been written.
     *
     * @param db      the database
     * @param options how to read
     * @param key     the key
     * @return the value; null if there is none
     * @throws RocksDBException if it cannot be read
     */
    public byte[] getFromBatchAndDB(RocksDB db, ReadOptions options, byte[] key) throws RocksDBException {
        return getFromBatchAndDB(db, db.getDefaultColumnFamily(), options, key);
    }

    private static byte[] taken(Scratch scratch, long value) throws RocksDBException {
        Errors.check(scratch);
        if (value == 0) {
            return null;
        }
        try {
            return NativeValues.bytes(value, NativeWriteBatchWithIndex.size(scratch));
        } finally {
            NativeHeap.free(value);
        }
    }

    @Override
    void requireOpen() {
        try (Scratch _ = use()) {
            // Entering the family has checked this.
        }
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        add(tag, family, MemorySegment.ofArray(key), value == null ? null : MemorySegment.ofArray(value));
    }

    @Override
    void add(byte tag, ColumnFamilyHandle family, MemorySegment key, MemorySegment value) throws RocksDBException {
        if (hasFallback_) {
            // RocksDB reads beyond the end of an index if a key does not equal itself.
            RunningCallbacks.ofThread().checkAll();
        }
        try (Scratch scratch = use()) {
            if (family == null) {
                add(scratch, tag, nativeHandle_, 0, key, value);
                return;
            }
            RocksDB database = family.database();
            try (Scratch _ = database.use()) {
                long in = family.in(database);
                keepComparators(database);
                add(scratch, tag, nativeHandle_, in, key, value);
            }
        }
    }

    /** Adds a record to a native batch. A family of 0 is the default one. */
    static void add(Scratch scratch, byte tag, long batch, long family, MemorySegment key, MemorySegment value)
            throws RocksDBException {
        if (tag == BatchFormat.DELETE_RANGE) {
            throw noRanges();
        }
        boolean _ = NativeWriteBatchWithIndex.add(scratch, tag, batch, family, key,
                value == null ? MemorySegment.NULL : value);
        Errors.check(scratch);
    }

    @SuppressWarnings("ReferenceEquality") // a database is itself only
    private void keepComparators(RocksDB database) {
        // Later calls without a family may compare its keys too.
        callsJavaLike(database);
        if (lastDatabase_ != database) {
            comparators_.add(database.state_.kept());
            lastDatabase_ = database;
        }
    }

    static RocksDBException noRanges() {
        return new RocksDBException(new Status(Status.Code.NotSupported, Status.SubCode.None,
                "DeleteRange unsupported in WriteBatchWithIndex"));
    }

    @Override
    void addLogData(byte[] blob) {
        try (Scratch scratch = use()) {
            NativeWriteBatchWithIndex.putLogData(nativeHandle_, NativeValues.copy(scratch, blob), blob.length);
        }
    }

    @Override
    long size() {
        try (Scratch scratch = use()) {
            return NativeWriteBatchWithIndex.data(scratch, nativeHandle_).byteSize();
        }
    }

    /**
     * Returns the address of the records, and stores their length. The address may change when a record is added. The batch is locked and
     * not freed.
     */
    final long recordsAddress(long length) {
        return NativeWriteBatchWithIndex.dataAddress(nativeHandle_, length);
    }

    @Override
    int records() {
        try (Scratch _ = use()) {
            return NativeWriteBatchWithIndex.count(nativeHandle_);
        }
    }

    @Override
    void clearRecords() {
        endIterators();
        savePointIsPopped_.clear();
        try (Scratch _ = use()) {
            NativeWriteBatchWithIndex.clear(nativeHandle_);
        }
        forgetMark();
    }

    @Override
    void beginSavePoint() {
        try (Scratch _ = use()) {
            NativeWriteBatchWithIndex.setSavePoint(nativeHandle_);
        }
        savePointIsPopped_.push(false);
    }

    /** Rolls back to the last save point. Also rolls back popped save points on the way, with the same result. */
    @Override
    void undoToSavePoint() throws RocksDBException {
        if (!savePointIsPopped_.contains(false)) {
            throw noSavePoint();
        }
        endIterators();
        boolean wasPopped = true;
        while (wasPopped) {
            try (Scratch scratch = use()) {
                NativeWriteBatchWithIndex.rollbackToSavePoint(scratch, nativeHandle_);
                Errors.check(scratch);
            }
            wasPopped = savePointIsPopped_.pop();
        }
        if (unindexed_ != null) {
            unindexed_.moveMark();
        }
    }

    @Override
    void forgetSavePoint() throws RocksDBException {
        int popped = 0;
        while (!savePointIsPopped_.isEmpty() && savePointIsPopped_.peek()) {
            savePointIsPopped_.pop();
            popped++;
        }
        boolean found = !savePointIsPopped_.isEmpty();
        if (found) {
            savePointIsPopped_.pop();
            popped++;
        }
        for (; popped > 0; popped--) {
            savePointIsPopped_.push(true);
        }
        if (!found) {
            throw noSavePoint();
        }
    }

    @Override
    WriteBatch unindexed() {
        if (unindexed_ == null) {
            NativeMethods.require("Java_org_rocksdb_WriteBatchWithIndex_getWriteBatchJni");
            try (Scratch _ = use()) {
                unindexed_ = new UnindexedBatch(this,
                        getWriteBatchJni(NativeCalls.readLong(nativeHandle_)).nativeHandle_);
            }
        }
        return unindexed_;
    }

    private static native WriteBatch getWriteBatchJni(long batch);

    /** Ends everything that depends on the records. Called when RocksDB has removed the records. */
    final void forgetRecords() {
        endIterators();
        savePointIsPopped_.clear();
        forgetMark();
    }

    /** Does not lock the batch without the index: the threads that lock it lock this batch afterwards. */
    private void forgetMark() {
        if (unindexed_ != null) {
            unindexed_.forgetMark();
        }
    }

    final void endIterators() {
        iterators_.forEach(AbstractRocksIterator::close);
    }

    @Override
    synchronized void dispose() {
        endIterators();
        super.dispose();
    }

    @Override
    protected final void disposeInternal(long handle) {
        if (handle != 0) {
            free(handle);
        }
    }

    void free(long handle) {
        NativeWriteBatchWithIndex.destroy(handle);
    }
}
