package dev.outcrop.pipeline;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What a pipeline counts. Counted by its thread, read by any. */
final class Measurements {
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    final LongAdder records = new LongAdder();
    final LongAdder bytes = new LongAdder();
    final LongAdder batches = new LongAdder();
    final LongAdder stalls = new LongAdder();
    final LongAdder writeNanos = new LongAdder();
    final LongAdder deadLetters = new LongAdder();
    private volatile long lastBatch;
    private volatile double rate;
    private volatile long windowStart = System.nanoTime();
    /** Of the pipeline's thread. */
    private long windowRecords;

    /** A batch was written. */
    void wrote(long count, long payloadBytes, long nanos, boolean isStall) {
        records.add(count);
        bytes.add(payloadBytes);
        batches.increment();
        writeNanos.add(nanos);
        if (isStall) {
            stalls.increment();
        }
        lastBatch = count;
        windowRecords += count;
        long now = System.nanoTime();
        long passed = now - windowStart;
        if (passed >= WINDOW_NANOS) {
            rate = (double) windowRecords * TimeUnit.SECONDS.toNanos(1) / passed;
            windowRecords = 0;
            windowStart = now;
        }
    }

    long lastBatch() {
        return lastBatch;
    }

    /** Of the last second or more in which something was written; 0 if that is long ago. */
    double recordsPerSecond() {
        return System.nanoTime() - windowStart > 3 * WINDOW_NANOS ? 0 : rate;
    }
}
