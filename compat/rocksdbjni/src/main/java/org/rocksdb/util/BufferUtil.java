package org.rocksdb.util;

/** Bounds checks. */
public class BufferUtil {

    /** Does nothing: all members are static. */
    public BufferUtil() {
    }

    /**
     * Checks that a range lies within an array.
     *
     * @param offset where it begins
     * @param len    its length
     * @param size   length of the array
     * @throws IndexOutOfBoundsException if not
     */
    public static void CheckBounds(int offset, int len, int size) {
        if ((offset | len | (offset + len) | (size - (offset + len))) < 0) {
            throw new IndexOutOfBoundsException("offset(%d), len(%d), size(%d)".formatted(offset, len, size));
        }
    }
}
