package dev.outcrop.benchmarks.scan;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.OutcropDatabase;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.KeyValueIterator;
import dev.outcrop.rocksdb.ScanVisitor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Scans by Outcrop, in each of its forms. */
@State(Scope.Thread)
public class OutcropScan {
    private static final ValueLayout.OfLong INDEX = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final ScanWorkload workload = ScanWorkload.current();
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key = Keys.first(ScanWorkload.KEY_BYTES);
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment nativeKey = arena.allocateFrom(JAVA_BYTE, key);
    private final MemorySegment keyCopy = arena.allocate(ScanWorkload.KEY_BYTES);
    private final MemorySegment valueCopy = arena.allocate(workload.valueBytes());
    /** Is kept for seeks. */
    private @Nullable KeyValueIterator kept;
    private final ScanVisitor look = this::look;
    private long sum;
    private int seen;

    /** Allocates what a thread reuses. */
    public OutcropScan() {
    }

    /**
     * Brings everything that may be read into the cache.
     *
     * @param db the database
     */
    @Setup
    public void warm(OutcropDatabase db) {
        KeyValueIterator entries = db.database.iterator();
        kept = entries;
        for (boolean is = entries.seekToFirst(); is; is = entries.next()) {
            workload.checked(entries.value(valueCopy));
        }
    }

    /** Frees what a thread reuses. */
    @TearDown
    public void close() {
        kept().close();
        arena.close();
    }

    /**
     * A callback that sees segments.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long callback(OutcropDatabase db) {
        sum = 0;
        seen = 0;
        db.database.scan(range(), look);
        workload.requireAll(seen);
        return sum;
    }

    /**
     * An iterator that copies into segments that are kept.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long copying(OutcropDatabase db) {
        sum = 0;
        seen = 0;
        try (KeyValueIterator entries = db.database.iterator()) {
            for (boolean is = start(entries); is && seen < workload.entries(); is = step(entries)) {
                entries.key(keyCopy);
                look(keyCopy, valueCopy, entries.value(valueCopy));
            }
        }
        workload.requireAll(seen);
        return sum;
    }

    /**
     * An iterator that shows segments.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long segments(OutcropDatabase db) {
        sum = 0;
        seen = 0;
        try (KeyValueIterator entries = db.database.iterator()) {
            for (boolean is = start(entries); is && seen < workload.entries(); is = step(entries)) {
                look(entries.key(), entries.value());
            }
        }
        workload.requireAll(seen);
        return sum;
    }

    /** A seek by a segment. */
    @Benchmark
    public void seekSegment() {
        nativeKey.set(INDEX, 0, random.next(workload.starts()));
        require(kept().seek(nativeKey));
    }

    /** A seek by an array. */
    @Benchmark
    public void seekBytes() {
        Keys.set(key, random.next(workload.starts()));
        require(kept().seek(key));
    }

    private KeyValueIterator kept() {
        return Objects.requireNonNull(kept, "kept");
    }

    private static void require(boolean is) {
        if (!is) {
            throw new IllegalStateException("A key is missing");
        }
    }

    private KeyRange range() {
        return switch (workload.movement()) {
            case FULL -> KeyRange.all();
            case BACKWARD -> KeyRange.all().reversed();
            default -> {
                // As all sides do: RocksDB knows no end, and the scan stops after so many entries.
                Keys.set(key, random.next(workload.starts()));
                yield KeyRange.from(key);
            }
        };
    }

    private boolean start(KeyValueIterator entries) {
        return switch (workload.movement()) {
            case FULL -> entries.seekToFirst();
            case BACKWARD -> entries.seekToLast();
            default -> {
                nativeKey.set(INDEX, 0, random.next(workload.starts()));
                yield entries.seek(nativeKey);
            }
        };
    }

    private boolean step(KeyValueIterator entries) {
        return workload.movement() == Movement.BACKWARD ? entries.previous() : entries.next();
    }

    private boolean look(MemorySegment foundKey, MemorySegment value) {
        look(foundKey, value, value.byteSize());
        return seen < workload.entries();
    }

    private void look(MemorySegment foundKey, MemorySegment value, long size) {
        workload.checked(size);
        sum += foundKey.get(JAVA_BYTE, 0) + size + value.get(JAVA_BYTE, 0) + value.get(JAVA_BYTE, size - 1);
        seen++;
    }
}
