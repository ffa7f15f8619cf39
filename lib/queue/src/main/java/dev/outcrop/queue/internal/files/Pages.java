package dev.outcrop.queue.internal.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/** Looks which pages of a mapped file can be read. Bad sectors cannot, nor pages behind the end of a truncated file. */
public final class Pages {
    /** The smallest page of any system. */
    public static final int SIZE = 4096;
    public static final String UNREADABLE = "it cannot be read there: the file is shorter than it was, or the disk has failed";

    // One and zero. Not final, so that no compiler knows them.
    private static volatile int step = 1;
    private static int none;

    private Pages() {
    }

    /**
     * Throws if a page cannot be read. Called before a checksum is computed, because the JVM would crash there. Does not help if the file
     * is truncated between the two.
     *
     * @param from a position on a page that something was loaded from before
     * @param to   behind the last byte
     * @throws InternalError if a page behind the first one cannot be read
     */
    public static void requireReadable(MemorySegment memory, long from, long to) {
        awaitError(look(memory, from, to));
    }

    /** As above, including the first page. */
    static void requireAllReadable(MemorySegment memory, long from, long to) {
        awaitError(memory.get(ValueLayout.JAVA_BYTE, from) + look(memory, from, to));
    }

    /** Whether a range is on several pages. */
    static boolean isOnSeveral(int from, int to) {
        return ((to - 1 ^ from) & -SIZE) != 0;
    }

    /**
     * Loads from each page but the first one.
     *
     * @param from a position in the file's mapping or in all memory, because mappings begin with a page
     * @return a number for {@link #awaitError}
     */
    static int look(MemorySegment memory, long from, long to) {
        int seen = 0;
        for (long at = (from / SIZE + 1) * SIZE; at < to; at += SIZE) {
            seen += memory.get(ValueLayout.JAVA_BYTE, at);
        }
        return seen;
    }

    /**
     * Makes the JVM throw the error of an earlier load or store. The JVM only notes an error, and throws it at the next safepoint poll. A
     * loop that may run for long has such a poll. A native call has one, too, but takes 12 ns instead of 0.6.
     *
     * @param seen the sum of the loaded bytes
     */
    public static void awaitError(int seen) {
        // Depends on all loads, so that no compiler leaves them out: it knows that a sum of few bytes has bounds.
        int round = seen & none;
        do {
            round += step;
        } while (round < 2);
    }

    /** Finds the pages that cannot be read, each of {@link #SIZE} bytes. */
    public static BitSet unreadable(MemorySegment memory) {
        BitSet found = new BitSet();
        for (long at = 0; at < memory.byteSize(); at += SIZE) {
            if (!isReadable(memory, at)) {
                found.set((int) (at / SIZE));
            }
        }
        return found;
    }

    /** Whether all of a small file or a header can be read. */
    public static boolean areReadable(MemorySegment memory) {
        return unreadable(memory).isEmpty();
    }

    private static boolean isReadable(MemorySegment memory, long at) {
        try {
            awaitError(memory.get(ValueLayout.JAVA_BYTE, at));
            return true;
        } catch (InternalError e) {
            return false;
        }
    }
}
