package dev.outcrop.queue.internal.files;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The records of a segment that need not be verified again: those that this opening of the queue has appended, and a range that readers have verified. The range grows at both ends. Records that were verified elsewhere are not remembered, and are verified again when the range comes to them. Thread-safe.
 */
public final class VerifiedRange {
    /** Nothing is verified, and nothing is remembered. */
    static final VerifiedRange NONE = new VerifiedRange(Integer.MAX_VALUE, false);

    /** Records from this position on were appended by this opening. */
    private final int appendedFrom;
    private final boolean isRemembering;
    /** The range: where it begins in the upper half, where it ends in the lower. */
    private final AtomicLong checked = new AtomicLong();

    private VerifiedRange(int appendedFrom, boolean isRemembering) {
        this.appendedFrom = appendedFrom;
        this.isRemembering = isRemembering;
    }

    /** Creates the range of a segment to which this opening appends from a position on. */
    public static VerifiedRange appendedFrom(int position) {
        return new VerifiedRange(position, true);
    }

    int appendedFrom() {
        return appendedFrom;
    }

    /** The range that was checked, for {@link #from} and {@link #to}. */
    long checked() {
        // Acquire: what is read of a checked record is read after it was checked.
        return checked.getAcquire();
    }

    static int from(long range) {
        return (int) (range >>> 32);
    }

    static int to(long range) {
        return (int) range;
    }

    /** Whether the record that begins at a position was checked. */
    public boolean isChecked(int position) {
        long range = checked();
        return position >= from(range) && position < to(range);
    }

    /**
     * Adds records that follow each other, which the caller or another thread has verified.
     *
     * @param from where the first one begins
     * @param to   behind the last one
     */
    public void check(int from, int to) {
        if (!isRemembering) {
            return;
        }
        while (true) {
            long range = checked.get();
            boolean isEmpty = to(range) == 0;
            if (!isEmpty && (from > to(range) || to < from(range))) {
                return;
            }
            int first = isEmpty ? from : Math.min(from, from(range));
            int end = Math.max(to, to(range));
            // Also a release, so that checking is over before another thread relies on it; and of two readers who add at once both count.
            if (checked.compareAndSet(range, (long) first << 32 | end)) {
                return;
            }
        }
    }
}
