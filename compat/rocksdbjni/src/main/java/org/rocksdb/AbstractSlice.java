package org.rocksdb;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Bytes in native memory. A slice may be closed by one thread while others use it: later calls are refused.
 *
 * @param <T> how Java sees the bytes
 */
public abstract class AbstractSlice<T> extends RocksMutableObject {

    /** Makes an object without a native slice, until {@link #setNativeHandle} sets one. */
    protected AbstractSlice() {
    }

    /**
     * Makes an object that owns a native slice.
     *
     * @param nativeHandle its address, such as from {@link #createNewSliceFromString}
     */
    protected AbstractSlice(long nativeHandle) {
        super(nativeHandle);
    }

    /**
     * Returns the bytes.
     *
     * @return as the subclass shows them
     * @throws IllegalStateException if the slice is closed; {@code AssertionError} where assertions are enabled
     */
    public synchronized T data() {
        return data0(getNativeHandle());
    }

    /**
     * Returns the bytes of a native slice.
     *
     * @param handle its address
     * @return as the subclass shows them
     */
    protected abstract T data0(long handle);

    /**
     * Removes bytes at the beginning.
     *
     * @param n how many
     * @throws IllegalArgumentException if there are not so many
     */
    public abstract void removePrefix(int n);

    /** Makes this slice empty. */
    public abstract void clear();

    /** {@return the number of bytes} */
    public synchronized int size() {
        return Math.toIntExact(NativeSlice.size(getNativeHandle()));
    }

    /** {@return whether there are no bytes} */
    public boolean empty() {
        return size() == 0;
    }

    /**
     * Returns the bytes as text.
     *
     * @param hex whether two hexadecimal digits stand for each byte; otherwise the bytes are taken for UTF-8
     * @return the text
     */
    public String toString(boolean hex) {
        return hex
                ? HexFormat.of().withUpperCase().formatHex(bytes())
                : new String(bytes(), StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return toString(false);
    }

    /**
     * Compares unsigned bytes. A slice that is closed, or not owned, comes first.
     *
     * @param other the other one
     * @return negative if this one comes first, 0 if they are equal, positive if the other one comes first
     */
    public int compare(AbstractSlice<?> other) {
        assert other != null : "There is no slice to compare with";
        boolean isOwned = isOwningHandle();
        boolean isOtherOwned = other.isOwningHandle();
        return isOwned && isOtherOwned
                ? compare(bytes(), other.bytes())
                : Boolean.compare(isOwned, isOtherOwned);
    }

    /** As published, the result is the difference of the first bytes that differ; for a prefix it is 1 or -1. */
    private static int compare(byte[] ours, byte[] theirs) {
        int common = Math.min(ours.length, theirs.length);
        int first = Arrays.compareUnsigned(ours, 0, common, theirs, 0, common);
        return first != 0 ? first : Integer.compare(ours.length, theirs.length);
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** Whether the other object is a slice that {@link #compare} finds equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof AbstractSlice<?> slice && compare(slice) == 0;
    }

    /**
     * Returns whether the bytes begin with the bytes of another slice.
     *
     * @param prefix the other slice
     * @return true if they do; false if the other slice is null
     */
    public boolean startsWith(AbstractSlice<?> prefix) {
        if (prefix == null) {
            return false;
        }
        byte[] bytes = bytes();
        byte[] start = prefix.bytes();
        return bytes.length >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
    }

    /** Returns a copy of the bytes. */
    final synchronized byte[] bytes() {
        return NativeSlice.bytes(getNativeHandle());
    }

    /** Checks that there are enough bytes to remove. */
    final void requirePrefix(int n) {
        if (n < 0 || n > size()) {
            throw new IllegalArgumentException("Cannot drop " + n + " of " + size() + " bytes");
        }
    }

    /**
     * Allocates a native slice with a text in UTF-8.
     *
     * @param str the text
     * @return the address of the native slice; {@link #disposeInternal(long)} frees it
     */
    protected static long createNewSliceFromString(String str) {
        byte[] bytes = str.getBytes(StandardCharsets.UTF_8);
        return NativeSlice.allocate(bytes, 0, bytes.length);
    }

    /** Copies a slice that native code has allocated to another slice, and frees it. Does nothing if its address is 0. */
    static void take(AbstractSlice<?> slice, long allocated) {
        if (allocated == 0) {
            slice.resetNativeHandle(0, false);
            return;
        }
        try {
            byte[] bytes = NativeSlice.bytes(allocated);
            slice.resetNativeHandle(NativeSlice.allocate(bytes, 0, bytes.length), true);
        } finally {
            disposeInternalJni(allocated);
        }
    }

    private static native void disposeInternalJni(long slice);

    @Override
    protected final void disposeInternal(long handle) {
        NativeSlice.free(handle);
    }
}
