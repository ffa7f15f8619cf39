package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Values as C has them. */
final class Natives {

    private Natives() {
    }

    static byte flag(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    /** A copy of bytes that the native object keeps. */
    static byte[] bytes(long address, long length) {
        byte[] bytes = new byte[Math.toIntExact(length)];
        if (length > 0) {
            NativeCalls.copy(NativeCalls.view(address, length), bytes);
        }
        return bytes;
    }

    /** A copy in native memory, for one call. */
    static MemorySegment copy(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = scratch.allocate(Math.max(1, length), 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    static MemorySegment copy(Scratch scratch, byte[] array) {
        return copy(scratch, array, 0, array.length);
    }

    /** A copy of a text that the native object keeps. */
    static String text(long address, long length) {
        return new String(bytes(address, length), StandardCharsets.UTF_8);
    }
}
