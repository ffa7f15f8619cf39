package org.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A word of native memory for each open iterator, where RocksDB writes lengths. They are used again and again: making an iterator
 * takes no memory of its own. There are as many as there were iterators open at once.
 */
final class IteratorWords {

    /** Apart from each other, so that threads do not write into one cache line. */
    private static final int STRIDE = 64;
    private static final int MORE = 64;

    private static long[] free = new long[MORE];
    private static int count;

    private IteratorWords() {
    }

    static synchronized long take() {
        if (count == 0) {
            MemorySegment words = Arena.global().allocate((long) STRIDE * MORE, STRIDE);
            for (int i = 0; i < MORE; i++) {
                give(words.address() + (long) STRIDE * i);
            }
        }
        return free[--count];
    }

    static synchronized void give(long word) {
        if (count == free.length) {
            free = Arrays.copyOf(free, 2 * count);
        }
        free[count++] = word;
    }
}
