package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/** Walks over the entries of a database or column family. */
public class RocksIterator extends AbstractRocksIterator<RocksDB> {

    /** Bytes that a move copies at most. */
    private static final long LARGEST_AHEAD = 4096;
    private static final VarHandle KEY;
    private static final VarHandle VALUE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            KEY = lookup.findVarHandle(RocksIterator.class, "copiedKey", byte[].class).withInvokeExactBehavior();
            VALUE = lookup.findVarHandle(RocksIterator.class, "copiedValue", byte[].class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * What the move to this entry has copied, because it was asked for at the entry before; null if it was not, or was taken. It saves the
     * thread that moves the iterator a call of its own for each, which begins and ends with an atomic write.
     */
    @SuppressWarnings("UnusedVariable") // read by its handle
    private byte[] copiedKey;
    @SuppressWarnings("UnusedVariable") // likewise
    private byte[] copiedValue;
    private boolean isKeyWanted;
    private boolean isValueWanted;
    /** The id of the thread that has moved it. */
    private long mover;

    /**
     * For subclasses.
     *
     * @param rocksDB      the database
     * @param nativeHandle the address of the native iterator
     */
    protected RocksIterator(RocksDB rocksDB, long nativeHandle) {
        super(rocksDB, nativeHandle);
    }

    /**
     * The key of the entry.
     *
     * @return a copy
     */
    public byte[] key() {
        if (mover == Thread.currentThread().threadId()) {
            guard.requireOpen();
            isKeyWanted = true;
            // Acquire: pairs with the release of moved, should another thread be moving it.
            byte[] copied = (byte[]) KEY.getAcquire(this);
            if (copied != null) {
                copiedKey = null;
                return copied;
            }
        }
        guard.enter();
        try {
            return currentKey();
        } finally {
            guard.exit();
        }
    }

    @Override
    void moved() {
        super.moved();
        boolean isAtEntry = guard.isValid && copiesAhead();
        byte[] key = isAtEntry && isKeyWanted
                ? smallCopy(CApi.rocksdb_iter_key(guard.iterator, guard.length))
                : null;
        byte[] value = isAtEntry && isValueWanted
                ? smallCopy(CApi.rocksdb_iter_value(guard.iterator, guard.length))
                : null;
        isKeyWanted = false;
        isValueWanted = false;
        mover = Thread.currentThread().threadId();
        // Release: another thread that takes them, although this one has moved the iterator, gets whole arrays.
        KEY.setRelease(this, key);
        VALUE.setRelease(this, value);
    }

    /** Whether an entry stays as it is until the iterator is moved. */
    boolean copiesAhead() {
        return true;
    }

    /** A copy of what RocksDB has just told the length of; null if it is none, or so large that a call more does not matter. */
    private byte[] smallCopy(long address) {
        long size = NativeCalls.readLong(guard.length);
        return size < 0 || size > LARGEST_AHEAD ? null : Natives.bytes(address, size);
    }

    /** A copy of the key, within a call. */
    final byte[] currentKey() {
        long address = keyAddress();
        return Natives.bytes(address, size());
    }

    /**
     * Copies the key of the entry, or as much of it as there is room for.
     *
     * @param key where it goes
     * @return the size of the whole key
     */
    public int key(byte[] key) {
        return key(key, 0, key.length);
    }

    /**
     * Copies the key of the entry, or as much of it as there is room for.
     *
     * @param key    where it goes
     * @param offset from where on
     * @param len    how much room there is
     * @return the size of the whole key
     */
    public int key(byte[] key, int offset, int len) {
        guard.enter();
        try {
            long address = keyAddress();
            return Natives.copy(address, size(), key, offset, len);
        } finally {
            guard.exit();
        }
    }

    /**
     * Copies the key of the entry, or as much of it as there is room for; the buffer's limit is where it ends.
     *
     * @param key where it goes
     * @return the size of the whole key
     */
    public int key(ByteBuffer key) {
        guard.enter();
        try {
            long address = keyAddress();
            return Natives.copy(address, size(), key);
        } finally {
            guard.exit();
        }
    }

    /**
     * The value of the entry.
     *
     * @return a copy
     */
    public byte[] value() {
        if (mover == Thread.currentThread().threadId()) {
            guard.requireOpen();
            isValueWanted = true;
            // Acquire: as for keys.
            byte[] copied = (byte[]) VALUE.getAcquire(this);
            if (copied != null) {
                copiedValue = null;
                return copied;
            }
        }
        guard.enter();
        try {
            long address = valueAddress();
            return Natives.bytes(address, size());
        } finally {
            guard.exit();
        }
    }

    /**
     * Copies the value of the entry, or as much of it as there is room for.
     *
     * @param value where it goes
     * @return the size of the whole value
     */
    public int value(byte[] value) {
        return value(value, 0, value.length);
    }

    /**
     * Copies the value of the entry, or as much of it as there is room for.
     *
     * @param value  where it goes
     * @param offset from where on
     * @param len    how much room there is
     * @return the size of the whole value
     */
    public int value(byte[] value, int offset, int len) {
        guard.enter();
        try {
            long address = valueAddress();
            return Natives.copy(address, size(), value, offset, len);
        } finally {
            guard.exit();
        }
    }

    /**
     * Copies the value of the entry, or as much of it as there is room for; the buffer's limit is where it ends.
     *
     * @param value where it goes
     * @return the size of the whole value
     */
    public int value(ByteBuffer value) {
        guard.enter();
        try {
            long address = valueAddress();
            return Natives.copy(address, size(), value);
        } finally {
            guard.exit();
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        CApi.rocksdb_iter_destroy(handle);
    }

    /** Ends this iterator, but leaves the native one to the caller. */
    final long giveAway() {
        long iterator = guard.giveAway();
        owningHandle_.set(false);
        parent_.parts_.remove(this);
        return iterator;
    }

    private long keyAddress() {
        requireEntry();
        return CApi.rocksdb_iter_key(guard.iterator, guard.length);
    }

    /** Checks, within a call, that there is an entry whose value native code knows. */
    void requireValue() {
        requireEntry();
    }

    private long valueAddress() {
        requireValue();
        return CApi.rocksdb_iter_value(guard.iterator, guard.length);
    }

    private long size() {
        long size = NativeCalls.readLong(guard.length);
        if (size < 0) {
            // RocksDB takes the time from the end without a look.
            throw new IllegalStateException("The value is shorter than the time that a TtlDB keeps at its end: it was"
                    + " not written by a TtlDB. Open the database with RocksDB.open");
        }
        return size;
    }
}
