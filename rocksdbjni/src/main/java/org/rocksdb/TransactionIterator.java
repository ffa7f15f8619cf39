package org.rocksdb;

import java.nio.ByteBuffer;

/** Walks over what a transaction sees. It reads the transaction's batch, so no other call of that may run at the same time. */
final class TransactionIterator extends RocksIterator {

    private final TransactionParts transaction;

    TransactionIterator(RocksDB database, TransactionParts transaction, long nativeHandle) {
        super(database, nativeHandle);
        this.transaction = transaction;
    }

    @Override
    public boolean isValid() {
        synchronized (transaction.lock()) {
            return super.isValid();
        }
    }

    @Override
    public void seekToFirst() {
        synchronized (transaction.lock()) {
            super.seekToFirst();
        }
    }

    @Override
    public void seekToLast() {
        synchronized (transaction.lock()) {
            super.seekToLast();
        }
    }

    @Override
    public void seek(byte[] target) {
        synchronized (transaction.lock()) {
            super.seek(target);
        }
    }

    @Override
    public void seekForPrev(byte[] target) {
        synchronized (transaction.lock()) {
            super.seekForPrev(target);
        }
    }

    @Override
    public void seek(ByteBuffer target) {
        synchronized (transaction.lock()) {
            super.seek(target);
        }
    }

    @Override
    public void seekForPrev(ByteBuffer target) {
        synchronized (transaction.lock()) {
            super.seekForPrev(target);
        }
    }

    @Override
    public void next() {
        synchronized (transaction.lock()) {
            super.next();
        }
    }

    @Override
    public void prev() {
        synchronized (transaction.lock()) {
            super.prev();
        }
    }

    @Override
    public void refresh() throws RocksDBException {
        synchronized (transaction.lock()) {
            super.refresh();
        }
    }

    @Override
    public void refresh(Snapshot snapshot) throws RocksDBException {
        synchronized (transaction.lock()) {
            super.refresh(snapshot);
        }
    }

    @Override
    public void status() throws RocksDBException {
        synchronized (transaction.lock()) {
            super.status();
        }
    }

    @Override
    public byte[] key() {
        synchronized (transaction.lock()) {
            return super.key();
        }
    }

    @Override
    public int key(byte[] key, int offset, int len) {
        synchronized (transaction.lock()) {
            return super.key(key, offset, len);
        }
    }

    @Override
    public int key(ByteBuffer key) {
        synchronized (transaction.lock()) {
            return super.key(key);
        }
    }

    @Override
    public byte[] value() {
        synchronized (transaction.lock()) {
            return super.value();
        }
    }

    @Override
    public int value(byte[] value, int offset, int len) {
        synchronized (transaction.lock()) {
            return super.value(value, offset, len);
        }
    }

    @Override
    public int value(ByteBuffer value) {
        synchronized (transaction.lock()) {
            return super.value(value);
        }
    }

    @Override
    public void close() {
        synchronized (transaction.lock()) {
            super.close();
            transaction.remove(this);
        }
    }
}
