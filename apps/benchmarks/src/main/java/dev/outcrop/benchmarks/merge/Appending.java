package dev.outcrop.benchmarks.merge;

import dev.outcrop.rocksdb.MergeFunction;
import dev.outcrop.rocksdb.ValueSink;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Joins bytes, as RocksDB's own operator {@code stringappend} does without a delimiter. */
final class Appending implements MergeFunction {
    @Override
    public String name() {
        return "outcrop.benchmarks.Appending";
    }

    @Override
    public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
            ValueSink result) {
        append(existing == null ? MemorySegment.NULL : existing, operands, result);
    }

    @Override
    public boolean partialMerge(MemorySegment key, List<MemorySegment> operands, ValueSink result) {
        append(MemorySegment.NULL, operands, result);
        return true;
    }

    private static void append(MemorySegment start, List<MemorySegment> operands, ValueSink result) {
        long size = start.byteSize();
        for (int i = 0; i < operands.size(); i++) {
            size += operands.get(i).byteSize();
        }
        MemorySegment joined = result.allocate(size);
        MemorySegment.copy(start, 0, joined, 0, start.byteSize());
        long at = start.byteSize();
        for (int i = 0; i < operands.size(); i++) {
            MemorySegment operand = operands.get(i);
            MemorySegment.copy(operand, 0, joined, at, operand.byteSize());
            at += operand.byteSize();
        }
    }
}
