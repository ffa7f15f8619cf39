package org.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Walks over the records that a batch has for a family, in the order of their keys. Records of the same key come in the order in which they
 * were added. Each call locks the batch. The iterator stays valid when records are added, and ends when the batch is cleared, rolled back
 * or closed.
 */
public class WBWIRocksIterator extends AbstractRocksIterator<WriteBatchWithIndex> {

    /** Holds copies: records that are added later may move the batch. */
    private final WriteEntry entry = new WriteEntry();

    /**
     * For subclasses.
     *
     * @param wbwi         the batch
     * @param nativeHandle the address of the native iterator
     */
    protected WBWIRocksIterator(WriteBatchWithIndex wbwi, long nativeHandle) {
        super(wbwi, nativeHandle);
    }

    /**
     * Reads the record.
     *
     * @return the record, always in the same object; the next call of this method puts another record into it
     */
    public WriteEntry entry() {
        synchronized (parent_) {
            requireRecord();
            long[] parts = entry1(nativeHandle_);
            entry.type = WriteType.fromId((byte) parts[0]);
            AbstractSlice.take(entry.key, parts[1]);
            AbstractSlice.take(entry.value, parts[2]);
            return entry;
        }
    }

    private void requireRecord() {
        if (!hasEntry()) {
            throw atNoEntry();
        }
    }

    @Override
    boolean hasEntry() {
        synchronized (parent_) {
            guard.requireOpen();
            return isValid0Jni(nativeHandle_);
        }
    }

    @Override
    void toFirst() {
        synchronized (parent_) {
            guard.requireOpen();
            seekToFirst0Jni(nativeHandle_);
        }
    }

    @Override
    void toLast() {
        synchronized (parent_) {
            guard.requireOpen();
            seekToLast0Jni(nativeHandle_);
        }
    }

    @Override
    void to(MemorySegment key, int size) {
        synchronized (parent_) {
            guard.requireOpen();
            seekDirect0Jni(nativeHandle_, key.asByteBuffer(), 0, size);
        }
    }

    @Override
    void toOrBefore(MemorySegment key, int size) {
        synchronized (parent_) {
            guard.requireOpen();
            seekForPrevDirect0Jni(nativeHandle_, key.asByteBuffer(), 0, size);
        }
    }

    @Override
    void forward() {
        synchronized (parent_) {
            requireRecord();
            next0Jni(nativeHandle_);
        }
    }

    @Override
    void backward() {
        synchronized (parent_) {
            requireRecord();
            prev0Jni(nativeHandle_);
        }
    }

    @Override
    void requireNoFailure() throws RocksDBException {
        synchronized (parent_) {
            guard.requireOpen();
            status0Jni(nativeHandle_);
        }
    }

    /** Refuses the call, as published: the iterator always sees the current batch. */
    @Override
    void renew() throws RocksDBException {
        synchronized (parent_) {
            guard.requireOpen();
        }
        throw new RocksDBException(new Status(Status.Code.NotSupported, Status.SubCode.None,
                "Refresh(Snapshot*) is not supported"));
    }

    /** Frees the native iterator, and the record. */
    @Override
    public void close() {
        synchronized (parent_) {
            super.close();
            entry.close();
            parent_.remove(this);
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        disposeInternalJni(handle);
    }

    private static native void disposeInternalJni(long iterator);

    private static native boolean isValid0Jni(long iterator);

    private static native void seekToFirst0Jni(long iterator);

    private static native void seekToLast0Jni(long iterator);

    private static native void next0Jni(long iterator);

    private static native void prev0Jni(long iterator);

    private static native void seekDirect0Jni(long iterator, java.nio.ByteBuffer key, int offset, int length);

    private static native void seekForPrevDirect0Jni(long iterator, java.nio.ByteBuffer key, int offset, int length);

    private static native void status0Jni(long iterator) throws RocksDBException;

    private static native long[] entry1(long iterator);

    /** A kind of record. */
    public enum WriteType {
        /** A value. */
        PUT((byte) 0),
        /** An operand. */
        MERGE((byte) 1),
        /** A deletion. */
        DELETE((byte) 2),
        /** A deletion of a key that was put once. */
        SINGLE_DELETE((byte) 3),
        /** A deletion of a range, which batches with an index do not have. */
        DELETE_RANGE((byte) 4),
        /** Data for the write-ahead log, which is in no index. */
        LOG((byte) 5),
        /** A mark of a transaction, which is in no index. */
        XID((byte) 6);

        final byte id;

        WriteType(byte id) {
            this.id = id;
        }

        /**
         * Returns the constant with a number.
         *
         * @param id RocksDB's number
         * @return the constant
         * @throws IllegalArgumentException if there is none
         */
        public static WriteType fromId(byte id) {
            for (WriteType type : values()) {
                if (type.id == id) {
                    return type;
                }
            }
            throw new IllegalArgumentException("No WriteType with id=" + id);
        }
    }

    /** A record of a batch. */
    public static class WriteEntry implements AutoCloseable {

        /** Null until there is a record. */
        WriteType type;
        final DirectSlice key;
        final DirectSlice value;

        private WriteEntry() {
            this(null, new DirectSlice(), new DirectSlice());
        }

        /**
         * Makes a record with which other records are compared.
         *
         * @param type  its kind
         * @param key   its key
         * @param value its value; {@link DirectSlice#NONE} if it has none
         */
        public WriteEntry(WriteType type, DirectSlice key, DirectSlice value) {
            this.type = type;
            this.key = key;
            this.value = value;
        }

        /** {@return the kind of record} */
        public WriteType getType() {
            return type;
        }

        /** {@return the key, in the same object for each record of an iterator} */
        public DirectSlice getKey() {
            return key;
        }

        /** {@return the value, in the same object for each record of an iterator; null if there is none} */
        public DirectSlice getValue() {
            return value == null || !value.isOwningHandle() ? null : value;
        }

        /** {@return the hash code of the key} */
        @Override
        public int hashCode() {
            return key == null ? 0 : key.hashCode();
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof WriteEntry that && type == that.type
                    && Objects.equals(key, that.key) && Objects.equals(value, that.value));
        }

        /** Frees key and value. */
        @Override
        public void close() {
            for (DirectSlice slice : new DirectSlice[]{value, key}) {
                if (slice != null) {
                    slice.close();
                }
            }
        }
    }
}
