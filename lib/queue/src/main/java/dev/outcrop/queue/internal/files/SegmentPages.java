package dev.outcrop.queue.internal.files;

import java.util.function.BooleanSupplier;

/**
 * Prepares the pages of a segment, so that no append waits for a page fault. Appends do that if no thread has done it before. Thread-safe.
 */
public final class SegmentPages {
    /** How many bytes are prepared at once where pages are prepared one by one. */
    static final int STEP = 64 << 10;

    private final SegmentFile segment;
    /** Appends prepare the pages from here on; the segment's end if they need not. Written with the lock held. */
    private volatile int ready;

    SegmentPages(SegmentFile segment) {
        this.segment = segment;
        this.ready = segment.size;
    }

    /** Whether a record that ends at a position can be appended now. Otherwise call {@link #prepare} first, if it fits. */
    public boolean isReady(long end) {
        return end <= ready;
    }

    /** Prepares the next pages, at least up to a position. */
    public void prepare(int end) {
        if (!segment.lease()) {
            // The segment is closed.
            return;
        }
        try {
            // One thread for all that need the same pages.
            synchronized (this) {
                int from = ready;
                if (end > from) {
                    int to = (int) Math.min(segment.size, Math.max(end, (long) from + STEP));
                    segment.file.populateOneByOne(from, to);
                    ready = to;
                }
            }
        } finally {
            segment.release();
        }
    }

    /** Has appends prepare the pages behind the tail, because no other thread does. */
    public void preparedByAppends() {
        synchronized (this) {
            ready = claimed();
        }
    }

    /** Prepares the pages behind the tail. Appends need not do so from now on. */
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

    /** Keeps the pages behind the tail as small pages, which appends prepare. */
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
