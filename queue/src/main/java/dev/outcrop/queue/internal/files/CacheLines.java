package dev.outcrop.queue.internal.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Loads memory into the processor's caches, line by line. */
final class CacheLines {
    /** The size of a line. Where lines are longer, some loads find them already there. */
    static final int SIZE = 64;

    private CacheLines() {
    }

    /**
     * Loads from each line of a range but the first one, so that it is in the cache when it is read. One line after the other: what jumps
     * ahead, to the next record say, and comes back, ends what the processor itself loads in advance.
     *
     * @param from also of all memory: mappings begin with a line
     * @return so that no compiler leaves the loads out, for {@link Pages#awaitError}
     */
    static int load(MemorySegment memory, long from, long to) {
        int seen = 0;
        for (long at = (from | SIZE - 1) + 1; at < to; at += SIZE) {
            seen += memory.get(ValueLayout.JAVA_BYTE, at);
        }
        return seen;
    }
}
