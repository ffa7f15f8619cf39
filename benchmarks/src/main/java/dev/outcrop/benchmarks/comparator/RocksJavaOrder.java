package dev.outcrop.benchmarks.comparator;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** The orders as rocksdbjni takes them. */
final class RocksJavaOrder {
    private RocksJavaOrder() {
    }

    static AbstractComparator of(KeyOrder order, ComparatorOptions options) {
        return switch (order) {
            case NUMBERS -> new Numbers(options);
            case BYTES -> new Bytes(options);
        };
    }

    static int numbers(ByteBuffer a, ByteBuffer b) {
        // The buffers are big-endian, the numbers are not.
        return Long.compare(Long.reverseBytes(a.getLong(a.position())), Long.reverseBytes(b.getLong(b.position())));
    }

    static int bytes(ByteBuffer a, ByteBuffer b) {
        int at = a.mismatch(b);
        if (at < 0) {
            return 0;
        }
        if (at == a.remaining() || at == b.remaining()) {
            return Integer.compare(a.remaining(), b.remaining());
        }
        return Byte.compareUnsigned(a.get(a.position() + at), b.get(b.position() + at));
    }

    private static final class Numbers extends AbstractComparator {
        Numbers(ComparatorOptions options) {
            super(options);
        }

        @Override
        public String name() {
            return KeyOrder.NUMBERS.comparatorName();
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            return numbers(a, b);
        }
    }

    private static final class Bytes extends AbstractComparator {
        Bytes(ComparatorOptions options) {
            super(options);
        }

        @Override
        public String name() {
            return KeyOrder.BYTES.comparatorName();
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            return bytes(a, b);
        }
    }
}
