package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;

/** Compares keys by their lengths, then by their bytes, in Java. */
final class ByLength extends AbstractComparator {

    ByLength(ComparatorOptions options) {
        super(options);
    }

    @Override
    public String name() {
        return "by length";
    }

    @Override
    public int compare(ByteBuffer a, ByteBuffer b) {
        int byLength = Integer.compare(a.remaining(), b.remaining());
        return byLength == 0 ? a.compareTo(b) : byLength;
    }
}
