package org.rocksdb;

import java.nio.ByteBuffer;

/** An iterator over a batch and a database. Whoever uses it has the batch alone, which it reads. */
final class BatchIterator extends RocksIterator {

    private final WriteBatchWithIndex batch;
    /** What native code reads as long as this lives. */
    @SuppressWarnings("unused")
    private final Object[] kept;

    BatchIterator(WriteBatchWithIndex batch, RocksDB database, long nativeHandle, Object... kept) {
        super(database, nativeHandle);
        this.batch = batch;
        this.kept = kept;
    }

    @Override
    public boolean isValid() {
        synchronized (batch) {
            return super.isValid();
        }
    }

    @Override
    public void seekToFirst() {
        synchronized (batch) {
            super.seekToFirst();
        }
    }

    @Override
    public void seekToLast() {
        synchronized (batch) {
            super.seekToLast();
        }
    }

    @Override
    public void seek(byte[] target) {
        synchronized (batch) {
            super.seek(target);
        }
    }

    @Override
    public void seekForPrev(byte[] target) {
        synchronized (batch) {
            super.seekForPrev(target);
        }
    }

    @Override
    public void seek(ByteBuffer target) {
        synchronized (batch) {
            super.seek(target);
        }
    }

    @Override
    public void seekForPrev(ByteBuffer target) {
        synchronized (batch) {
            super.seekForPrev(target);
        }
    }

    @Override
    public void next() {
        synchronized (batch) {
            super.next();
        }
    }

    @Override
    public void prev() {
        synchronized (batch) {
            super.prev();
        }
    }

    @Override
    public void refresh() throws RocksDBException {
        synchronized (batch) {
            super.refresh();
        }
    }

    @Override
    public void refresh(Snapshot snapshot) throws RocksDBException {
        synchronized (batch) {
            super.refresh(snapshot);
        }
    }

    @Override
    public void status() throws RocksDBException {
        synchronized (batch) {
            super.status();
        }
    }

    @Override
    public byte[] key() {
        synchronized (batch) {
            return super.key();
        }
    }

    @Override
    public int key(byte[] key, int offset, int len) {
        synchronized (batch) {
            return super.key(key, offset, len);
        }
    }

    @Override
    public int key(ByteBuffer key) {
        synchronized (batch) {
            return super.key(key);
        }
    }

    @Override
    public byte[] value() {
        synchronized (batch) {
            return super.value();
        }
    }

    @Override
    public int value(byte[] value, int offset, int len) {
        synchronized (batch) {
            return super.value(value, offset, len);
        }
    }

    @Override
    public int value(ByteBuffer value) {
        synchronized (batch) {
            return super.value(value);
        }
    }

    @Override
    public void close() {
        synchronized (batch) {
            super.close();
            batch.remove(this);
        }
    }
}
