package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.nio.charset.StandardCharsets;

/** Values as C has them. */
final class Natives {

    private Natives() {
    }

    static byte flag(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    /** A copy of a text that the native object keeps. */
    static String text(long address, long length) {
        byte[] bytes = new byte[Math.toIntExact(length)];
        if (length > 0) {
            NativeCalls.copy(NativeCalls.view(address, length), bytes);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
