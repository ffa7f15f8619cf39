package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Callbacks with a name and one function. */
final class NamedCallbacks {
    private NamedCallbacks() {
    }

    interface FullMerge {
        void merge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands, ValueSink result);
    }

    static MergeFunction merge(String name, FullMerge function) {
        return new MergeFunction() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands,
                    ValueSink result) {
                function.merge(key, existing, operands, result);
            }
        };
    }

    static PrefixExtractor prefix(String name, ToLongFunction<MemorySegment> length) {
        return new PrefixExtractor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public long prefixLength(MemorySegment key) {
                return length.applyAsLong(key);
            }
        };
    }
}
