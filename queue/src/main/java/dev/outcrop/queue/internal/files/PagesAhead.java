package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.MappedFile;
import org.jspecify.annotations.Nullable;

/**
 * Maps the pages of records that came from the disk, many at once, before a reader comes to them, or when it comes to the first of them: a page fault maps only
 * a few. What this process has appended is mapped already. Thread-safe.
 */
final class PagesAhead {
    /** Takes some ten microseconds from memory, and an eighth of the page faults. */
    private static final int STEP = 512 << 10;
    /** So far ahead of a reader, if there is a thread that does so; it is asked when half of that is left. */
    private static final int AHEAD = 4 << 20;
    /** Of a segment that this process has begun. */
    static final PagesAhead NONE = new PagesAhead(null, 0);

    private final @Nullable MappedFile file;
    private final int end;
    /** Readers in front of this one have mapped all there is to be mapped. Not volatile: it does no harm that two map the same. */
    private int next;
    /** Asks a thread to call {@link #mapAhead}; null if there is none. Set before anybody reads. */
    private @Nullable Runnable asking;
    /** A reader that comes there asks; as harmless as the other one. */
    private int askedFrom;
    /** Where the one that has asked last was. */
    private volatile int reached;

    /** Of a file whose records end at a position. */
    PagesAhead(@Nullable MappedFile file, int end) {
        this.file = file;
        this.end = end;
        this.next = file == null ? Integer.MAX_VALUE : 0;
    }

    /** Somebody calls {@link #mapAhead} after each of these calls. Before anybody reads. */
    void askBy(Runnable ask) {
        if (file != null) {
            asking = ask;
        }
    }

    /** A reader is about to read on at a position. */
    void reach(int position) {
        if (position >= next) {
            map(position);
        }
        if (position >= askedFrom) {
            ask(position);
        }
    }

    private void ask(int position) {
        Runnable ask = asking;
        askedFrom = ask == null ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, position + AHEAD / 2L);
        if (ask != null && next < end) {
            reached = position;
            ask.run();
        }
    }

    /** Maps what is in front of the reader that has asked last, in steps. The file stays mapped meanwhile. */
    void mapAhead(Runnable meanwhile) {
        MappedFile mapped = file;
        int to = (int) Math.min(end, (long) reached + AHEAD);
        int from = next;
        while (mapped != null && from < to) {
            int reachable = (int) Math.min(to, (long) from + STEP);
            if (!mapped.populateForReading(from, reachable)) {
                // The reader that comes there finds out.
                return;
            }
            from = reachable;
            // After they are mapped: until then a reader does not wait for this thread.
            next = from < end ? from : Integer.MAX_VALUE;
            meanwhile.run();
        }
    }

    private void map(int position) {
        MappedFile mapped = file;
        int from = position & -STEP;
        int to = (int) Math.min(end, (long) from + STEP);
        next = mapped != null && to > from && mapped.populateForReading(from, to) && to < end
                ? to
                : Integer.MAX_VALUE;
    }
}
