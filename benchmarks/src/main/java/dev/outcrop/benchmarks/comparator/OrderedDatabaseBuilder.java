package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.rocksdb.Options;
import java.lang.foreign.MemorySegment;

/** Makes the database of the current workload, with its comparator. */
final class OrderedDatabaseBuilder {
    private OrderedDatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) {
        ComparatorWorkload workload = ComparatorWorkload.current();
        KeyOrder order = workload.order();
        DatabaseBuilder.Contents contents = workload.contents();
        DatabaseBuilder.build(contents, new Options().set(contents.options()).comparator(OutcropOrder.of(order)),
                order.firstKey(), (key, index) -> order.set(MemorySegment.ofArray(key), index));
    }
}
