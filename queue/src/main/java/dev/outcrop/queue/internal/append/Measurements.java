package dev.outcrop.queue.internal.append;

import java.util.concurrent.atomic.LongAdder;

/** What an open queue counts and times. Thread-safe. */
public final class Measurements {
    public final Histogram syncs = new Histogram();
    public final Histogram appends = new Histogram();
    public final Histogram stalls = new Histogram();
    public final LongAdder rolls = new LongAdder();
    public final LongAdder waits = new LongAdder();
    public final LongAdder timeouts = new LongAdder();
    public final LongAdder deadLetters = new LongAdder();

    public void synced(long nanos) {
        syncs.record(nanos);
    }

    public void appended(long nanos) {
        appends.record(nanos);
    }

    void stalled(long nanos) {
        stalls.record(nanos);
    }

    void rolled() {
        rolls.increment();
    }

    public void waited() {
        waits.increment();
    }

    /** So many records were kept for too long. */
    public void timedOut(long records) {
        if (records > 0) {
            timeouts.add(records);
        }
    }

    /** A record was put with the dead letters. */
    public void died() {
        deadLetters.increment();
    }
}
