package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.nio.ByteBuffer;

/** Walks over the entries of a database or column family. */
public class RocksIterator extends AbstractRocksIterator<RocksDB> {

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
     * Returns the key of the entry.
     *
     * @return a copy
     */
    public byte[] key() {
        guard.enter();
        try {
            return currentKey();
        } finally {
            guard.exit();
        }
    }

    /** Returns a copy of the key, within a call. */
    final byte[] currentKey() {
        long address = keyAddress();
        return NativeValues.bytes(address, size());
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
            return NativeValues.copy(address, size(), key, offset, len);
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
            return NativeValues.copy(address, size(), key);
        } finally {
            guard.exit();
        }
    }

    /**
     * Returns the value of the entry.
     *
     * @return a copy
     */
    public byte[] value() {
        guard.enter();
        try {
            long address = valueAddress();
            return NativeValues.bytes(address, size());
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
            return NativeValues.copy(address, size(), value, offset, len);
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
            return NativeValues.copy(address, size(), value);
        } finally {
            guard.exit();
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        if (!guard.goHome()) {
            NativeIterator.destroy(handle);
        }
    }

    /** Ends this iterator, but leaves the native iterator to the caller. */
    long giveAway() {
        long iterator = guard.giveAway();
        disOwnNativeHandle();
        parent_.state_.remove(this);
        return iterator;
    }

    /** Lets the native iterator read a snapshot, within a call. */
    final void refreshTo(Snapshot snapshot) {
        NativeMethods.require("Java_org_rocksdb_RocksIterator_refresh1");
        refresh1(JniWrappers.object(guard.iterator()), JniWrappers.object(snapshot.nativeHandle_));
    }

    final native void refresh1(long handle, long snapshot);

    private long keyAddress() {
        requireEntry();
        return guard.key();
    }

    /** Checks, within a call, that there is an entry whose value native code knows. */
    void requireValue() {
        requireEntry();
    }

    private long valueAddress() {
        requireValue();
        return guard.value();
    }

    private long size() {
        long size = guard.length();
        if (size < 0) {
            // RocksDB takes the time from the end without a check.
            throw new IllegalStateException("The value is shorter than the time that a TtlDB keeps at its end: it was"
                    + " not written by a TtlDB. Open the database with RocksDB.open");
        }
        return size;
    }
}
