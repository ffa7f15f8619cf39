package dev.outcrop.benchmarks.comparator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** An order of keys, and what the keys look like that are in it. */
enum KeyOrder {
    /**
     * A signed number of eight bytes, little-endian, as most machines store it. There is little to do beside the call.
     */
    NUMBERS("8-byte numbers", Long.BYTES),
    /** Byte by byte; the keys differ only at their end, in a number of eight bytes, big-endian. */
    BYTES("128 bytes", 128);

    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    private static final byte PADDING = 'k';

    private final String label;
    private final int keyBytes;

    KeyOrder(String label, int keyBytes) {
        this.label = label;
        this.keyBytes = keyBytes;
    }

    int keyBytes() {
        return keyBytes;
    }

    /** By which name a database knows the order, no matter which side has opened it. */
    String comparatorName() {
        return "outcrop.benchmarks." + name();
    }

    /** A new key of index 0. */
    byte[] firstKey() {
        byte[] key = new byte[keyBytes];
        Arrays.fill(key, 0, keyBytes - Long.BYTES, PADDING);
        return key;
    }

    /** Makes a segment the key of another index. */
    void set(MemorySegment key, long index) {
        key.set(BIG_ENDIAN, keyBytes - (long) Long.BYTES, stored(index));
    }

    /** Makes a big-endian buffer, all of it, the key of another index. */
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
}
