package dev.outcrop.pipeline;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a pipeline. Its thread counts; any thread reads. */
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
    private volatile long lastWrite = System.nanoTime();
    // Of the pipeline's thread.
    private long windowStart = lastWrite;
    private long windowRecords;
    /** Whether no window has passed since the pipeline began to write. */
    private boolean isFirstWindow = true;

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
        long now = System.nanoTime();
        if (now - lastWrite > WINDOW_NANOS) {
            // An idle time does not count as slow.
            windowStart = now - nanos;
            windowRecords = 0;
            isFirstWindow = true;
        }
        windowRecords += count;
        lastWrite = now;
        long passed = now - windowStart;
        boolean isWhole = passed >= WINDOW_NANOS;
        if (isWhole || isFirstWindow) {
            rate = (double) windowRecords * TimeUnit.SECONDS.toNanos(1) / Math.max(1, passed);
        }
        if (isWhole) {
            windowStart = now;
            windowRecords = 0;
            isFirstWindow = false;
        }
    }

    long lastBatch() {
        return lastBatch;
    }

    /** The rate of the last second or more with writes, or since the first write; 0 after a long time without writes. */
    double recordsPerSecond() {
        return System.nanoTime() - lastWrite > 3 * WINDOW_NANOS ? 0 : rate;
    }
}
