package org.rocksdb;

import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Writes that are applied atomically. A lock serializes threads. Until it is cleared, a batch takes only column families of one database.
 */
public abstract class AbstractWriteBatch extends RocksObject implements WriteBatchInterface {

    private static final int NO_VALUE = -1;

    /** The database of the families; null while there are none. */
    private RocksDB database_;
    private long maxBytes_ = Long.MAX_VALUE;

    /**
     * For subclasses.
     *
     * @param nativeHandle the address of the native object; 0 if there is none
     */
    protected AbstractWriteBatch(long nativeHandle) {
        super(nativeHandle);
    }

    /** Makes a batch without a native object. Its lock guards it. */
    AbstractWriteBatch() {
        super(0, false);
        // It is on the heap.
        endWatch();
    }

    /** Adds a record, without a value if the value is null. The batch is locked and open, and has room. */
    abstract void add(byte tag, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException;

    /** Adds a record from native memory. */
    abstract void add(byte tag, ColumnFamilyHandle family, MemorySegment key, MemorySegment value)
            throws RocksDBException;

    abstract void addLogData(byte[] blob);

    /** Throws if the batch is closed. */
    abstract void requireOpen();

    /** Returns the size in bytes. The batch is locked. */
    abstract long size();

    abstract int records();

    /** Returns the live records without an index. The batch is open. */
    abstract WriteBatch unindexed();

    /** Returns the batch that keeps track of the database of the records. */
    AbstractWriteBatch owner() {
        return this;
    }

    abstract void clearRecords();

    abstract void beginSavePoint();

    abstract void undoToSavePoint() throws RocksDBException;

    abstract void forgetSavePoint() throws RocksDBException;

    @Override
    public synchronized int count() {
        requireOpen();
        return records();
    }

    @Override
    public void put(byte[] key, byte[] value) throws RocksDBException {
        pair(BatchFormat.PUT, null, key, value);
    }

    @Override
    public void put(ColumnFamilyHandle columnFamilyHandle, byte[] key, byte[] value) throws RocksDBException {
        pair(BatchFormat.PUT, require(columnFamilyHandle), key, value);
    }

    @Override
    public void merge(byte[] key, byte[] value) throws RocksDBException {
        pair(BatchFormat.MERGE, null, key, value);
    }

    @Override
    public void merge(ColumnFamilyHandle columnFamilyHandle, byte[] key, byte[] value) throws RocksDBException {
        pair(BatchFormat.MERGE, require(columnFamilyHandle), key, value);
    }

    @Override
    public void put(ByteBuffer key, ByteBuffer value) throws RocksDBException {
        requireDirect(key, value);
        direct(BatchFormat.PUT, null, key, value);
    }

    @Override
    public void put(ColumnFamilyHandle columnFamilyHandle, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        requireDirect(key, value);
        direct(BatchFormat.PUT, require(columnFamilyHandle), key, value);
    }

    @Override
    public void delete(byte[] key) throws RocksDBException {
        key(BatchFormat.DELETE, null, key);
    }

    @Override
    public void delete(ColumnFamilyHandle columnFamilyHandle, byte[] key) throws RocksDBException {
        key(BatchFormat.DELETE, require(columnFamilyHandle), key);
    }

    @Override
    public void delete(ByteBuffer key) throws RocksDBException {
        NativeValues.refuseHeap(key, "key");
        direct(BatchFormat.DELETE, null, key, null);
    }

    @Override
    public void delete(ColumnFamilyHandle columnFamilyHandle, ByteBuffer key) throws RocksDBException {
        ColumnFamilyHandle family = require(columnFamilyHandle);
        NativeValues.refuseHeap(key, "key");
        direct(BatchFormat.DELETE, family, key, null);
    }

    @Override
    public void singleDelete(byte[] key) throws RocksDBException {
        key(BatchFormat.SINGLE_DELETE, null, key);
    }

    @Override
    public void singleDelete(ColumnFamilyHandle columnFamilyHandle, byte[] key) throws RocksDBException {
        key(BatchFormat.SINGLE_DELETE, require(columnFamilyHandle), key);
    }

    @Override
    public void deleteRange(byte[] beginKey, byte[] endKey) throws RocksDBException {
        pair(BatchFormat.DELETE_RANGE, null, beginKey, endKey);
    }

    @Override
    public void deleteRange(ColumnFamilyHandle columnFamilyHandle, byte[] beginKey, byte[] endKey)
            throws RocksDBException {
        pair(BatchFormat.DELETE_RANGE, require(columnFamilyHandle), beginKey, endKey);
    }

    @Override
    public synchronized void putLogData(byte[] blob) throws RocksDBException {
        requireOpen();
        requireRoom(0, blob.length, NO_VALUE);
        addLogData(blob);
    }

    @Override
    public synchronized void clear() {
        requireOpen();
        clearRecords();
        database_ = null;
    }

    @Override
    public synchronized void setSavePoint() {
        requireOpen();
        beginSavePoint();
    }

    @Override
    public synchronized void rollbackToSavePoint() throws RocksDBException {
        requireOpen();
        undoToSavePoint();
    }

    @Override
    public synchronized void popSavePoint() throws RocksDBException {
        requireOpen();
        forgetSavePoint();
    }

    @Override
    public synchronized void setMaxBytes(long maxBytes) {
        requireOpen();
        owner().maxBytes_ = maxBytes == 0 ? Long.MAX_VALUE : maxBytes;
    }

    /**
     * Returns the records without an index.
     *
     * @return the live records of this batch; records that are added to them are added to this batch, but not to its index
     */
    @Override
    public synchronized WriteBatch getWriteBatch() {
        requireOpen();
        return unindexed();
    }

    private static ColumnFamilyHandle require(ColumnFamilyHandle family) {
        return java.util.Objects.requireNonNull(family, "The column family is null");
    }

    private synchronized void pair(byte tag, ColumnFamilyHandle family, byte[] key, byte[] value)
            throws RocksDBException {
        requireOpen();
        requireRoom(enter(family), key.length, value.length);
        add(tag, family, key, value);
    }

    private synchronized void key(byte tag, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        requireOpen();
        requireRoom(enter(family), key.length, NO_VALUE);
        add(tag, family, key, null);
    }

    /** Checks that both buffers are direct. As published, this is an assertion, unlike for deleted keys. */
    private static void requireDirect(ByteBuffer key, ByteBuffer value) throws RocksDBException {
        NativeValues.requireDirect(key, "key");
        NativeValues.requireDirect(value, "value");
    }

    /** Adds a record from direct buffers. Afterwards their positions are their limits. */
    private synchronized void direct(byte tag, ColumnFamilyHandle family, ByteBuffer key, ByteBuffer value)
            throws RocksDBException {
        requireOpen();
        requireRoom(enter(family), key.remaining(), value == null ? NO_VALUE : value.remaining());
        add(tag, family, MemorySegment.ofBuffer(key), value == null ? null : MemorySegment.ofBuffer(value));
        key.position(key.limit());
        if (value != null) {
            value.position(value.limit());
        }
    }

    /** Checks that a family is open and of the same database as the others, and returns its id. */
    @SuppressWarnings("ReferenceEquality") // a database is itself only
    private int enter(ColumnFamilyHandle family) {
        if (family == null) {
            return 0;
        }
        RocksDB of = family.database();
        long _ = family.in(of);
        AbstractWriteBatch owner = owner();
        if (owner.database_ == null) {
            owner.database_ = of;
        } else if (owner.database_ != of) {
            throw new IllegalArgumentException("The batch has records of another database's column families");
        }
        return family.id();
    }

    /** Checks that the batch may be written to a database. The batch is locked. */
    final void requireFor(RocksDB database) {
        requireOpen();
        RocksDB of = owner().database_;
        if (of != null && !DatabaseState.isSame(of, database)) {
            throw new IllegalArgumentException("The batch has records of another database's column families");
        }
    }

    private void requireRoom(int family, int key, int value) throws RocksDBException {
        long maxBytes = owner().maxBytes_;
        if (maxBytes != Long.MAX_VALUE) {
            long record = 1L + (family == 0 ? 0 : BatchFormat.varintSize(Integer.toUnsignedLong(family)))
                    + BatchFormat.varintSize(key) + key
                    + (value == NO_VALUE ? 0 : BatchFormat.varintSize(value) + (long) value);
            if (size() + record > maxBytes) {
                throw new RocksDBException(new Status(Status.Code.Aborted, Status.SubCode.MemoryLimit, null));
            }
        }
    }

    static RocksDBException noSavePoint() {
        return new RocksDBException(new Status(Status.Code.NotFound, Status.SubCode.None, null));
    }
}
