package dev.outcrop.benchmarks.harness;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Keys as arrays: the index in eight bytes, big-endian, then padding. The C programs have the same ones. */
public final class Keys {
    private static final VarHandle INDEX = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
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
}
