package dev.outcrop.benchmarks.get;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Keys as arrays: the index, big-endian, then padding. */
final class Keys {
    private static final VarHandle INDEX = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte PADDING = 'k';

    private Keys() {
    }

    /** A new key of index 0. */
    static byte[] first() {
        byte[] key = new byte[Workload.KEY_BYTES];
        Arrays.fill(key, PADDING);
        set(key, 0);
        return key;
    }

    /** Makes an array the key of another index. */
    static void set(byte[] key, long index) {
        INDEX.set(key, 0, index);
    }
}
