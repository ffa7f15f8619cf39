package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Start;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** One start of a side in a {@link LatencyCase}: a thread that appends whenever it is time to. */
final class LatencyRun {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1) / LatencyCase.APPENDS_A_SECOND;
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;
    /** One append of so many is for the JIT compiler. */
    private static final int WARM_UP = 4;

    private LatencyRun() {
    }

    /** A program of its own, for the flags of its JVM. */
    public static void main(String[] args) {
        LatencyCase.LatencyWorkload workload = Settings.current(LatencyCase.LatencyWorkload.class);
        QueueSetup setup = workload.queue();
        long counted = TimeUnit.MILLISECONDS.toNanos(workload.millis()) / INTERVAL_NANOS;
        setup.delete();
        try (Subject queue = setup.open(); Subject.Producer producer = queue.producer()) {
            Histogram latencies = histogram();
            append(producer, counted / WARM_UP, latencies);
            latencies.reset();
            append(producer, counted, latencies);
            for (double percentile : LatencyCase.PERCENTILES) {
                Start.print(LatencyCase.name(percentile), (double) latencies.getValueAtPercentile(percentile));
            }
            Start.printText(encode(latencies));
        } finally {
            setup.delete();
        }
    }

    /** Appends at the steady rate; each append's time counts from when it was due. */
    private static void append(Subject.Producer producer, long appends, Histogram latencies) {
        long start = System.nanoTime();
        for (long i = 0; i < appends; i++) {
            long due = start + i * INTERVAL_NANOS;
            while (System.nanoTime() - due < 0) {
                producer.idle();
            }
            producer.append();
            latencies.recordValue(Math.min(System.nanoTime() - due, LONGEST_NANOS));
        }
    }

    static Histogram histogram() {
        return new Histogram(1, LONGEST_NANOS, DIGITS);
    }

    private static String encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /** The reverse of what the program prints. */
    static Histogram decode(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)),
                    LONGEST_NANOS);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("This is no histogram: " + text, e);
        }
    }
}
