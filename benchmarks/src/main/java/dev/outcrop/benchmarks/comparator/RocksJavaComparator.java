package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.RandomIndexes;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** Keys in an order in Java, by rocksdbjni, with direct buffers for what it reads and writes. */
@State(Scope.Thread)
public class RocksJavaComparator {
    private final ComparatorWorkload workload = ComparatorWorkload.current();
    private final KeyOrder order = workload.order();
    private final RandomIndexes random = new RandomIndexes();
    private final ByteBuffer key = ByteBuffer.allocateDirect(order.keyBytes()).put(0, order.firstKey());
    private final ByteBuffer value = ByteBuffer.allocateDirect(ComparatorWorkload.VALUE_BYTES);
    private @Nullable ReadOptions readOptions;
    private @Nullable WriteOptions writeOptions;
    private @Nullable FlushOptions flushOptions;
    private @Nullable RocksIterator iterator;

    /** Brings everything that may be read into the cache. */
    @Setup
    public void warm(RocksJavaOrderedDatabase db) throws RocksDBException {
        readOptions = new ReadOptions();
        writeOptions = new WriteOptions().setDisableWAL(true);
        flushOptions = new FlushOptions();
        iterator = db.database.newIterator();
        for (int index = 0; workload.operation() != KeyOperation.WRITE && index < ComparatorWorkload.KEYS; index++) {
            order.set(key, index);
            read(db);
        }
    }

    /** Frees what a thread reuses. */
    @TearDown
    @SuppressWarnings("unused") // the argument is there for the order
    public void close(RocksJavaOrderedDatabase db) {
        Objects.requireNonNull(iterator).close();
        Objects.requireNonNull(flushOptions).close();
        Objects.requireNonNull(writeOptions).close();
        Objects.requireNonNull(readOptions).close();
    }

    /** Reads a random key into memory that is kept. */
    @Benchmark
    public long get(RocksJavaOrderedDatabase db) throws RocksDBException {
        order.set(key, random.next(ComparatorWorkload.KEYS));
        return (long) read(db) + value.get(0);
    }

    @Benchmark
    public boolean seek() {
        RocksIterator moved = Objects.requireNonNull(iterator);
        order.set(key, random.next(ComparatorWorkload.KEYS));
        moved.seek(key);
        if (!moved.isValid()) {
            throw new IllegalStateException("A key is missing");
        }
        return true;
    }

    /** Writes random keys and flushes them. */
    @Benchmark
    @OperationsPerInvocation(ComparatorWorkload.WRITES)
    public void write(RocksJavaOrderedDatabase db) throws RocksDBException {
        WriteOptions writing = Objects.requireNonNull(writeOptions);
        for (int i = 0; i < ComparatorWorkload.WRITES; i++) {
            order.set(key, random.next(ComparatorWorkload.KEYS));
            db.database.put(writing, key, value.clear());
        }
        db.database.flush(Objects.requireNonNull(flushOptions));
    }

    private int read(RocksJavaOrderedDatabase db) throws RocksDBException {
        int size = db.database.get(Objects.requireNonNull(readOptions), key, value.clear());
        ComparatorWorkload.check(size);
        return size;
    }
}
