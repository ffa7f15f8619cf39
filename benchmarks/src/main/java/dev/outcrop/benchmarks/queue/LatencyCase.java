package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;

/**
 * Appends at a steady rate.
 *
 * @param whole is given the latencies of all starts of each side that counts, for the plot
 */
record LatencyCase(BiConsumer<String, Histogram> whole) implements QueueCase {
    static final int APPENDS_A_SECOND = 100_000;
    static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9);

    private static final int PAYLOAD_BYTES = 1 << 10;
    /** So many iterations of other suites make one of this. */
    private static final int LONGER = 30;

    @Override
    public String label() {
        return String.format(Locale.ROOT, "append, %s, %,d a second", Labels.size(PAYLOAD_BYTES), APPENDS_A_SECOND);
    }

    /** What a percentile is called. */
    static String name(double percentile) {
        return percentile == Math.rint(percentile) ? "p" + (long) percentile : "p" + percentile;
    }

    @Override
    public List<Row> run(Lab lab, Path directory, Optional<CProgram> c) {
        FigureProbe with = program(Side.OUTCROP, lab, directory);
        FigureProbe without = program(Side.OUTCROP_ALONE, lab, directory);
        FigureProbe chronicle = program(Side.CHRONICLE, lab, directory);
        FigureProbe touching = program(Side.CHRONICLE_TOUCHING, lab, directory);
        new Contest().add(Side.OUTCROP.toString(), with).add(Side.OUTCROP_ALONE.toString(), without)
                .add(Side.CHRONICLE.toString(), chronicle).add(Side.CHRONICLE_TOUCHING.toString(), touching)
                .run(lab.effort().halfOfRounds());
        boolean isTouching = rarest(touching) < rarest(chronicle);
        FigureProbe peer = isTouching ? touching : chronicle;
        String peerName = (isTouching ? Side.CHRONICLE_TOUCHING : Side.CHRONICLE).toString();
        whole.accept(Side.OUTCROP.toString(), together(with));
        whole.accept(Side.OUTCROP_ALONE.toString(), together(without));
        whole.accept(peerName, together(peer));
        List<Row> rows = new ArrayList<>(rows(Side.OUTCROP, with, peerName, peer));
        rows.addAll(rows(Side.OUTCROP_ALONE, without, peerName, peer));
        return rows;
    }

    private List<Row> rows(Side side, FigureProbe ours, String peerName, FigureProbe peer) {
        return PERCENTILES.stream().map(LatencyCase::name)
                .map(figure -> new Row(QueueSuite.NAME, "steady append", params(), label(), side.toString(),
                        ours.of(figure), peerName, peer.of(figure).nanos(), null, "ns, " + figure))
                .toList();
    }

    private static double rarest(FigureProbe probe) {
        return probe.of(name(PERCENTILES.getLast())).nanos();
    }

    private static Histogram together(FigureProbe probe) {
        Histogram all = LatencyRun.histogram();
        probe.texts().forEach(text -> all.add(LatencyRun.decode(text)));
        return all;
    }

    private static FigureProbe program(Side side, Lab lab, Path directory) {
        Setup setup = new Setup(side, directory, PAYLOAD_BYTES, 1, Setup.DEFAULT_SEGMENT, false);
        return FigureProbe.java(LatencyRun.class,
                setup.jvmArgs(Map.of("millis", LONGER * lab.effort().time().toMillis())),
                name(PERCENTILES.getLast()));
    }

    private static SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", PAYLOAD_BYTES);
        params.put("appendsPerSecond", APPENDS_A_SECOND);
        return params;
    }
}
