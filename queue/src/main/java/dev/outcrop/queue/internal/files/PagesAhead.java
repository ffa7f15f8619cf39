package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.MappedFile;
import org.jspecify.annotations.Nullable;

/**
 * Maps the pages of records that came from the disk, many at once, when a reader comes to the first of them: a page fault maps only a few.
 * What this process has appended is mapped already. Thread-safe.
 */
final class PagesAhead {
    /** Takes some ten microseconds from memory, and an eighth of the page faults. */
    private static final int STEP = 512 << 10;
    /** Of a segment that this process has begun. */
    static final PagesAhead NONE = new PagesAhead(null, 0);

    private final @Nullable MappedFile file;
    private final int end;
    /** Readers in front of this one have mapped all there is to be mapped. Not volatile: it does no harm that two map the same. */
    private int next;

    /** Of a file whose records end at a position. */
    PagesAhead(@Nullable MappedFile file, int end) {
        this.file = file;
        this.end = end;
        this.next = file == null ? Integer.MAX_VALUE : 0;
    }

    /** A reader is about to read on at a position. */
    void reach(int position) {
        if (position >= next) {
            map(position);
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
