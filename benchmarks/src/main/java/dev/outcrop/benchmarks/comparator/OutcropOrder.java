package dev.outcrop.benchmarks.comparator;

import dev.outcrop.rocksdb.KeyComparator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The orders as Outcrop takes them. */
final class OutcropOrder {
    private static final ValueLayout.OfLong LITTLE_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);

    private OutcropOrder() {
    }

    static KeyComparator of(KeyOrder order) {
        return switch (order) {
            case NUMBERS -> new Numbers();
            case BYTES -> new Bytes();
        };
    }

    private static final class Numbers implements KeyComparator {
        @Override
        public String name() {
            return KeyOrder.NUMBERS.comparatorName();
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            return Long.compare(a.get(LITTLE_ENDIAN, 0), b.get(LITTLE_ENDIAN, 0));
        }
    }

    private static final class Bytes implements KeyComparator {
        @Override
        public String name() {
            return KeyOrder.BYTES.comparatorName();
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            // Not MemorySegment.mismatch: the JIT compiler does not always inline it, and then the segments are
            // garbage.
            long length = Math.min(a.byteSize(), b.byteSize());
            long at = 0;
            for (; at + Long.BYTES <= length; at += Long.BYTES) {
                long eight = a.get(BIG_ENDIAN, at);
                long others = b.get(BIG_ENDIAN, at);
                if (eight != others) {
                    return Long.compareUnsigned(eight, others);
                }
            }
            for (; at < length; at++) {
                int order = Byte.compareUnsigned(a.get(ValueLayout.JAVA_BYTE, at), b.get(ValueLayout.JAVA_BYTE, at));
                if (order != 0) {
                    return order;
                }
            }
            return Long.compare(a.byteSize(), b.byteSize());
        }
    }
}
