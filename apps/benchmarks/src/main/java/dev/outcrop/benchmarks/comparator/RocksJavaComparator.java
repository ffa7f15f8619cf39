package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/** Keys in an order that is defined in Java, by rocksdbjni, with direct buffers for keys and values. */
@State(Scope.Thread)
public class RocksJavaComparator {
    static {
        // Options do not load the library.
        RocksDB.loadLibrary();
    }

    private final ComparatorCase.ComparatorWorkload workload = ComparatorCase.ComparatorWorkload.current();
    private final KeyOrder order = workload.order();
    private final RandomIndexes random = new RandomIndexes();
    private final ByteBuffer key = ByteBuffer.allocateDirect(order.keyBytes()).put(0, order.firstKey());
    private final ByteBuffer value = ByteBuffer.allocateDirect(ComparatorCase.ComparatorWorkload.VALUE_BYTES);
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
    private final FlushOptions flushOptions = new FlushOptions();
    private @Nullable RocksIterator iterator;

    /** Loads everything that may be read into the cache. */
    @Setup
    public void warm(RocksJavaOrderedDatabase db) throws RocksDBException {
        iterator = db.database.newIterator();
        for (int index = 0; !workload.isWriting() && index < ComparatorCase.ComparatorWorkload.KEYS; index++) {
            order.set(key, index);
            read(db);
        }
    }

    /** Frees what a thread reuses. */
    @TearDown
    @SuppressWarnings("unused") // the argument is there for the order
    public void close(RocksJavaOrderedDatabase db) {
        Objects.requireNonNull(iterator).close();
    }

    /** Reads a random key into memory that is kept. */
    @Benchmark
    public long get(RocksJavaOrderedDatabase db) throws RocksDBException {
        order.set(key, random.next(ComparatorCase.ComparatorWorkload.KEYS));
        return (long) read(db) + value.get(0);
    }

    @Benchmark
    public boolean seek() {
        RocksIterator moved = Objects.requireNonNull(iterator);
        order.set(key, random.next(ComparatorCase.ComparatorWorkload.KEYS));
        moved.seek(key);
        if (!moved.isValid()) {
            throw new IllegalStateException("A key is missing");
        }
        return true;
    }

    /** Writes random keys and flushes them. */
    @Benchmark
    @OperationsPerInvocation(ComparatorCase.ComparatorWorkload.WRITES)
    public void write(RocksJavaOrderedDatabase db) throws RocksDBException {
        for (int i = 0; i < ComparatorCase.ComparatorWorkload.WRITES; i++) {
            order.set(key, random.next(ComparatorCase.ComparatorWorkload.KEYS));
            db.database.put(writeOptions, key, value.clear());
        }
        db.database.flush(flushOptions);
    }

    private int read(RocksJavaOrderedDatabase db) throws RocksDBException {
        int size = db.database.get(readOptions, key, value.clear());
        ComparatorCase.ComparatorWorkload.check(size);
        return size;
    }

    /** The database of the current workload, opened by rocksdbjni with a comparator in Java. */
    @State(Scope.Benchmark)
    public static class RocksJavaOrderedDatabase {
        static {
            // Options of a comparator do not load the library.
            RocksDB.loadLibrary();
        }

        final RocksDB database;

        @SuppressWarnings("resource") // open until the process ends
        public RocksJavaOrderedDatabase() {
            ComparatorCase.ComparatorWorkload workload = ComparatorCase.ComparatorWorkload.current();
            workload.prepare();
            // Each order has its own class, as in a program.
            AbstractComparator comparator = workload.order() == KeyOrder.NUMBERS
                    ? new Numbers(workload.buffers().options())
                    : new Bytes(workload.buffers().options());
            database = RocksJavaDatabase.open(EngineOptions.READING, options -> options.setComparator(comparator));
        }

        @TearDown
        public void close() {
            database.close();
        }
    }

    private static final class Numbers extends AbstractComparator {
        Numbers(ComparatorOptions options) {
            super(options);
        }

        @Override
        public String name() {
            return KeyOrder.NUMBERS.comparatorName();
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            return KeyOrder.NUMBERS.compare(a, b);
        }
    }

    private static final class Bytes extends AbstractComparator {
        Bytes(ComparatorOptions options) {
            super(options);
        }

        @Override
        public String name() {
            return KeyOrder.BYTES.comparatorName();
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            return KeyOrder.BYTES.compare(a, b);
        }
    }
}
