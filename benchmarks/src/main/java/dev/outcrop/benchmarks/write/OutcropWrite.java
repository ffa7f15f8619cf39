package dev.outcrop.benchmarks.write;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.WriteBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Writes by Outcrop, in each of its forms. */
@State(Scope.Thread)
public class OutcropWrite {
    private static final ValueLayout.OfLong INDEX = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final WriteWorkload workload = WriteWorkload.current();
    private final WrittenKeys keys = new WrittenKeys(workload.isRandom());
    private final byte[] key = Keys.first(WriteWorkload.KEY_BYTES);
    private final byte[] value = new byte[WriteWorkload.VALUE_BYTES];
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment nativeKey = arena.allocateFrom(JAVA_BYTE, key);
    private final MemorySegment nativeValue = arena.allocate(WriteWorkload.VALUE_BYTES)
            .fill(WriteWorkload.VALUE);
    private final WriteBatch batch = new WriteBatch();

    /** Allocates what a thread reuses. */
    public OutcropWrite() {
        Arrays.fill(value, WriteWorkload.VALUE);
    }

    /** Frees what a thread reuses. */
    @TearDown
    public void close() {
        arena.close();
    }

    /**
     * One put of arrays.
     *
     * @param db the database
     */
    @Benchmark
    public void putBytes(OutcropWriteDatabase db) {
        Keys.set(key, keys.next());
        db.writer().put(key, value);
    }

    /**
     * One put of native segments.
     *
     * @param db the database
     */
    @Benchmark
    public void putSegment(OutcropWriteDatabase db) {
        nativeKey.set(INDEX, 0, keys.next());
        db.writer().put(nativeKey, nativeValue);
    }

    /**
     * A batch of arrays.
     *
     * @return how many there are
     */
    @Benchmark
    public int buildBytes() {
        batch.clear();
        for (int i = 0; i < workload.records(); i++) {
            Keys.set(key, keys.next());
            batch.put(key, value);
        }
        return batch.count();
    }

    /**
     * A batch of native segments.
     *
     * @return how many there are
     */
    @Benchmark
    public int buildSegment() {
        batch.clear();
        for (int i = 0; i < workload.records(); i++) {
            nativeKey.set(INDEX, 0, keys.next());
            batch.put(nativeKey, nativeValue);
        }
        return batch.count();
    }

    /**
     * A batch of arrays, built and written.
     *
     * @param db the database
     */
    @Benchmark
    public void writeBytes(OutcropWriteDatabase db) {
        buildBytes();
        db.writer().write(batch);
    }

    /**
     * A batch of native segments, built and written.
     *
     * @param db the database
     */
    @Benchmark
    public void writeSegment(OutcropWriteDatabase db) {
        buildSegment();
        db.writer().write(batch);
    }
}
