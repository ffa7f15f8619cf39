package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Charts;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Appends at a steady rate.
 *
 * @param whole takes, for the plot, the latencies of all starts of each side that counts
 */
record LatencyCase(BiConsumer<String, Histogram> whole) implements Case {
    static final int APPENDS_A_SECOND = 100_000;
    static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9);

    private static final int PAYLOAD_BYTES = 1 << 10;
    private static final int STEPS_FOR_HALF = 5;
    /** One in this many appends. Rarer latencies come from too few appends to be meaningful. */
    private static final double RAREST = 100_000;
    private static final double TOLERANCE = 1e-6;
    /** An iteration is this many times as long as in other suites. */
    private static final int LONGER = 30;

    /** The work of a start of a side: a thread appends at a steady rate. It is also the program of the process. */
    record LatencyWorkload(QueueSetup queue, long millis) {
        private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1) / APPENDS_A_SECOND;
        private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
        private static final int DIGITS = 3;
        /** One of this many appends belongs to the warm-up. */
        private static final int WARM_UP = 4;

        public static void main(String[] args) {
            LatencyWorkload workload = Settings.current(LatencyWorkload.class);
            QueueSetup setup = workload.queue();
            long counted = TimeUnit.MILLISECONDS.toNanos(workload.millis()) / INTERVAL_NANOS;
            setup.delete();
            try (QueueAdapter queue = setup.open(); QueueAdapter.Producer producer = queue.producer()) {
                Histogram latencies = histogram();
                append(producer, counted / WARM_UP, latencies);
                latencies.reset();
                append(producer, counted, latencies);
                for (double percentile : PERCENTILES) {
                    ProcessOutput.print(name(percentile), (double) latencies.getValueAtPercentile(percentile));
                }
                ProcessOutput.printText(encode(latencies));
            } finally {
                setup.delete();
            }
        }

        /** Appends at the steady rate. The time of each append counts from the moment when it was due. */
        private static void append(QueueAdapter.Producer producer, long appends, Histogram latencies) {
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

        /** Decodes the histogram that the program has printed. */
        static Histogram decode(String text) {
            try {
                return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)),
                        LONGEST_NANOS);
            } catch (DataFormatException e) {
                throw new IllegalArgumentException("This is no histogram: " + text, e);
            }
        }
    }

    @Override
    public String label() {
        return String.format(Locale.ROOT, "append, %s, %,d a second", Labels.size(PAYLOAD_BYTES), APPENDS_A_SECOND);
    }

    /** Returns the name of a percentile. */
    static String name(double percentile) {
        return percentile == Math.rint(percentile) ? "p" + (long) percentile : "p" + percentile;
    }

    @Override
    public List<Row> run(RunContext context) {
        ProcessComparison comparison = context.comparison();
        List.of(QueueKind.OUTCROP, QueueKind.OUTCROP_ALONE, QueueKind.CHRONICLE, QueueKind.CHRONICLE_TOUCHING)
                .forEach(kind -> {
                    QueueSetup setup = QueueSetup.of(kind, context.data(), PAYLOAD_BYTES, false);
                    comparison.add(kind.toString(), setup.program(LatencyWorkload.class,
                            new LatencyWorkload(setup, LONGER * context.runLength().time().toMillis())));
                });
        Results results = comparison.run(context.runLength().halfOfRounds());
        String peer = results.fastest(
                List.of(QueueKind.CHRONICLE.toString(), QueueKind.CHRONICLE_TOUCHING.toString()),
                name(PERCENTILES.getLast()));
        List<Row> rows = new ArrayList<>();
        for (String ours : List.of(QueueKind.OUTCROP.toString(), QueueKind.OUTCROP_ALONE.toString())) {
            whole.accept(ours, together(results, ours));
            PERCENTILES.stream().map(LatencyCase::name)
                    .forEach(figure -> rows.add(new Row(QueueSuite.NAME, "steady append", params(), label(), ours,
                            results.of(ours).of(figure), peer, results.of(peer).of(figure), null,
                            "ns, " + figure)));
        }
        whole.accept(peer, together(results, peer));
        return rows;
    }

    private static Histogram together(Results results, String side) {
        Histogram all = LatencyWorkload.histogram();
        results.of(side).texts().forEach(text -> all.add(LatencyWorkload.decode(text)));
        return all;
    }

    private static SequencedMap<String, Object> params() {
        return Row.params("payloadBytes", PAYLOAD_BYTES, "appendsPerSecond", APPENDS_A_SECOND);
    }

    /** Draws latencies by percentile, as in HdrHistogram's own plots: one step to the right is ten times as rare. */
    static Path plot(Map<String, Histogram> latencies, Path file) throws IOException {
        XYChart chart = Charts.lines("percentile", "microseconds from when an append was due");
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setxAxisTickLabelsFormattingFunction(LatencyCase::percentile);
        latencies.forEach((name, histogram) -> add(chart, name, histogram));
        return Charts.save(chart, file);
    }

    private static void add(XYChart chart, String name, Histogram histogram) {
        List<Double> rarity = new ArrayList<>();
        List<Double> micros = new ArrayList<>();
        for (HistogramIterationValue value : histogram.percentiles(STEPS_FOR_HALF)) {
            double above = 1 - value.getPercentileLevelIteratedTo() / 100;
            if (above * RAREST < 1) {
                break;
            }
            rarity.add(-Math.log10(above));
            micros.add(Math.max(1, value.getValueIteratedTo()) / 1000.0);
        }
        chart.addSeries(name, rarity, micros).setMarker(SeriesMarkers.NONE);
    }

    /** Formats 1 as the 90th percentile, 2 as the 99th, and so on, because XChart itself labels a logarithmic axis as if it were linear. */
    private static String percentile(double nines) {
        long whole = Math.round(nines);
        if (Math.abs(nines - whole) > TOLERANCE) {
            return "";
        }
        double percentile = 100 - 100 / Math.pow(10, (double) whole);
        return whole <= 2 ? String.format(Locale.ROOT, "%.0f", percentile) : Float.toString((float) percentile);
    }
}
