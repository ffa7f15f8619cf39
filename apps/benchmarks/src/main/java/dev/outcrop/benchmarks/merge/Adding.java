package dev.outcrop.benchmarks.merge;

import dev.outcrop.rocksdb.MergeFunction;
import dev.outcrop.rocksdb.ValueSink;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Adds numbers of eight bytes, little-endian, as RocksDB's own operator {@code uint64add} does. */
final class Adding implements MergeFunction {
    static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public String name() {
        return "outcrop.benchmarks.Adding";
    }

    @Override
    public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
            ValueSink result) {
        add(existing == null ? 0 : existing.get(NUMBER, 0), operands, result);
    }

    @Override
    public boolean partialMerge(MemorySegment key, List<MemorySegment> operands, ValueSink result) {
        add(0, operands, result);
        return true;
    }

    // By index: an iterator would be one more object.
    private static void add(long start, List<MemorySegment> operands, ValueSink result) {
        long sum = start;
        for (int i = 0; i < operands.size(); i++) {
            sum += operands.get(i).get(NUMBER, 0);
        }
        result.allocate(Long.BYTES).set(NUMBER, 0, sum);
    }
}
