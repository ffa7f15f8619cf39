package dev.outcrop.queue.internal.files;

/**
 * What one thread notices of others that append to the same segment at the same time. Each of them takes the cache lines of the claimed end
 * and of the record before from the others, so two that take turns, record by record, need twice the time of one that goes on alone. If it
 * lets others go first, once before a record, they append in bursts, and what they have to do beside appending is done meanwhile.
 */
public final class Contention {
    /** So often within a tick of the clock; who meets others less often has not much to gain, and may wait for a time slice. */
    private static final int OFTEN = 256;
    private static final long UNKNOWN = Long.MAX_VALUE;

    /** How many records were claimed in the segment behind this thread's last one. */
    private long expected = UNKNOWN;
    private long tick;
    /** How often others have come between within the tick. */
    private int met;

    Contention() {
    }

    /**
     * Whether the thread, which is about to claim records, is to let others go first. Never twice in a row.
     *
     * @param claimed how many records are claimed in the segment
     * @param records how many it is about to claim
     * @param millis  what time it is for records
     */
    public boolean isMet(long claimed, int records, long millis) {
        long others = claimed - expected;
        expected = claimed + records;
        return others > 0 && isMetOften(millis);
    }

    private boolean isMetOften(long millis) {
        if (tick != millis) {
            tick = millis;
            met = 0;
        }
        // A virtual thread would wait for whatever is ready to run, of which nothing has to give up the carrier.
        if (++met <= OFTEN || Thread.currentThread().isVirtual()) {
            return false;
        }
        expected = UNKNOWN;
        return true;
    }
}
