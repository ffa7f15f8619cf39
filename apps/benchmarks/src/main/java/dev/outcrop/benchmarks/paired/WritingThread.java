package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.WriteBatch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;

/** Writes the keys of a thread in ascending order, by each side in turn. */
final class WritingThread {
    private final PairedWorkload workload;
    private final long first;
    private final byte[] key;
    private final byte[] value;
    private final MemorySegment nativeKey;
    private final MemorySegment nativeValue;
    private final ByteBuffer directKey;
    private final ByteBuffer directValue;
    private final WriteBatch batch = new WriteBatch();
    private final org.rocksdb.WriteBatch peerBatch = new org.rocksdb.WriteBatch();
    private final org.rocksdb.WriteOptions peerWriting = new org.rocksdb.WriteOptions().setDisableWAL(true);
    private @Nullable DatabaseWriter writer;
    private org.rocksdb.@Nullable RocksDB rocksJava;
    private long next;

    WritingThread(PairedWorkload workload, long first) {
        this.workload = workload;
        this.first = first;
        this.next = first;
        key = Keys.first(workload.paired().keyBytes());
        value = new byte[workload.paired().valueBytes()];
        Arrays.fill(value, PairedWorkload.VALUE);
        nativeKey = Keys.inSegment(key);
        nativeValue = Keys.inSegment(value);
        directKey = Keys.inBuffer(key);
        directValue = Keys.inBuffer(value);
    }

    /** Starts again, with an empty database. */
    void use(DatabaseWriter newWriter, org.rocksdb.RocksDB newRocksJava) {
        writer = newWriter;
        rocksJava = newRocksJava;
        next = first;
    }

    /** Returns the number of records since {@link #use}. */
    long written() {
        return next - first;
    }

    /** Calls a C function with the first key instead of a seed. */
    long follow(Side.Work function) throws Exception {
        long records = function.run(next);
        next += records;
        return records;
    }

    long putBytes() {
        DatabaseWriter to = Objects.requireNonNull(writer);
        long from = next;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(key, next++);
            to.put(key, value);
        }
        return next - from;
    }

    long putSegments() {
        DatabaseWriter to = Objects.requireNonNull(writer);
        long from = next;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(nativeKey, next++);
            to.put(nativeKey, nativeValue);
        }
        return next - from;
    }

    long peerPutBytes() throws RocksDBException {
        org.rocksdb.RocksDB to = Objects.requireNonNull(rocksJava);
        long from = next;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(key, next++);
            to.put(peerWriting, key, value);
        }
        return next - from;
    }

    long peerPutDirect() throws RocksDBException {
        org.rocksdb.RocksDB to = Objects.requireNonNull(rocksJava);
        long from = next;
        for (int i = 0; i < workload.operations(); i++) {
            to.put(peerWriting, Keys.set(directKey, next++), directValue.clear());
        }
        return next - from;
    }

    long batchBytes(boolean isWritten) {
        DatabaseWriter to = Objects.requireNonNull(writer);
        long index = next;
        for (int i = 0; i < workload.operations(); i++) {
            batch.clear();
            for (int record = 0; record < workload.paired().records(); record++) {
                Keys.set(key, index++);
                batch.put(key, value);
            }
            if (isWritten) {
                to.write(batch);
            }
        }
        return done(index, isWritten);
    }

    long batchSegments(boolean isWritten) {
        DatabaseWriter to = Objects.requireNonNull(writer);
        long index = next;
        for (int i = 0; i < workload.operations(); i++) {
            batch.clear();
            for (int record = 0; record < workload.paired().records(); record++) {
                Keys.set(nativeKey, index++);
                batch.put(nativeKey, nativeValue);
            }
            if (isWritten) {
                to.write(batch);
            }
        }
        return done(index, isWritten);
    }

    long peerBatchBytes(boolean isWritten) throws RocksDBException {
        org.rocksdb.RocksDB to = Objects.requireNonNull(rocksJava);
        long index = next;
        for (int i = 0; i < workload.operations(); i++) {
            peerBatch.clear();
            for (int record = 0; record < workload.paired().records(); record++) {
                Keys.set(key, index++);
                peerBatch.put(key, value);
            }
            if (isWritten) {
                to.write(peerWriting, peerBatch);
            }
        }
        return done(index, isWritten);
    }

    long peerBatchDirect(boolean isWritten) throws RocksDBException {
        org.rocksdb.RocksDB to = Objects.requireNonNull(rocksJava);
        long index = next;
        for (int i = 0; i < workload.operations(); i++) {
            peerBatch.clear();
            for (int record = 0; record < workload.paired().records(); record++) {
                peerBatch.put(Keys.set(directKey, index++), directValue.clear());
            }
            if (isWritten) {
                to.write(peerWriting, peerBatch);
            }
        }
        return done(index, isWritten);
    }

    /** Returns the number of records up to the index, and counts them if they were written. */
    private long done(long index, boolean isWritten) {
        long records = index - next;
        if (isWritten) {
            next = index;
        }
        return records;
    }
}
