package org.rocksdb.util;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** Orders keys by their unsigned bytes, in Java. RocksDB's own comparator does the same much faster. */
public final class BytewiseComparator extends AbstractComparator {

    private static final int LARGEST = 0xff;

    /**
     * Makes an object.
     *
     * @param copt how keys are shown
     */
    public BytewiseComparator(ComparatorOptions copt) {
        super(copt);
    }

    @Override
    public String name() {
        return "rocksdb.java.BytewiseComparator";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
        return compareBytes(a, b);
    }

    static int compareBytes(ByteBuffer a, ByteBuffer b) {
        int at = a.mismatch(b);
        return at < 0 || at == Math.min(a.remaining(), b.remaining())
                ? Integer.compare(a.remaining(), b.remaining())
                : Byte.compareUnsigned(a.get(a.position() + at), b.get(b.position() + at));
    }

    /** Returns the index of the first different byte, or the length of the shorter key. */
    static int firstDifference(ByteBuffer a, ByteBuffer b) {
        int at = 0;
        while (at < Math.min(a.remaining(), b.remaining()) && a.get(at) == b.get(at)) {
            at++;
        }
        return at;
    }

    @Override
    public void findShortestSeparator(ByteBuffer start, ByteBuffer limit) {
        int shorter = Math.min(start.remaining(), limit.remaining());
        int at = firstDifference(start, limit);
        if (at >= shorter) {
            return;
        }
        int startByte = Byte.toUnsignedInt(start.get(at));
        int limitByte = Byte.toUnsignedInt(limit.get(at));
        if (startByte >= limitByte) {
            return;
        }
        if (at < limit.remaining() - 1 || startByte + 1 < limitByte) {
            raise(start, at);
            return;
        }
        // If this byte were incremented, the result would be the limit itself, so a later byte is incremented.
        for (int later = at + 1; later < start.remaining(); later++) {
            if (Byte.toUnsignedInt(start.get(later)) < LARGEST) {
                raise(start, later);
                return;
            }
        }
    }

    @Override
    public void findShortSuccessor(ByteBuffer key) {
        for (int at = 0; at < key.remaining(); at++) {
            if (Byte.toUnsignedInt(key.get(at)) < LARGEST) {
                raise(key, at);
                return;
            }
        }
    }

    private static void raise(ByteBuffer key, int at) {
        key.put(at, (byte) (key.get(at) + 1));
        key.limit(at + 1);
    }
}
