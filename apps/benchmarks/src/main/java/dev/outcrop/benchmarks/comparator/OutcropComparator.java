package dev.outcrop.benchmarks.comparator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.rocksdb.KeyValueIterator;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Keys in an order that is defined in Java, by Outcrop. */
@State(Scope.Thread)
public class OutcropComparator {
    private final ComparatorCase.ComparatorWorkload workload = ComparatorCase.ComparatorWorkload.current();
    private final KeyOrder order = workload.order();
    private final RandomIndexes random = new RandomIndexes();
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment key = arena.allocateFrom(JAVA_BYTE, order.firstKey());
    private final MemorySegment value = arena.allocate(ComparatorCase.ComparatorWorkload.VALUE_BYTES);
    private @Nullable KeyValueIterator iterator;

    /** Loads everything that may be read into the cache. */
    @Setup
    public void warm(OutcropOrderedDatabase db) {
        iterator = db.database.iterator();
        for (int index = 0; !workload.isWriting() && index < ComparatorCase.ComparatorWorkload.KEYS; index++) {
            order.set(key, index);
            ComparatorCase.ComparatorWorkload.check(db.database.get(key, value));
        }
    }

    /** Frees what a thread reuses. */
    @TearDown
    public void close() {
        iterator().close();
        arena.close();
    }

    /** Reads a random key into memory that is kept. */
    @Benchmark
    public long get(OutcropOrderedDatabase db) {
        order.set(key, random.next(ComparatorCase.ComparatorWorkload.KEYS));
        long size = db.database.get(key, value);
        ComparatorCase.ComparatorWorkload.check(size);
        return size + value.get(JAVA_BYTE, 0);
    }

    @Benchmark
    public boolean seek() {
        order.set(key, random.next(ComparatorCase.ComparatorWorkload.KEYS));
        if (!iterator().seek(key)) {
            throw new IllegalStateException("A key is missing");
        }
        return true;
    }

    /** Writes random keys and flushes them. */
    @Benchmark
    @OperationsPerInvocation(ComparatorCase.ComparatorWorkload.WRITES)
    public void write(OutcropOrderedDatabase db) {
        for (int i = 0; i < ComparatorCase.ComparatorWorkload.WRITES; i++) {
            order.set(key, random.next(ComparatorCase.ComparatorWorkload.KEYS));
            db.writer.put(key, value);
        }
        db.database.flush();
    }

    private KeyValueIterator iterator() {
        return Objects.requireNonNull(iterator);
    }

    /** The database of the current workload, opened by Outcrop with a comparator in Java. */
    @State(Scope.Benchmark)
    public static class OutcropOrderedDatabase {
        final RocksDB database;
        final KeyValueWriter writer;

        public OutcropOrderedDatabase() {
            ComparatorCase.ComparatorWorkload workload = ComparatorCase.ComparatorWorkload.current();
            workload.prepare();
            database = RocksDB.open(Database.current().directory(), new Options().set(EngineOptions.READING.text())
                    .comparator(workload.order().ours()));
            writer = database.with(new WriteOptions().disableWAL(true));
            Database.current().requireOnlyEngine();
        }

        @TearDown
        public void close() {
            database.close();
        }
    }
}
