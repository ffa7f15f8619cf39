package org.rocksdb.util;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** Orders keys of four bytes as signed numbers, the highest byte first. */
public final class IntComparator extends AbstractComparator {

    /**
     * Makes an object.
     *
     * @param copt how keys are shown
     */
    public IntComparator(ComparatorOptions copt) {
        super(copt);
    }

    @Override
    public String name() {
        return "rocksdb.java.IntComparator";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
        return Integer.compare(a.getInt(a.position()), b.getInt(b.position()));
    }
}
