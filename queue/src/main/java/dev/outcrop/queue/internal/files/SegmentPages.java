package dev.outcrop.queue.internal.files;

import java.util.function.BooleanSupplier;

/**
 * Which pages of a segment are ready to be written to, so that no append waits for a page fault: all of them, unless no thread has prepared
 * them and those who append have to. Thread-safe.
 */
public final class SegmentPages {
    /** How many bytes are prepared at once where pages are one by one. That takes the longer, the more there are, and less for each. */
    static final int STEP = 64 << 10;
    /** An appender of more than 500 MB a second is in a hurry. */
    private static final int HURRIED_NANOS_PER_BYTE = 2;
    /** A thread that has waited for something, and makes up for that, is in a hurry for less than so many steps. */
    private static final int LONG_HURRY = 16;

    private final SegmentFile segment;
    /** Appends prepare the pages from there on; the end if they need not. Written with the lock of this held. */
    private volatile int ready;
    /** When they last did. */
    private long prepared;
    /** In how many of the last steps they were in a hurry. */
    private int hurried;

    SegmentPages(SegmentFile segment) {
        this.segment = segment;
        this.ready = segment.size;
    }

    /** Whether something that ends at a position fits, and may be appended; or else {@link #prepare} is to be called before. */
    public boolean isReady(long end) {
        return end <= ready;
    }

    /**
     * Prepares the next pages, at least up to a position. Not while there has been no rest for long: then it matters how long all appends
     * take together, and that is least if the kernel prepares as many pages as it likes, whenever it comes to one that is not ready.
     */
    public void prepare(int end) {
        if (!segment.lease()) {
            // Closed: there is nothing to append to any more.
            return;
        }
        try {
            // One for all who wait for the same pages.
            synchronized (this) {
                int from = ready;
                if (end > from) {
                    int to = (int) Math.min(segment.size, Math.max(end, (long) from + STEP));
                    long bytes = (long) to - from;
                    hurried = System.nanoTime() - prepared < HURRIED_NANOS_PER_BYTE * bytes ? hurried + 1 : 0;
                    if (hurried < LONG_HURRY) {
                        segment.file.populateOneByOne(from, to);
                    }
                    prepared = System.nanoTime();
                    ready = to;
                }
            }
        } finally {
            segment.release();
        }
    }

    /** Has producers prepare the pages behind the tail, because no other thread does. */
    public void preparedByAppends() {
        synchronized (this) {
            ready = claimed();
        }
    }

    /** Prepares the pages behind what is claimed. Appends need not do so any more. */
    public void populateRest(QueueDirectory files, BooleanSupplier goOn) {
        if (segment.lease()) {
            try {
                files.populate(segment.file, claimed(), goOn);
                synchronized (this) {
                    ready = segment.size;
                }
            } finally {
                segment.release();
            }
        }
    }

    /** Has the pages behind what is claimed kept one by one from now on. Those who append prepare them. */
    public void useSmallPages(QueueDirectory files, BooleanSupplier goOn) {
        if (segment.lease()) {
            try {
                preparedByAppends();
                files.useSmallPages(segment.file, segment.path, () -> ready, goOn);
            } finally {
                segment.release();
            }
        }
    }

    private int claimed() {
        return Math.min(SegmentTail.position(segment.tail.get()), segment.size);
    }
}
