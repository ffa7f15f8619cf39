package dev.outcrop.queue.internal.files;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The records of a segment that need not be verified again: those that this opening has appended, and a range that readers have verified,
 * which grows at both ends. Records that were verified elsewhere are verified again when the range comes to them. Thread-safe.
 */
public final class VerifiedRange {
    /** Remembers nothing. */
    static final VerifiedRange NONE = new VerifiedRange(Integer.MAX_VALUE, false);

    /** Records from this position on were appended by this opening. */
    private final int appendedFrom;
    private final boolean isRemembering;
    /** The range: its start in the upper half, its end in the lower. */
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

    /** The verified range, for {@link #from} and {@link #to}. */
    long checked() {
        // Acquire: a verified record is read after it was verified.
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
     * Adds verified records that follow each other.
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
            // Also a release, so that verifying is over before another thread relies on it.
            if (checked.compareAndSet(range, (long) first << 32 | end)) {
                return;
            }
        }
    }
}
