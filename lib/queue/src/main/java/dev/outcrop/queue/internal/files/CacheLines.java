package dev.outcrop.queue.internal.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Loads memory into the processor's caches, line by line. */
final class CacheLines {
    /** The size of a line, or a part of it. */
    static final int SIZE = 64;

    private CacheLines() {
    }

    /**
     * Loads each line of a range but the first one, in order: a jump would stop the processor's own loading ahead.
     *
     * @param from a position in the file's mapping or in all memory, because mappings begin with a line
     * @return a number for {@link Pages#awaitError}, so that no compiler leaves the loads out
     */
    static int load(MemorySegment memory, long from, long to) {
        int seen = 0;
        for (long at = (from | SIZE - 1) + 1; at < to; at += SIZE) {
            seen += memory.get(ValueLayout.JAVA_BYTE, at);
        }
        return seen;
    }
}
