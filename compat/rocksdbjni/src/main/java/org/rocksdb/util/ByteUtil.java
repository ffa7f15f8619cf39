package org.rocksdb.util;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Conversion and comparison of bytes. */
public class ByteUtil {

    /** Does nothing: all members are static. */
    public ByteUtil() {
    }

    /**
     * Encodes a text as UTF-8.
     *
     * @param str the text
     * @return its bytes
     */
    public static byte[] bytes(String str) {
        return str.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Compares the first bytes of two buffers, as unsigned numbers, regardless of the positions.
     *
     * @param x     a buffer
     * @param y     another buffer
     * @param count how many bytes
     * @return the difference of the first bytes that differ; 0 if none do
     */
    public static int memcmp(ByteBuffer x, ByteBuffer y, int count) {
        for (int i = 0; i < count; i++) {
            int difference = Byte.toUnsignedInt(x.get(i)) - Byte.toUnsignedInt(y.get(i));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }
}
