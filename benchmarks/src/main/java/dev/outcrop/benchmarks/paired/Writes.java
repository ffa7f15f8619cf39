package dev.outcrop.benchmarks.paired;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.DatabaseWriter;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteBatch;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.rocksdb.RocksDBException;

/** Puts and batches without a log: all sides write to the same memtable, one behind another. */
final class Writes implements Sides {
    private static final ValueLayout.OfLong INDEX = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Workload workload;
    private final Optional<CFunctions> c;
    private final byte[] key;
    private final byte[] value;
    private final MemorySegment nativeKey;
    private final MemorySegment nativeValue;
    private final ByteBuffer directKey;
    private final ByteBuffer directValue;
    private final WriteBatch batch = new WriteBatch();
    private final org.rocksdb.WriteBatch peerBatch = new org.rocksdb.WriteBatch();
    private final org.rocksdb.WriteOptions peerWriting = new org.rocksdb.WriteOptions().setDisableWAL(true);
    private RocksDB db;
    private DatabaseWriter writer;
    private org.rocksdb.RocksDB rocksJava;
    private long written;
    private long intact;

    Writes(Workload workload, Optional<CFunctions> c) {
        this.workload = workload;
        this.c = c;
        key = Keys.first(workload.keyBytes());
        value = new byte[workload.shape().valueBytes()];
        Arrays.fill(value, Workload.VALUE);
        nativeKey = Arena.global().allocateFrom(JAVA_BYTE, key);
        nativeValue = Arena.global().allocateFrom(JAVA_BYTE, value);
        directKey = ByteBuffer.allocateDirect(key.length).put(0, key);
        directValue = ByteBuffer.allocateDirect(value.length).put(0, value);
        db = open();
        writer = writer();
        rocksJava = NativeHandles.rocksJava(db);
        c.ifPresent(functions -> functions.use(db));
    }

    private RocksDB open() {
        workload.database().delete();
        return RocksDB.open(workload.database().directory(), new Options().set(EngineOptions.WRITING.text()));
    }

    private DatabaseWriter writer() {
        return db.with(new WriteOptions().disableWAL(true));
    }

    /** Also checks that what was written is there. */
    @Override
    public void renew() {
        intact = 0;
        db.scan(KeyRange.all(), (foundKey, found) -> {
            intact += found.mismatch(nativeValue) < 0 ? 1 : 0;
            return true;
        });
        if (intact != written) {
            throw new IllegalStateException("Of " + written + " written records " + intact + " can be read");
        }
        written = 0;
        db.close();
        db = open();
        writer = writer();
        rocksJava = NativeHandles.rocksJava(db);
        c.ifPresent(functions -> functions.use(db));
    }

    @Override
    public List<Side> all() {
        return workload.shape().task() == Task.PUT
                ? List.of(Side.ours("byte[]", seed -> putBytes()), Side.ours("segment", seed -> putSegments()),
                        Side.peer("byte[]", seed -> peerPutBytes()),
                        Side.peer("direct buffer", seed -> peerPutDirect()))
                : List.of(Side.ours("byte[]", seed -> writeBytes()), Side.ours("segment", seed -> writeSegments()),
                        Side.peer("byte[]", seed -> peerWriteBytes()),
                        Side.peer("direct buffer", seed -> peerWriteDirect()));
    }

    /** A function in C, which is given the first key instead of a seed. */
    Side.Work following(Side.Work function) {
        return seed -> {
            long records = function.run(written);
            written += records;
            return records;
        };
    }

    private long putBytes() {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(key, written++);
            writer.put(key, value);
        }
        return written - first;
    }

    private long putSegments() {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            nativeKey.set(INDEX, 0, written++);
            writer.put(nativeKey, nativeValue);
        }
        return written - first;
    }

    private long peerPutBytes() throws RocksDBException {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(key, written++);
            rocksJava.put(peerWriting, key, value);
        }
        return written - first;
    }

    private long peerPutDirect() throws RocksDBException {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            rocksJava.put(peerWriting, directKey.clear().putLong(0, written++), directValue.clear());
        }
        return written - first;
    }

    private long writeBytes() {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            batch.clear();
            for (int record = 0; record < Workload.BATCH_RECORDS; record++) {
                Keys.set(key, written++);
                batch.put(key, value);
            }
            writer.write(batch);
        }
        return written - first;
    }

    private long writeSegments() {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            batch.clear();
            for (int record = 0; record < Workload.BATCH_RECORDS; record++) {
                nativeKey.set(INDEX, 0, written++);
                batch.put(nativeKey, nativeValue);
            }
            writer.write(batch);
        }
        return written - first;
    }

    private long peerWriteBytes() throws RocksDBException {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            peerBatch.clear();
            for (int record = 0; record < Workload.BATCH_RECORDS; record++) {
                Keys.set(key, written++);
                peerBatch.put(key, value);
            }
            rocksJava.write(peerWriting, peerBatch);
        }
        return written - first;
    }

    private long peerWriteDirect() throws RocksDBException {
        long first = written;
        for (int i = 0; i < workload.operations(); i++) {
            peerBatch.clear();
            for (int record = 0; record < Workload.BATCH_RECORDS; record++) {
                peerBatch.put(directKey.clear().putLong(0, written++), directValue.clear());
            }
            rocksJava.write(peerWriting, peerBatch);
        }
        return written - first;
    }
}
