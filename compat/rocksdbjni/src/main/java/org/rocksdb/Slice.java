package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Bytes that are copied to native memory. */
public class Slice extends AbstractSlice<byte[]> {

    /** The memory of a slice that needs no closing; null if this object owns the native slice. */
    private final MemorySegment unowned;

    /**
     * Makes a slice of a text in UTF-8.
     *
     * @param str the text
     */
    public Slice(String str) {
        super(createNewSliceFromString(str));
        unowned = null;
    }

    /**
     * Makes a slice of the end of an array.
     *
     * @param data   the array
     * @param offset where the bytes begin
     * @throws ArrayIndexOutOfBoundsException if the array is shorter
     */
    public Slice(byte[] data, int offset) {
        super(NativeSlice.allocate(data, requireWithin(data, offset), data.length - offset));
        unowned = null;
    }

    private static int requireWithin(byte[] data, int offset) {
        if (offset < 0 || offset > data.length) {
            throw new ArrayIndexOutOfBoundsException("Offset " + offset + " is not within " + data.length + " bytes");
        }
        return offset;
    }

    /**
     * Makes a slice of an array.
     *
     * @param data the array
     */
    public Slice(byte[] data) {
        this(data, 0);
    }

    /** Makes a slice that owns nothing and needs no closing. */
    @SuppressWarnings("this-escape") // sets fields
    private Slice(MemorySegment memory) {
        unowned = memory;
        setNativeHandle(memory.address(), false);
    }

    static Slice unowned(byte[] bytes) {
        MemorySegment memory = Arena.ofAuto().allocate(NativeSlice.HEADER + (long) bytes.length, Long.BYTES);
        NativeSlice.fill(memory, bytes, 0, bytes.length);
        return new Slice(memory);
    }

    @Override
    public synchronized void clear() {
        long handle = getNativeHandle();
        NativeSlice.set(handle, NativeCalls.readLong(handle), 0);
    }

    @Override
    public synchronized void removePrefix(int n) {
        requirePrefix(n);
        long handle = getNativeHandle();
        NativeSlice.set(handle, NativeCalls.readLong(handle) + n, NativeSlice.size(handle) - n);
    }

    @Override
    protected void disposeInternal() {
        super.disposeInternal();
    }

    @Override
    protected final byte[] data0(long handle) {
        try {
            return NativeSlice.bytes(handle);
        } finally {
            Reference.reachabilityFence(unowned);
        }
    }
}
