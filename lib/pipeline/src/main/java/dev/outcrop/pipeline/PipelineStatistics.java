package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Statistics of a {@link Pipeline} since it was started. The numbers keep changing. All methods are thread-safe. */
public final class PipelineStatistics {
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Queue queue;
    private final WorkerControl control;
    private final LongAdder records = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder stalls = new LongAdder();
    private final LongAdder writeNanos = new LongAdder();
    final LongAdder deadLetters = new LongAdder();
    private volatile long lastBatch;
    private volatile double rate;
    private volatile long lastWrite = System.nanoTime();
    // For the pipeline's thread.
    private long windowStart = lastWrite;
    private long windowRecords;
    /** Whether no window has passed since the pipeline began to write. */
    private boolean isFirstWindow = true;

    PipelineStatistics(Queue queue, WorkerControl control) {
        this.queue = queue;
        this.control = control;
    }

    /** Counts a batch that was written. Only for the pipeline's thread. */
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

    /**
     * Returns how many records have their effects written, including records that became dead letters.
     *
     * @return their number
     */
    public long records() {
        return records.sum();
    }

    /**
     * Returns the size of these records.
     *
     * @return bytes of payload
     */
    public long bytes() {
        return bytes.sum();
    }

    /**
     * Returns how many batches were written.
     *
     * @return their number
     */
    public long batches() {
        return batches.sum();
    }

    /**
     * Returns the mean number of records in a batch.
     *
     * @return the mean of all; 0 if there are none
     */
    public double meanBatchRecords() {
        long count = batches();
        return count == 0 ? 0 : (double) records() / count;
    }

    /**
     * Returns how many records the last batch has.
     *
     * @return 0 if there was none
     */
    public long lastBatchRecords() {
        return lastBatch;
    }

    /**
     * Returns the throughput.
     *
     * @return records per second during the last second or so with writes, or since the pipeline began to write if that is shorter; 0 if
     *         nothing was written for some seconds
     */
    public double recordsPerSecond() {
        return System.nanoTime() - lastWrite > 3 * WINDOW_NANOS ? 0 : rate;
    }

    /**
     * Returns the lag.
     *
     * @return the number of records whose effects are not in the database
     * @throws IllegalStateException if the queue is closed
     */
    public long lag() {
        // Read first: the queue's next offset only grows, so the difference is never negative.
        long written = control.written();
        return queue.nextOffset() - written;
    }

    /**
     * Returns how many writes to the database took longer than {@link PipelineBuilder#stallLimit}.
     *
     * @return their number
     */
    public long stalls() {
        return stalls.sum();
    }

    /**
     * Returns the total time of all writes to the database.
     *
     * @return the time spent in RocksDB; the pipeline may have mapped records meanwhile
     */
    public Duration writeTime() {
        return Duration.ofNanos(writeNanos.sum());
    }

    /**
     * Returns how many records could not be mapped and became dead letters.
     *
     * @return their number
     */
    public long deadLetters() {
        return deadLetters.sum();
    }

    /** Returns all numbers in one line, for people. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT,
                "records: %d, bytes: %d, batches: %d, records a second: %.0f, lag: %s, write time: %d ms, stalls: %d, dead letters: %d",
                records(), bytes(), batches(), recordsPerSecond(), lagText(), writeTime().toMillis(), stalls(),
                deadLetters());
    }

    private String lagText() {
        try {
            return Long.toString(lag());
        } catch (IllegalStateException e) {
            return "unknown, the queue is closed";
        }
    }
}
