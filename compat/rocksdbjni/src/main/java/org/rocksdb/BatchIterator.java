package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeIterator;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** An iterator over a batch, such as a transaction's, and a database. Each call locks the batch. */
/*
 * RocksDB remembers the address of an entry's value among the records of the batch. Added records may move all of them, so the value is
 * then looked up again.
 */
final class BatchIterator extends RocksIterator {

    private final WriteBatchWithIndex batch;
    /** The address of the records when the iterator was moved. */
    private long records;
    /** Set with the batch locked. The batch may end now; a database that is being closed frees the native iterator later. */
    private boolean isClosed;

    BatchIterator(WriteBatchWithIndex batch, RocksDB database, long nativeHandle) {
        super(database, nativeHandle);
        this.batch = batch;
    }

    @Override
    void moved() {
        super.moved();
        records = batch.recordsAddress(guard.lengthWord);
    }

    @Override
    void requireValue() {
        requireEntry();
        if (records != batch.recordsAddress(guard.lengthWord)) {
            findAgain();
        }
    }

    private void findAgain() {
        try (Scratch scratch = Scratch.open()) {
            byte[] key = currentKey();
            MemorySegment target = NativeValues.key(scratch, key, 0, key.length);
            NativeIterator.seek(guard.iterator(), target, key.length);
            moved();
            if (!guard.isAtEntry() || !Arrays.equals(key, currentKey())) {
                throw new IllegalStateException(
                        "The entry was deleted from the batch after the iterator had come to it:"
                                + " move the iterator before its value is asked for");
            }
        }
    }

    private void requireNotClosed() {
        if (isClosed) {
            throw IteratorState.closed();
        }
    }

    @Override
    public boolean isValid() {
        synchronized (batch) {
            requireNotClosed();
            return super.isValid();
        }
    }

    @Override
    public void seekToFirst() {
        synchronized (batch) {
            requireNotClosed();
            super.seekToFirst();
        }
    }

    @Override
    public void seekToLast() {
        synchronized (batch) {
            requireNotClosed();
            super.seekToLast();
        }
    }

    @Override
    public void seek(byte[] target) {
        synchronized (batch) {
            requireNotClosed();
            super.seek(target);
        }
    }

    @Override
    public void seekForPrev(byte[] target) {
        synchronized (batch) {
            requireNotClosed();
            super.seekForPrev(target);
        }
    }

    @Override
    public void seek(ByteBuffer target) {
        synchronized (batch) {
            requireNotClosed();
            super.seek(target);
        }
    }

    @Override
    public void seekForPrev(ByteBuffer target) {
        synchronized (batch) {
            requireNotClosed();
            super.seekForPrev(target);
        }
    }

    @Override
    public void next() {
        synchronized (batch) {
            requireNotClosed();
            super.next();
        }
    }

    @Override
    public void prev() {
        synchronized (batch) {
            requireNotClosed();
            super.prev();
        }
    }

    @Override
    public void refresh() throws RocksDBException {
        synchronized (batch) {
            requireNotClosed();
            super.refresh();
        }
    }

    @Override
    public void refresh(Snapshot snapshot) throws RocksDBException {
        synchronized (batch) {
            requireNotClosed();
            super.refresh(snapshot);
        }
    }

    @Override
    public void status() throws RocksDBException {
        synchronized (batch) {
            requireNotClosed();
            super.status();
        }
    }

    @Override
    public byte[] key() {
        synchronized (batch) {
            requireNotClosed();
            return super.key();
        }
    }

    @Override
    public int key(byte[] key, int offset, int len) {
        synchronized (batch) {
            requireNotClosed();
            return super.key(key, offset, len);
        }
    }

    @Override
    public int key(ByteBuffer key) {
        synchronized (batch) {
            requireNotClosed();
            return super.key(key);
        }
    }

    @Override
    public byte[] value() {
        synchronized (batch) {
            requireNotClosed();
            return super.value();
        }
    }

    @Override
    public int value(byte[] value, int offset, int len) {
        synchronized (batch) {
            requireNotClosed();
            return super.value(value, offset, len);
        }
    }

    @Override
    public int value(ByteBuffer value) {
        synchronized (batch) {
            requireNotClosed();
            return super.value(value);
        }
    }

    @Override
    public void close() {
        synchronized (batch) {
            super.close();
            isClosed = true;
            batch.remove(this);
        }
    }
}
