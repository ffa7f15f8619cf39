package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.CText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Values as C has them. */
final class Natives {

    /** From so many bytes on, the JDK calls native code to copy them between two segments, as it always does for arrays. */
    private static final int CALL_BYTES = 64;

    private Natives() {
    }

    static byte flag(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    /** A copy of bytes that the native object keeps. */
    static byte[] bytes(long address, long length) {
        byte[] bytes = new byte[size(length)];
        if (length >= CALL_BYTES) {
            NativeCalls.copy(NativeCalls.view(address, length), bytes);
        } else if (length > 0) {
            MemorySegment.copy(NativeCalls.view(address, length), 0, MemorySegment.ofArray(bytes), 0, length);
        }
        return bytes;
    }

    /** The size of what an array or a buffer is to hold: as published, a {@link RocksDBException} if none can. */
    static int size(long size) {
        if (size > Integer.MAX_VALUE) {
            throw Errors.undeclared(new RocksDBException(
                    "Requested array size exceeds VM limit: it has " + size + " bytes; write smaller values"));
        }
        return (int) size;
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

    /** A key in native memory, for one call: in the first area if it is short. It may be followed by other bytes. */
    static MemorySegment key(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /** As {@link #key(Scratch, byte[], int, int)}, in the second area. */
    static MemorySegment value(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.secondArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /** As {@link #key(Scratch, byte[], int, int)}, from position to limit, which do not change. A direct buffer is used in place. */
    static MemorySegment key(Scratch scratch, ByteBuffer buffer) {
        MemorySegment bytes = MemorySegment.ofBuffer(buffer);
        int length = buffer.remaining();
        if (buffer.isDirect() && length > 0 && !bytes.isMapped()) {
            return bytes;
        }
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(bytes, 0, copy, 0, length);
        return copy;
    }

    /** Copies as many bytes as there is room for, and returns how many there are. */
    static int copy(long from, long size, byte[] to, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, to.length);
        int copied = (int) Math.min(size, length);
        if (copied > 0) {
            MemorySegment.copy(NativeCalls.view(from, copied), ValueLayout.JAVA_BYTE, 0, to, offset, copied);
        }
        return size(size);
    }

    /** Copies as many bytes as there is room for, ends the buffer behind them, and returns how many there are. */
    static int copy(long from, long size, ByteBuffer to) {
        int copied = (int) Math.min(size, to.remaining());
        if (copied > 0) {
            MemorySegment.ofBuffer(to).asSlice(0, copied).copyFrom(NativeCalls.view(from, copied));
        }
        to.limit(to.position() + copied);
        return size(size);
    }

    /** An array of words for one call. */
    static MemorySegment words(Scratch scratch, int count) {
        return scratch.allocate(Long.BYTES * (long) Math.max(1, count), Long.BYTES);
    }

    /** A copy of a text that the native object keeps. */
    static String text(long address, long length) {
        return new String(bytes(address, length), StandardCharsets.UTF_8);
    }

    /** As published: an {@link AssertionError} where assertions are enabled, or else an exception of its own. */
    static void requireDirect(ByteBuffer buffer, String name) throws RocksDBException {
        assert buffer.isDirect();
        refuseHeap(buffer, name);
    }

    static void refuseHeap(ByteBuffer buffer, String name) throws RocksDBException {
        if (!buffer.isDirect()) {
            throw new RocksDBException("Invalid " + name + " argument");
        }
    }

    /** As {@link #copy(Scratch, byte[])}; C's NULL for null. */
    static MemorySegment copyOrNull(Scratch scratch, byte[] bytes) {
        return bytes == null ? MemorySegment.NULL : copy(scratch, bytes);
    }

    static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /** A text as C has it. */
    static MemorySegment text(Scratch scratch, String text) {
        return scratch.allocateFrom(CText.whole(text));
    }

    /** An array of texts as C has it. */
    static long texts(Scratch scratch, List<String> texts) {
        MemorySegment array = scratch.allocate(Long.BYTES * (long) Math.max(1, texts.size()), Long.BYTES);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, text(scratch, texts.get(i)).address());
        }
        return array.address();
    }

    /** A {@code rocksdb_env_t} for one call: the native {@code Env}, and that it is not C's to free. */
    static long environment(Scratch scratch, Env environment) {
        MemorySegment wrapper = scratch.allocate(2L * Long.BYTES, Long.BYTES);
        wrapper.setAtIndex(ValueLayout.JAVA_LONG, 0, environment.nativeHandle_);
        wrapper.setAtIndex(ValueLayout.JAVA_LONG, 1, 1);
        return wrapper.address();
    }

    /** A name of bytes as C has it. */
    static MemorySegment name(Scratch scratch, byte[] name) {
        MemorySegment text = scratch.allocate(name.length + 1L, 1);
        MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
        text.set(ValueLayout.JAVA_BYTE, name.length, (byte) 0);
        return text;
    }

    /** A text that C ends with a zero. */
    static String text(long address) {
        return NativeCalls.view(address, Long.MAX_VALUE).getString(0);
    }
}
