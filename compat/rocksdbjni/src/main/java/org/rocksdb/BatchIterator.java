package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeIterator;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;

/** An iterator over a database and batches, such as the batch of a transaction. Each call locks the batches. */
/*
 * RocksDB remembers the address of an entry's value among the records of a batch. Adding a record may move all records. Then the value is
 * looked up again.
 */
final class BatchIterator extends RocksIterator {

    /** The batches, each once, in the order in which they are locked. */
    private final WriteBatchWithIndex[] batches;
    /** The addresses of the records when the iterator was moved. */
    private final long[] records;
    /** Set with a batch locked. The batch may end then. If the database is being closed, it frees the native iterator later. */
    private volatile boolean isClosed;

    /** Makes an iterator with its batches locked. */
    BatchIterator(WriteBatchWithIndex[] batches, RocksDB database, long nativeHandle) {
        super(database, nativeHandle);
        this.batches = batches;
        records = new long[batches.length];
        for (WriteBatchWithIndex batch : batches) {
            batch.add(this);
        }
    }

    /** Returns the batches of an iterator over a batch and another iterator. */
    static WriteBatchWithIndex[] batches(WriteBatchWithIndex batch, RocksIterator base) {
        // All threads lock the batches in the order of their addresses.
        return base instanceof BatchIterator deep
                ? Stream.concat(Stream.of(batch), Arrays.stream(deep.batches)).distinct()
                        .sorted(Comparator.comparingLong(WriteBatchWithIndex::getNativeHandle))
                        .toArray(WriteBatchWithIndex[]::new)
                : new WriteBatchWithIndex[]{batch};
    }

    /** A call with the batches locked. */
    interface Call<T, X extends Exception> {
        T run() throws X;
    }

    /** Makes a call while the batches from an index on are locked. */
    static <T, X extends Exception> T locked(WriteBatchWithIndex[] batches, int from, Call<T, X> call) throws X {
        synchronized (batches[from]) {
            return from == batches.length - 1 ? call.run() : locked(batches, from + 1, call);
        }
    }

    private <T, X extends Exception> T locked(Call<T, X> call) throws X {
        return locked(batches, 0, () -> {
            if (isClosed) {
                throw RocksObject.refusal("The iterator is closed, or has ended because its batch or transaction was"
                        + " committed, rolled back or cleared");
            }
            return call.run();
        });
    }

    private void doLocked(Runnable call) {
        Object _ = locked(() -> {
            call.run();
            return null;
        });
    }

    @Override
    void moved() {
        super.moved();
        for (int i = 0; i < records.length; i++) {
            records[i] = batches[i].recordsAddress(guard.lengthWord);
        }
    }

    @Override
    void requireValue() {
        requireEntry();
        for (int i = 0; i < records.length; i++) {
            if (records[i] != batches[i].recordsAddress(guard.lengthWord)) {
                findAgain();
                return;
            }
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

    @Override
    public boolean isValid() {
        return locked(super::isValid);
    }

    @Override
    public void seekToFirst() {
        doLocked(super::seekToFirst);
    }

    @Override
    public void seekToLast() {
        doLocked(super::seekToLast);
    }

    @Override
    public void seek(byte[] target) {
        doLocked(() -> super.seek(target));
    }

    @Override
    public void seekForPrev(byte[] target) {
        doLocked(() -> super.seekForPrev(target));
    }

    @Override
    public void seek(ByteBuffer target) {
        doLocked(() -> super.seek(target));
    }

    @Override
    public void seekForPrev(ByteBuffer target) {
        doLocked(() -> super.seekForPrev(target));
    }

    @Override
    public void next() {
        doLocked(super::next);
    }

    @Override
    public void prev() {
        doLocked(super::prev);
    }

    @Override
    public void refresh() throws RocksDBException {
        Object _ = locked(() -> {
            super.refresh();
            return null;
        });
    }

    @Override
    public void refresh(Snapshot snapshot) throws RocksDBException {
        Object _ = locked(() -> {
            super.refresh(snapshot);
            return null;
        });
    }

    @Override
    public void status() throws RocksDBException {
        Object _ = locked(() -> {
            super.status();
            return null;
        });
    }

    @Override
    public byte[] key() {
        return locked(super::key);
    }

    @Override
    public int key(byte[] key, int offset, int len) {
        return locked(() -> super.key(key, offset, len));
    }

    @Override
    public int key(ByteBuffer key) {
        return locked(() -> super.key(key));
    }

    @Override
    public byte[] value() {
        return locked(super::value);
    }

    @Override
    public int value(byte[] value, int offset, int len) {
        return locked(() -> super.value(value, offset, len));
    }

    @Override
    public int value(ByteBuffer value) {
        return locked(() -> super.value(value));
    }

    /**
     * Also called by an ending batch, which is locked then. This cannot block: a running call would hold that lock too, and freeing needs
     * no lock of a batch.
     */
    @Override
    public void close() {
        super.close();
        leaveBatches();
    }

    @Override
    long giveAway() {
        long iterator = super.giveAway();
        leaveBatches();
        return iterator;
    }

    private void leaveBatches() {
        isClosed = true;
        for (WriteBatchWithIndex batch : batches) {
            batch.remove(this);
        }
    }
}
