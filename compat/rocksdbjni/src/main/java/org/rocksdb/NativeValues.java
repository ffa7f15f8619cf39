package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.CText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Conversions between values of Java and of C. */
final class NativeValues {

    /** From this size on, the JDK copies between two segments with native code. For arrays it always does so. */
    private static final int CALL_BYTES = 64;

    private NativeValues() {
    }

    static byte flag(boolean value) {
        return (byte) (value ? 1 : 0);
    }

    /** Copies native memory to an array. */
    static byte[] bytes(long address, long length) {
        byte[] bytes = new byte[size(length)];
        if (length >= CALL_BYTES) {
            MemorySegment.copy(NativeCalls.view(address, length), ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
        } else if (length > 0) {
            MemorySegment.copy(NativeCalls.view(address, length), 0, MemorySegment.ofArray(bytes), 0, length);
        }
        return bytes;
    }

    /** Checks the size of a value. As published, throws a {@link RocksDBException} if no array can hold the value. */
    static int size(long size) {
        if (size > Integer.MAX_VALUE) {
            throw Errors.undeclared(new RocksDBException(
                    "Requested array size exceeds VM limit: it has " + size + " bytes; write smaller values"));
        }
        return (int) size;
    }

    /** Copies bytes to native memory, for one call. */
    static MemorySegment copy(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = scratch.allocate(Math.max(1, length), 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    static MemorySegment copy(Scratch scratch, byte[] array) {
        return copy(scratch, array, 0, array.length);
    }

    /** Copies a key to native memory, for one call. A short key goes to the first area. Other bytes may follow the key. */
    static MemorySegment key(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.firstArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /** Copies a value to native memory, for one call. A short value goes to the second area. */
    static MemorySegment value(Scratch scratch, byte[] array, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, array.length);
        MemorySegment copy = length <= Scratch.AREA_BYTES ? scratch.secondArea() : scratch.allocate(length, 1);
        MemorySegment.copy(array, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /** Copies a key, from position to limit, to native memory. Position and limit do not change. A direct buffer is used in place. */
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

    /** Copies as many bytes as fit, and returns the whole size. */
    static int copy(long from, long size, byte[] to, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, to.length);
        int copied = (int) Math.min(size, length);
        if (copied > 0) {
            MemorySegment.copy(NativeCalls.view(from, copied), ValueLayout.JAVA_BYTE, 0, to, offset, copied);
        }
        return size(size);
    }

    /** Copies as many bytes as fit, sets the limit to their end, and returns the whole size. */
    static int copy(long from, long size, ByteBuffer to) {
        if (to.isReadOnly()) {
            assert to.isDirect() : "A buffer on the heap must have an array";
            throw new ReadOnlyBufferException();
        }
        int copied = (int) Math.min(size, to.remaining());
        if (copied > 0) {
            MemorySegment.ofBuffer(to).asSlice(0, copied).copyFrom(NativeCalls.view(from, copied));
        }
        to.limit(to.position() + copied);
        return size(size);
    }

    /** Allocates an array of words for one call. */
    static MemorySegment words(Scratch scratch, int count) {
        return scratch.allocate(Long.BYTES * (long) Math.max(1, count), Long.BYTES);
    }

    /** Copies a text from native memory. */
    static String text(long address, long length) {
        return new String(bytes(address, length), StandardCharsets.UTF_8);
    }

    /**
     * Checks that a buffer is direct. As published, throws an {@link AssertionError} if assertions are enabled, otherwise a
     * {@link RocksDBException}.
     */
    static void requireDirect(ByteBuffer buffer, String name) throws RocksDBException {
        assert buffer.isDirect();
        refuseHeap(buffer, name);
    }

    static void refuseHeap(ByteBuffer buffer, String name) throws RocksDBException {
        if (!buffer.isDirect()) {
            throw new RocksDBException("Invalid " + name + " argument");
        }
    }

    /** Copies bytes to native memory, for one call; NULL for null. */
    static MemorySegment copyOrNull(Scratch scratch, byte[] bytes) {
        return bytes == null ? MemorySegment.NULL : copy(scratch, bytes);
    }

    static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    /** Converts a text for C. */
    static MemorySegment text(Scratch scratch, String text) {
        return scratch.allocateFrom(CText.whole(text));
    }

    /** Converts texts to an array for C. */
    static long texts(Scratch scratch, List<String> texts) {
        MemorySegment array = scratch.allocate(Long.BYTES * (long) Math.max(1, texts.size()), Long.BYTES);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, text(scratch, texts.get(i)).address());
        }
        return array.address();
    }

    /** Makes a {@code rocksdb_env_t} for one call: the address of the {@code Env}, and a flag so that C does not free it. */
    static long environment(Scratch scratch, Env environment) {
        MemorySegment wrapper = scratch.allocate(2L * Long.BYTES, Long.BYTES);
        wrapper.setAtIndex(ValueLayout.JAVA_LONG, 0, environment.nativeHandle_);
        wrapper.setAtIndex(ValueLayout.JAVA_LONG, 1, 1);
        return wrapper.address();
    }

    /** Converts a name for C. */
    static MemorySegment name(Scratch scratch, byte[] name) {
        MemorySegment text = scratch.allocate(name.length + 1L, 1);
        MemorySegment.copy(name, 0, text, ValueLayout.JAVA_BYTE, 0, name.length);
        text.set(ValueLayout.JAVA_BYTE, name.length, (byte) 0);
        return text;
    }

    /** Reads a text that ends with a zero. */
    static String text(long address) {
        return NativeCalls.view(address, Long.MAX_VALUE).getString(0);
    }
}
