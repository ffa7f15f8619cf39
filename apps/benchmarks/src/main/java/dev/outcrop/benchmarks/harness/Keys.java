package dev.outcrop.benchmarks.harness;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Keys: the index in eight bytes, big-endian, then padding. The C programs have the same keys. */
public final class Keys {
    private static final VarHandle INDEX = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);
    private static final byte PADDING = 'k';

    private Keys() {
    }

    /** Returns a new key of index 0 and of at least eight bytes. */
    public static byte[] first(int bytes) {
        byte[] key = new byte[bytes];
        Arrays.fill(key, PADDING);
        set(key, 0);
        return key;
    }

    /** Turns an array into the key of another index. */
    public static void set(byte[] key, long index) {
        INDEX.set(key, 0, index);
    }

    /** Turns a segment into the key of another index. */
    public static void set(MemorySegment key, long index) {
        key.set(BIG_ENDIAN, 0, index);
    }

    /** Turns a buffer into the key of another index, and returns all of it. */
    public static ByteBuffer set(ByteBuffer key, long index) {
        return key.clear().putLong(0, index);
    }

    /** Returns a copy of a key, or of a value, in native memory that stays until the process ends. */
    public static MemorySegment inSegment(byte[] bytes) {
        return Arena.global().allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    }

    /** Returns a copy of a key, or of a value, in a direct buffer. */
    public static ByteBuffer inBuffer(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    }
}
