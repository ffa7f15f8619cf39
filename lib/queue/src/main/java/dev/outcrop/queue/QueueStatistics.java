package dev.outcrop.queue;

import dev.outcrop.queue.internal.append.Metric;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The statistics of a queue since it was opened. Any thread can read them at any time, which is cheap; the numbers are not of one moment.
 */
public final class QueueStatistics {
    private final LongSupplier appended;
    private final LongSupplier waitingAppends;
    private final LatencyHistogram syncs = new LatencyHistogram();
    private final LatencyHistogram appends = new LatencyHistogram();
    private final LatencyHistogram stalls = new LatencyHistogram();
    private final LongAdder rolls = new LongAdder();
    private final LongAdder fullWaits = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder deadLetters = new LongAdder();

    QueueStatistics(LongSupplier appended, LongSupplier waitingAppends) {
        this.appended = appended;
        this.waitingAppends = waitingAppends;
        // Initializes the class of the switch: later there may be no stack for that, and the JVM tries it only once.
        record(Metric.ROLL, 0);
    }

    void record(Metric metric, long value) {
        switch (metric) {
            case SYNC -> syncs.record(value);
            case APPEND -> appends.record(value);
            case STALL -> stalls.record(value);
            case ROLL -> rolls.add(value);
            case FULL_WAIT -> fullWaits.add(value);
            case TIMEOUT -> timeouts.add(value);
            case DEAD_LETTER -> deadLetters.add(value);
        }
    }

    /**
     * Returns how many records were appended.
     *
     * @return a number of records; those that were withdrawn count too, because they have offsets
     */
    public long appended() {
        return appended.getAsLong();
    }

    /**
     * Returns how long writing records to the disk takes.
     *
     * @return the durations of all writes, each of one or many records
     */
    public LatencyHistogram syncs() {
        return syncs;
    }

    /**
     * Returns how long it takes to copy a record, with its checksum, once its place is claimed. Waiting for room or for the queue's next
     * file comes before that and is in {@link #stalls()}; waiting for the disk is in {@link #syncs()}. Where threads append without a
     * pause, a thread lets others go first ({@link Thread#yield()}): none of these statistics include that time.
     *
     * @return the durations of every 256th record, without records that were appended in a batch
     */
    public LatencyHistogram appends() {
        return appends;
    }

    /**
     * Returns how long appends waited before their place was claimed: for room in a full queue, until there was some or the append was
     * refused, and while the queue went on to its next file.
     *
     * @return the durations of all waits; an append that had to wait several times counts as often
     */
    public LatencyHistogram stalls() {
        return stalls;
    }

    /**
     * Returns how often the queue went on to another file.
     *
     * @return a number of files
     */
    public long rolls() {
        return rolls.sum();
    }

    /**
     * Returns how often an append had to wait because the queue was full, or was refused.
     *
     * @return a number of appends
     */
    public long fullWaits() {
        return fullWaits.sum();
    }

    /**
     * Returns how many appends wait at this moment because the queue is full.
     *
     * @return a number of appends; 0 if the queue is closed
     */
    public long waitingAppends() {
        return waitingAppends.getAsLong();
    }

    /**
     * Returns how often a consumer kept a record for longer than its time, so that the record had to be delivered again.
     *
     * @return a number of deliveries, of all groups
     */
    public long timeouts() {
        return timeouts.sum();
    }

    /**
     * Returns how many records were put with the dead letters of their group.
     *
     * @return a number of records, of all groups
     */
    public long deadLetters() {
        return deadLetters.sum();
    }

    /** All numbers in a line, for people. */
    @Override
    public String toString() {
        return "appends: " + appended() + ", copies timed: " + appends + ", syncs: " + syncs + ", stalls: " + stalls
                + ", rolls: " + rolls()
                + ", full waits: "
                + fullWaits() + ", waiting appends: " + waitingAppends() + ", timeouts: " + timeouts()
                + ", dead letters: " + deadLetters();
    }
}
