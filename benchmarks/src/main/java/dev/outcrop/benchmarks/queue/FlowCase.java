package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that go through the queue as fast as it can: the time of each, and the CPU time.
 *
 * @param flow         who appends and who reads
 * @param payloadBytes size of every record
 * @param isPrepared   whether pages are ready before the clock starts
 */
record FlowCase(Flow flow, int payloadBytes, boolean isPrepared) implements QueueCase {
    /** The unit of rows that count CPU time. */
    static final String CPU_UNIT = "CPU ns/op";
    private static final List<Integer> PAYLOADS = List.of(64, 1 << 10, 16 << 10);
    private static final long MOST_BYTES = 256L << 20;
    /** So many times as often everything is read. */
    private static final int READ_AGAIN = 4;
    private static final long MOST_RECORDS = 1L << 20;
    private static final String C = "C";
    /** What C takes without a checksum. */
    private static final String PLAIN = "plain";
    /** What C takes with one, and with places that are claimed as for several producers. */
    private static final String CHECKED = "checked";

    static List<FlowCase> all(boolean isQuick) {
        if (isQuick) {
            List<FlowCase> some = new ArrayList<>();
            PAYLOADS.forEach(bytes -> some.add(new FlowCase(Flow.APPEND, bytes, true)));
            some.add(new FlowCase(Flow.APPEND, 64, false));
            some.add(new FlowCase(Flow.TAIL, 1 << 10, true));
            some.add(new FlowCase(Flow.ONE_TO_ONE, 1 << 10, true));
            some.add(new FlowCase(Flow.TWO_TO_TWO, 64, true));
            return some;
        }
        List<FlowCase> all = new ArrayList<>();
        for (Flow flow : Flow.values()) {
            for (int bytes : PAYLOADS) {
                all.add(new FlowCase(flow, bytes, true));
                all.add(new FlowCase(flow, bytes, false));
            }
        }
        return all;
    }

    @Override
    public String label() {
        return flow + ", " + Labels.size(payloadBytes) + ", " + state();
    }

    private String state() {
        return isPrepared ? "prepared" : "cold";
    }

    private long records(Lab lab) {
        return Math.clamp(Math.min(lab.effort().dataBytes(), MOST_BYTES) / payloadBytes, 16, MOST_RECORDS);
    }

    private SequencedMap<String, Object> params(Lab lab) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", payloadBytes);
        params.put("pages", state());
        params.put("producers", flow.producers());
        params.put("groups", flow.readers());
        params.put("records", records(lab));
        return params;
    }

    @Override
    public List<Row> run(Lab lab, Path directory, Optional<CProgram> c) {
        FigureProbe ours = program(Side.OUTCROP, lab, directory);
        SequencedMap<Side, FigureProbe> peers = new LinkedHashMap<>();
        peers.put(Side.CHRONICLE, program(Side.CHRONICLE, lab, directory));
        if (flow == Flow.APPEND) {
            peers.put(Side.CHRONICLE_DOCUMENT, program(Side.CHRONICLE_DOCUMENT, lab, directory));
        }
        Contest contest = new Contest().add(Side.OUTCROP.toString(), ours);
        Optional<FigureProbe> verifying = flow.readers() == 0
                ? Optional.empty()
                : Optional.of(program(Side.OUTCROP_VERIFYING, lab, directory));
        verifying.ifPresent(probe -> contest.add(Side.OUTCROP_VERIFYING.toString(), probe));
        peers.forEach((side, probe) -> contest.add(side.toString(), probe));
        // Cold, it would have to ask for files and pages as a queue does.
        Optional<FigureProbe> bare = isPrepared ? Optional.of(program(Side.BARE, lab, directory)) : Optional.empty();
        bare.ifPresent(probe -> contest.add(Side.BARE.toString(), probe));
        Optional<FigureProbe> limit = c.map(program -> new FigureProbe(() -> program.run(cArguments(lab, directory)),
                PLAIN));
        limit.ifPresent(probe -> contest.add(C, probe));
        contest.run(lab.effort().halfOfRounds());
        Map.Entry<Side, FigureProbe> best = best(peers);
        String peer = best.getKey().toString();
        double peerWall = best.getValue().of(FlowRun.WALL).nanos();
        double peerCpu = best.getValue().of(FlowRun.CPU).nanos();
        Double plain = limit.map(probe -> probe.of(PLAIN).nanos()).orElse(null);
        Measurement wall = ours.of(FlowRun.WALL);
        List<Row> rows = new ArrayList<>();
        rows.add(row(lab, Side.OUTCROP, wall, peer, peerWall, plain, Row.UNIT));
        limit.filter(probe -> probe.has(CHECKED)).ifPresent(probe -> rows
                .add(row(lab, Side.OUTCROP, wall, C + ", " + CHECKED, probe.of(CHECKED).nanos(), null, Row.UNIT)));
        bare.ifPresent(probe -> rows.add(row(lab, Side.OUTCROP, wall, Side.BARE.toString(),
                probe.of(FlowRun.WALL).nanos(), null, Row.UNIT)));
        rows.add(row(lab, Side.OUTCROP, ours.of(FlowRun.CPU), peer, peerCpu, null, CPU_UNIT));
        verifying.ifPresent(probe -> {
            rows.add(row(lab, Side.OUTCROP_VERIFYING, probe.of(FlowRun.WALL), peer, peerWall, plain, Row.UNIT));
            rows.add(row(lab, Side.OUTCROP_VERIFYING, probe.of(FlowRun.CPU), peer, peerCpu, null, CPU_UNIT));
        });
        return rows;
    }

    private Row row(Lab lab, Side side, Measurement ours, String peer, double nanos, @Nullable Double limit,
            String unit) {
        return new Row(QueueSuite.NAME, flow.toString(), params(lab), label(), side.toString(), ours, peer, nanos,
                limit, unit);
    }

    private static Map.Entry<Side, FigureProbe> best(SequencedMap<Side, FigureProbe> peers) {
        return peers.entrySet().stream()
                .min(Comparator.comparingDouble(peer -> peer.getValue().of(FlowRun.WALL).nanos())).orElseThrow();
    }

    private FigureProbe program(Side side, Lab lab, Path directory) {
        long segment = isPrepared ? OutcropSubject.segmentFor(records(lab), payloadBytes) : Setup.DEFAULT_SEGMENT;
        int warmups = effort(lab).warmups();
        int iterations = iterations(lab);
        Setup setup = new Setup(side, directory, payloadBytes, FlowRun.groups(flow, warmups, iterations), segment,
                false);
        List<String> arguments = new ArrayList<>(setup.jvmArgs(Map.of("flow", flow.name(), "prepared", isPrepared,
                "records", records(lab), "warmups", warmups, "iterations", iterations)));
        // As in the suites that JMH runs: on a busy machine a compiler in the background may not get through.
        arguments.add("-Xbatch");
        return FigureProbe.java(FlowRun.class, arguments, FlowRun.WALL);
    }

    private List<String> cArguments(Lab lab, Path directory) {
        return List.of(flow.toString(), directory + ".c", Integer.toString(payloadBytes), Long.toString(records(lab)),
                state(), Integer.toString(lab.effort().iterations()));
    }

    /** Reading takes little time, and at 16 KB so few polls that the JIT compiler needs many iterations. */
    private Effort effort(Lab lab) {
        return flow == Flow.TAIL ? lab.effort().patient() : lab.effort();
    }

    private int iterations(Lab lab) {
        return flow == Flow.TAIL ? READ_AGAIN * lab.effort().iterations() : lab.effort().iterations();
    }
}
