package dev.outcrop.queue.internal.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/**
 * Which pages of a mapped file can be read: not those of bad sectors, and not those behind the end of a file that was cut off. A thread
 * that looks through a whole file asks first, because afterwards it is too late to say where it failed.
 */
public final class Pages {
    /** No system has smaller ones. */
    public static final int SIZE = 4096;
    public static final String UNREADABLE = "it cannot be read there: the file is shorter than it was, or the disk has failed";

    // One and zero. Not final, so that no compiler knows them.
    private static volatile int step = 1;
    private static int none;

    private Pages() {
    }

    /**
     * Fails in an orderly way if a page cannot be read. To be called before a checksum is computed: the JVM ends if it meets such a page in
     * doing that, but throws when a single load does. If the file is cut off between the two, this does not help.
     *
     * @param from a position on a page that something was loaded from before
     * @param to   behind the last byte
     * @throws InternalError if a page behind the first one cannot be read
     */
    public static void requireReadable(MemorySegment memory, long from, long to) {
        awaitError(look(memory, from, to));
    }

    /** As above, where nothing was loaded from the first page. */
    static void requireAllReadable(MemorySegment memory, long from, long to) {
        awaitError(memory.get(ValueLayout.JAVA_BYTE, from) + look(memory, from, to));
    }

    /** Whether a range is not all on one page. */
    static boolean isOnSeveral(int from, int to) {
        return ((to - 1 ^ from) & -SIZE) != 0;
    }

    /**
     * Loads from each page but the first one.
     *
     * @param from also of all memory: mappings begin with a page
     * @return for {@link #awaitError}
     */
    static int look(MemorySegment memory, long from, long to) {
        int seen = 0;
        for (long at = (from / SIZE + 1) * SIZE; at < to; at += SIZE) {
            seen += memory.get(ValueLayout.JAVA_BYTE, at);
        }
        return seen;
    }

    /**
     * Has the JVM throw if a load or a store before this has failed. It only notes that down, and throws when the thread looks whether there
     * is something to be done (a safepoint poll), as it does where a loop goes round that may do so for long. A call of a method that is not
     * Java does so too, but takes 12 ns instead of 0.6.
     *
     * @param seen the sum of what was loaded
     */
    public static void awaitError(int seen) {
        // Depends on all that was loaded, so that no compiler leaves the loads out: it knows that a sum of few bytes cannot be anything.
        int round = seen & none;
        do {
            round += step;
        } while (round < 2);
    }

    /** The pages that cannot be read, each of {@link #SIZE} bytes. */
    public static BitSet unreadable(MemorySegment memory) {
        BitSet found = new BitSet();
        for (long at = 0; at < memory.byteSize(); at += SIZE) {
            if (!isReadable(memory, at)) {
                found.set((int) (at / SIZE));
            }
        }
        return found;
    }

    /** Whether all of a small file, or of a header, can be read. */
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
