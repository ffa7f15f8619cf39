package dev.outcrop.benchmarks.comparator;

import dev.outcrop.rocksdb.KeyComparator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** An order of keys, with its comparators and the format of its keys. */
enum KeyOrder {
    /** Signed numbers of eight bytes, little-endian as most machines store them. A comparison is little work besides the call. */
    NUMBERS("8-byte numbers", Long.BYTES) {
        @Override
        KeyComparator ours() {
            return new OutcropNumbers();
        }

        @Override
        int compare(ByteBuffer a, ByteBuffer b) {
            // The buffers are big-endian, the numbers are not.
            return Long.compare(Long.reverseBytes(a.getLong(a.position())), Long.reverseBytes(b.getLong(b.position())));
        }
    },
    /** Byte by byte. The keys differ only at their end, in a big-endian number of eight bytes. */
    BYTES("128 bytes", 128) {
        @Override
        KeyComparator ours() {
            return new OutcropBytes();
        }

        @Override
        int compare(ByteBuffer a, ByteBuffer b) {
            int at = a.mismatch(b);
            if (at < 0) {
                return 0;
            }
            if (at == a.remaining() || at == b.remaining()) {
                return Integer.compare(a.remaining(), b.remaining());
            }
            return Byte.compareUnsigned(a.get(a.position() + at), b.get(b.position() + at));
        }
    };

    private static final ValueLayout.OfLong LITTLE_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    private static final byte PADDING = 'k';

    private final String label;
    private final int keyBytes;

    KeyOrder(String label, int keyBytes) {
        this.label = label;
        this.keyBytes = keyBytes;
    }

    /** Returns the comparator of Outcrop. */
    abstract KeyComparator ours();

    /** Compares keys as the comparator of rocksdbjni does. */
    abstract int compare(ByteBuffer a, ByteBuffer b);

    int keyBytes() {
        return keyBytes;
    }

    /** Returns the name of the order in a database, which is the same for all sides. */
    String comparatorName() {
        return "outcrop.benchmarks." + name();
    }

    /** Returns a new key of index 0. */
    byte[] firstKey() {
        byte[] key = new byte[keyBytes];
        Arrays.fill(key, 0, keyBytes - Long.BYTES, PADDING);
        return key;
    }

    /** Turns a segment into the key of another index. */
    void set(MemorySegment key, long index) {
        key.set(BIG_ENDIAN, keyBytes - (long) Long.BYTES, stored(index));
    }

    /** Turns a big-endian buffer, all of it, into the key of another index. */
    void set(ByteBuffer key, long index) {
        key.clear().putLong(keyBytes - Long.BYTES, stored(index));
    }

    private long stored(long index) {
        return this == NUMBERS ? Long.reverseBytes(index) : index;
    }

    @Override
    public String toString() {
        return label;
    }

    private static final class OutcropNumbers implements KeyComparator {
        @Override
        public String name() {
            return NUMBERS.comparatorName();
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            return Long.compare(a.get(LITTLE_ENDIAN, 0), b.get(LITTLE_ENDIAN, 0));
        }
    }

    private static final class OutcropBytes implements KeyComparator {
        @Override
        public String name() {
            return BYTES.comparatorName();
        }

        @Override
        public int compare(MemorySegment a, MemorySegment b) {
            // Not MemorySegment.mismatch: the JIT compiler does not always inline it, and then the segments become garbage.
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
