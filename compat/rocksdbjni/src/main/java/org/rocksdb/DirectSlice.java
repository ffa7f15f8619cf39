package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The bytes of a direct buffer. The slice shares the buffer's memory and keeps the buffer reachable. */
public class DirectSlice extends AbstractSlice<ByteBuffer> {

    /** No slice. */
    public static final DirectSlice NONE = new DirectSlice();

    /** The memory of the buffer; null if the native slice comes from elsewhere. */
    private final MemorySegment memory;

    /** Makes an object without a native slice, until {@link #setNativeHandle} sets one. */
    DirectSlice() {
        memory = null;
    }

    /**
     * Makes a slice of a text in UTF-8.
     *
     * @param str the text
     */
    public DirectSlice(String str) {
        this(str.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Makes a slice of the beginning of a buffer, regardless of its position.
     *
     * @param data   the direct buffer
     * @param length how many bytes
     * @throws IllegalArgumentException if the buffer is not direct, or smaller
     */
    public DirectSlice(ByteBuffer data, int length) {
        this(memory(data), length);
    }

    /**
     * Makes a slice of a buffer up to its first zero byte, where a text ends in C, or of the whole buffer if it has none. Position and
     * limit do not matter.
     *
     * @param data the direct buffer
     * @throws IllegalArgumentException if the buffer is not direct
     */
    public DirectSlice(ByteBuffer data) {
        this(memory(data));
    }

    private DirectSlice(byte[] bytes) {
        this(copy(bytes), bytes.length);
    }

    private DirectSlice(MemorySegment memory) {
        this(memory, lengthOfText(memory));
    }

    private static int lengthOfText(MemorySegment memory) {
        int length = 0;
        while (length < memory.byteSize() && memory.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return length;
    }

    private DirectSlice(MemorySegment memory, int length) {
        super(slice(memory, length));
        this.memory = memory;
    }

    private static ByteBuffer copy(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes);
    }

    private static MemorySegment memory(ByteBuffer data) {
        if (!data.isDirect()) {
            throw new IllegalArgumentException("The buffer of a slice must be direct: " + data);
        }
        return MemorySegment.ofBuffer(data.duplicate().clear());
    }

    private static long slice(MemorySegment memory, int length) {
        if (length < 0 || length > memory.byteSize()) {
            throw new IllegalArgumentException("The buffer has " + memory.byteSize() + " bytes, not " + length);
        }
        long slice = NativeSlice.allocate(0);
        NativeSlice.set(slice, memory.address(), length);
        return slice;
    }

    /**
     * Returns one of the bytes.
     *
     * @param offset which one
     * @return the byte
     * @throws IllegalArgumentException if there is none
     */
    public synchronized byte get(int offset) {
        int size = size();
        if (offset < 0 || offset >= size) {
            throw new IllegalArgumentException("There is no byte " + offset + " in a slice of " + size);
        }
        return data0(getNativeHandle()).get(offset);
    }

    @Override
    public synchronized void clear() {
        resize(0, 0);
    }

    @Override
    public synchronized void removePrefix(int n) {
        requirePrefix(n);
        resize(n, NativeSlice.size(getNativeHandle()) - n);
    }

    /**
     * Changes the length, within the same buffer.
     *
     * @param n the new number of bytes
     * @throws IllegalArgumentException if the buffer ends before
     */
    public synchronized void setLength(int n) {
        long handle = getNativeHandle();
        long room = memory == null
                ? NativeSlice.size(handle)
                : memory.address() + memory.byteSize() - NativeCalls.readLong(handle);
        if (n < 0 || n > room) {
            throw new IllegalArgumentException("The buffer has " + room + " bytes from here on, not " + n);
        }
        resize(0, n);
    }

    private void resize(int dropped, long size) {
        long handle = getNativeHandle();
        NativeSlice.set(handle, NativeCalls.readLong(handle) + dropped, size);
    }

    @Override
    protected void disposeInternal() {
        super.disposeInternal();
    }

    /** Returns the bytes in place, or a copy if this slice was not made of a buffer. */
    @Override
    protected final ByteBuffer data0(long handle) {
        return memory == null
                ? copy(NativeSlice.bytes(handle)).flip()
                : memory.asSlice(NativeCalls.readLong(handle) - memory.address(), NativeSlice.size(handle))
                        .asByteBuffer();
    }
}
