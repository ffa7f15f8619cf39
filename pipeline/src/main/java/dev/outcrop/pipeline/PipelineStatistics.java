package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import java.time.Duration;
import java.util.Locale;

/** Statistics of a {@link Pipeline} since it was started. The numbers go on changing. All methods are thread-safe. */
public final class PipelineStatistics {
    private final Measurements measurements;
    private final Queue queue;
    private final WorkerControl control;

    PipelineStatistics(Measurements measurements, Queue queue, WorkerControl control) {
        this.measurements = measurements;
        this.queue = queue;
        this.control = control;
    }

    /**
     * Records whose effects were written, with those that became dead letters.
     *
     * @return their number
     */
    public long records() {
        return measurements.records.sum();
    }

    /**
     * The size of these records.
     *
     * @return bytes of payload
     */
    public long bytes() {
        return measurements.bytes.sum();
    }

    /**
     * Batches that were written.
     *
     * @return their number
     */
    public long batches() {
        return measurements.batches.sum();
    }

    /**
     * How many records a batch has.
     *
     * @return the mean of all; 0 if there are none
     */
    public double meanBatchRecords() {
        long count = batches();
        return count == 0 ? 0 : (double) records() / count;
    }

    /**
     * How many records the last batch has.
     *
     * @return 0 if there was none
     */
    public long lastBatchRecords() {
        return measurements.lastBatch();
    }

    /**
     * How fast it is.
     *
     * @return records a second, of the last second or so in which something was written, or since it began to write if that is less; 0 if
     *         nothing was for some seconds
     */
    public double recordsPerSecond() {
        return measurements.recordsPerSecond();
    }

    /**
     * How much there is to do.
     *
     * @return the number of records whose effects are not in the database
     * @throws IllegalStateException if the queue is closed
     */
    public long lag() {
        // First: it only grows, so that the difference is never negative.
        long written = control.written();
        return queue.nextOffset() - written;
    }

    /**
     * Writes to the database that took longer than {@link PipelineBuilder#stallLimit}.
     *
     * @return their number
     */
    public long stalls() {
        return measurements.stalls.sum();
    }

    /**
     * How long all writes to the database took together.
     *
     * @return the time that RocksDB has taken; records may have been mapped meanwhile
     */
    public Duration writeTime() {
        return Duration.ofNanos(measurements.writeNanos.sum());
    }

    /**
     * Records that could not be mapped and were put away.
     *
     * @return their number
     */
    public long deadLetters() {
        return measurements.deadLetters.sum();
    }

    /** All of it in a line, for people. */
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
