package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;

/**
 * Appends at a steady rate.
 *
 * @param whole takes the latencies of all starts of each side that counts, for the plot
 */
record LatencyCase(BiConsumer<String, Histogram> whole) implements Case {
    static final int APPENDS_A_SECOND = 100_000;
    static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9);

    private static final int PAYLOAD_BYTES = 1 << 10;
    /** So many iterations of other suites make one of this. */
    private static final int LONGER = 30;

    /** The work of a start of a side. */
    record LatencyWorkload(QueueSetup queue, long millis) {
    }

    @Override
    public String label() {
        return String.format(Locale.ROOT, "append, %s, %,d a second", Labels.size(PAYLOAD_BYTES), APPENDS_A_SECOND);
    }

    /** The name of a percentile. */
    static String name(double percentile) {
        return percentile == Math.rint(percentile) ? "p" + (long) percentile : "p" + percentile;
    }

    @Override
    public List<Row> run(Lab lab) {
        Contest contest = lab.contest();
        List.of(QueueKind.OUTCROP, QueueKind.OUTCROP_ALONE, QueueKind.CHRONICLE, QueueKind.CHRONICLE_TOUCHING)
                .forEach(kind -> {
                    QueueSetup setup = QueueSetup.of(kind, lab.data(), PAYLOAD_BYTES, false);
                    contest.add(kind.toString(), setup.program(LatencyRun.class,
                            new LatencyWorkload(setup, LONGER * lab.effort().time().toMillis())));
                });
        Results results = contest.run(lab.effort().halfOfRounds());
        String peer = results.fastest(
                List.of(QueueKind.CHRONICLE.toString(), QueueKind.CHRONICLE_TOUCHING.toString()),
                name(PERCENTILES.getLast()));
        List<Row> rows = new ArrayList<>();
        for (String ours : List.of(QueueKind.OUTCROP.toString(), QueueKind.OUTCROP_ALONE.toString())) {
            whole.accept(ours, together(results, ours));
            PERCENTILES.stream().map(LatencyCase::name)
                    .forEach(figure -> rows.add(new Row(QueueSuite.NAME, "steady append", params(), label(), ours,
                            results.of(ours).of(figure), peer, results.of(peer).of(figure).median(), null,
                            "ns, " + figure)));
        }
        whole.accept(peer, together(results, peer));
        return rows;
    }

    private static Histogram together(Results results, String side) {
        Histogram all = LatencyRun.histogram();
        results.of(side).texts().forEach(text -> all.add(LatencyRun.decode(text)));
        return all;
    }

    private static SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", PAYLOAD_BYTES);
        params.put("appendsPerSecond", APPENDS_A_SECOND);
        return params;
    }
}
