package dev.outcrop.queue.internal.files;

/**
 * Detects for one thread that others append to the same segment all the time. Threads that alternate record by record take the cache lines
 * of the tail and of the last record from each other; if one yields before a record, they append in bursts (decision 13).
 */
public final class Contention {
    /**
     * The number of meetings within {@link #NANOS} that counts as often. A thread that meets others less often gains little, and may wait
     * for a time slice.
     */
    private static final int OFTEN = 256;
    private static final long NANOS = 10_000_000;
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** The number of claimed records behind the last record that this thread has claimed or tried to claim. */
    private long expected = UNKNOWN;
    /** The number of claimed records when it let others go first. */
    private long left;
    /** How often others have come between since then. */
    private int met;
    private long since;
    private long tick;

    Contention() {
    }

    /**
     * Returns whether the thread should let others go first. Never twice in a row.
     *
     * @param claimed how many records are claimed in the segment
     * @param records how many it is about to claim
     * @param millis  the time of these records
     */
    public boolean isMet(long claimed, int records, long millis) {
        long others = claimed - expected;
        expected = claimed + records;
        return others != 0 && isMetOften(others, claimed, millis);
    }

    private boolean isMetOften(long others, long claimed, long millis) {
        if (others < 0) {
            // The first record, or the first one after this thread let others go first.
            if (claimed == left) {
                // The others did not go: perhaps they wait for a lock of this thread.
                met = 0;
            }
            return false;
        }
        if (tick != millis) {
            tick = millis;
            begin();
        }
        // A virtual thread would wait for every thread that is ready to run, and none of these has to give up the carrier.
        if (++met <= OFTEN || Thread.currentThread().isVirtual()) {
            return false;
        }
        if (System.nanoTime() - since > NANOS) {
            // The time of records stands still while the system's clock has gone back.
            begin();
            return false;
        }
        left = claimed;
        expected = UNKNOWN;
        return true;
    }

    private void begin() {
        since = System.nanoTime();
        met = 0;
    }
}
