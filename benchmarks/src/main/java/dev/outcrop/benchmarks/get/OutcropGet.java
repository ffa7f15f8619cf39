package dev.outcrop.benchmarks.get;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.OutcropDatabase;
import dev.outcrop.rocksdb.PinnedSlice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Point reads by Outcrop, in each of its forms. */
@State(Scope.Thread)
public class OutcropGet {
    private static final ValueLayout.OfLong INDEX = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Workload workload = Workload.current();
    private final KeySequence sequence = new KeySequence(workload);
    private final byte[] key = Keys.first(Workload.KEY_BYTES);
    private final byte[] value = new byte[workload.valueBytes()];
    private final MemorySegment keyOnHeap = MemorySegment.ofArray(key);
    private final MemorySegment valueOnHeap = MemorySegment.ofArray(value);
    private final ByteBuffer directKey = ByteBuffer.allocateDirect(Workload.KEY_BYTES).put(0, key);
    private final ByteBuffer directValue = ByteBuffer.allocateDirect(workload.valueBytes());
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment nativeKey = arena.allocateFrom(JAVA_BYTE, key);
    private final MemorySegment nativeValue = arena.allocate(workload.valueBytes());
    private long seen;

    /** Allocates what a thread reuses. */
    public OutcropGet() {
    }

    /**
     * Brings everything that may be read into the cache.
     *
     * @param db the database
     */
    @Setup
    public void warm(OutcropDatabase db) {
        for (int index = 0; index < workload.keysToWarm(); index++) {
            nativeKey.set(INDEX, 0, index);
            workload.checked(db.database.get(nativeKey, nativeValue));
        }
    }

    /** Frees what a thread reuses. */
    @TearDown
    public void close() {
        arena.close();
    }

    /**
     * Into a new array.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long bytes(OutcropDatabase db) {
        Keys.set(key, sequence.next());
        byte[] found = db.database.get(key);
        if (found == null) {
            throw missing();
        }
        int size = (int) workload.checked(found.length);
        return (long) size + found[0] + found[size - 1];
    }

    /**
     * Into an array that is kept.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long preallocated(OutcropDatabase db) {
        Keys.set(key, sequence.next());
        int size = (int) workload.checked(db.database.get(keyOnHeap, valueOnHeap));
        return (long) size + value[0] + value[size - 1];
    }

    /**
     * Into a direct buffer that is kept.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long direct(OutcropDatabase db) {
        directKey.clear().putLong(0, sequence.next());
        directValue.clear();
        int size = (int) workload.checked(db.database.get(directKey, directValue));
        return (long) size + directValue.get(0) + directValue.get(size - 1);
    }

    /**
     * Into a native segment that is kept.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long segment(OutcropDatabase db) {
        nativeKey.set(INDEX, 0, sequence.next());
        return looked(nativeValue, db.database.get(nativeKey, nativeValue));
    }

    /**
     * In place: the bytes of the block cache.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long pinned(OutcropDatabase db) {
        nativeKey.set(INDEX, 0, sequence.next());
        try (PinnedSlice slice = db.database.getPinned(nativeKey)) {
            if (slice == null) {
                throw missing();
            }
            return looked(slice.segment(), slice.size());
        }
    }

    /**
     * In place, for the duration of a callback.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long pinnedCallback(OutcropDatabase db) {
        nativeKey.set(INDEX, 0, sequence.next());
        if (db.database.getPinned(nativeKey, this::look) == null) {
            throw missing();
        }
        return seen;
    }

    /**
     * In place or into a native segment, whichever Outcrop takes for cheaper.
     *
     * @param db the database
     * @return what was looked at
     */
    @Benchmark
    public long hybrid(OutcropDatabase db) {
        nativeKey.set(INDEX, 0, sequence.next());
        try (PinnedSlice slice = db.database.getHybrid(nativeKey, nativeValue)) {
            if (slice == null) {
                throw missing();
            }
            return looked(slice.segment(), slice.size());
        }
    }

    /** The callback; it leaves its result in a field, because a boxed number would be garbage of its own. */
    private OutcropGet look(MemorySegment found) {
        seen = looked(found, found.byteSize());
        return this;
    }

    private long looked(MemorySegment found, long size) {
        workload.checked(size);
        return size + found.get(JAVA_BYTE, 0) + found.get(JAVA_BYTE, size - 1);
    }

    private static IllegalStateException missing() {
        return new IllegalStateException("A key is missing");
    }
}
