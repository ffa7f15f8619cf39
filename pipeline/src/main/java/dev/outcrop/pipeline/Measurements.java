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
    private volatile long lastWrite = System.nanoTime();
    // Of the pipeline's thread.
    private long windowStart = lastWrite;
    private long windowRecords;
    /** There has been no whole window since it began to write. */
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
            // It had nothing to do, which does not make it slow.
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

    /** Of the last second or more in which something was written, or since it began to write; 0 if that is long ago. */
    double recordsPerSecond() {
        return System.nanoTime() - lastWrite > 3 * WINDOW_NANOS ? 0 : rate;
    }
}
