package dev.outcrop.benchmarks.multiget;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.MultiGet;
import dev.outcrop.rocksdb.MultiGetValues;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Reads of many keys by Outcrop, in each of its forms. */
@State(Scope.Thread)
public class OutcropMultiGet {
    private static final ValueLayout.OfLong INDEX = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final MultiGetWorkload workload = MultiGetWorkload.current();
    private final KeyBatch batch = new KeyBatch(workload);
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment nativeKey = arena.allocateFrom(JAVA_BYTE, Keys.first(MultiGetWorkload.KEY_BYTES));
    private final MemorySegment slab = arena
            .allocate((long) MultiGetWorkload.CALL_KEYS * workload.shape().valueBytes());
    private final List<byte[]> keys = new ArrayList<>();
    private final RocksDB database;
    private final List<ColumnFamily> families;
    private final MultiGet request;

    /** Opens the database and allocates what is reused. */
    public OutcropMultiGet() {
        database = RocksDB.open(workload.database().directory(), new Options().set(EngineOptions.READING.text()));
        workload.database().requireOnlyEngine();
        families = database.columnFamilies();
        request = database.multiGet();
        for (int i = 0; i < MultiGetWorkload.CALL_KEYS; i++) {
            keys.add(Keys.first(MultiGetWorkload.KEY_BYTES));
        }
    }

    /** Brings everything that may be read into the cache. */
    @Setup
    public void warm() {
        for (int first = 0; first < workload.keys(); first += MultiGetWorkload.CALL_KEYS) {
            batch.from(first);
            addKeys();
            try (MultiGetValues values = request.execute()) {
                look(values);
            }
        }
    }

    /** Closes and frees everything. */
    @TearDown
    public void close() {
        request.close();
        database.close();
        arena.close();
    }

    /**
     * In place: the bytes of the block cache.
     *
     * @return what was looked at
     */
    @Benchmark
    public long pinned() {
        batch.next();
        addKeys();
        try (MultiGetValues values = request.execute()) {
            return look(values);
        }
    }

    /**
     * Into a native segment that is kept.
     *
     * @return what was looked at
     */
    @Benchmark
    public long slab() {
        batch.next();
        addKeys();
        try (MultiGetValues values = request.execute(slab)) {
            return look(values);
        }
    }

    /**
     * Into new arrays.
     *
     * @return what was looked at
     */
    @Benchmark
    public long list() {
        batch.next();
        for (int i = 0; i < keys.size(); i++) {
            Keys.set(keys.get(i), batch.index(i));
        }
        if (!workload.shape().isRandom()) {
            return look(families.get(batch.family(0)).multiGet(keys));
        }
        request.clear();
        for (int i = 0; i < keys.size(); i++) {
            request.add(families.get(batch.family(i)), keys.get(i));
        }
        try (MultiGetValues values = request.execute()) {
            return look(values.toList());
        }
    }

    private void addKeys() {
        request.clear();
        for (int i = 0; i < MultiGetWorkload.CALL_KEYS; i++) {
            nativeKey.set(INDEX, 0, batch.index(i));
            request.add(families.get(batch.family(i)), nativeKey);
        }
    }

    private long look(MultiGetValues values) {
        long sum = 0;
        for (int i = 0; i < values.size(); i++) {
            long size = workload.checked(values.size(i));
            sum += size + values.get(i, JAVA_BYTE, 0) + values.get(i, JAVA_BYTE, size - 1);
        }
        return sum;
    }

    private long look(List<byte @Nullable []> values) {
        long sum = 0;
        for (byte[] value : values) {
            if (value == null) {
                throw missing();
            }
            int size = (int) workload.checked(value.length);
            sum += (long) size + value[0] + value[size - 1];
        }
        return sum;
    }

    private static IllegalStateException missing() {
        return new IllegalStateException("A key is missing");
    }
}
