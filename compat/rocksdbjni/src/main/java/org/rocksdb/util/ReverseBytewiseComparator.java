package org.rocksdb.util;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** Orders keys by their unsigned bytes, the greatest first, in Java. RocksDB's own comparator does the same much faster. */
public final class ReverseBytewiseComparator extends AbstractComparator {

    /**
     * Makes an object.
     *
     * @param copt how keys are shown
     */
    public ReverseBytewiseComparator(ComparatorOptions copt) {
        super(copt);
    }

    @Override
    public String name() {
        return "rocksdb.java.ReverseBytewiseComparator";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
        return BytewiseComparator.compareBytes(b, a);
    }

    @Override
    public void findShortestSeparator(ByteBuffer start, ByteBuffer limit) {
        int at = BytewiseComparator.firstDifference(start, limit);
        if (at >= Math.min(start.remaining(), limit.remaining())) {
            return;
        }
        if (Byte.toUnsignedInt(start.get(at)) > Byte.toUnsignedInt(limit.get(at)) && at < start.remaining() - 1) {
            start.limit(at + 1);
        }
    }
}
