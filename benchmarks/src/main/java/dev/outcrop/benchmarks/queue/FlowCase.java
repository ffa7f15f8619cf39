package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that go through the queue as fast as it can: the time of each, and the CPU time.
 *
 * @param flow         how many threads append and read
 * @param payloadBytes size of every record
 * @param isPrepared   whether pages are ready before the clock starts
 */
record FlowCase(Flow flow, int payloadBytes, boolean isPrepared) implements Case {
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

    /**
     * The work of a start of a side.
     *
     * @param queue      the queue
     * @param flow       the case
     * @param records    how many records an iteration has
     * @param warmups    iterations that do not count
     * @param iterations iterations that count
     */
    record FlowWorkload(QueueSetup queue, FlowCase flow, long records, int warmups, int iterations) {
    }

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
    public List<Row> run(Lab lab) {
        List<QueueKind> peers = flow == Flow.APPEND
                ? List.of(QueueKind.CHRONICLE, QueueKind.CHRONICLE_DOCUMENT)
                : List.of(QueueKind.CHRONICLE);
        List<QueueKind> kinds = new ArrayList<>(peers);
        kinds.add(QueueKind.OUTCROP);
        if (flow.readers() > 0) {
            kinds.add(QueueKind.OUTCROP_VERIFYING);
        }
        if (isPrepared) {
            // Cold, it would have to ask for files and pages as a queue does.
            kinds.add(QueueKind.BARE);
        }
        Contest contest = lab.contest();
        kinds.forEach(kind -> contest.add(kind.toString(), program(kind, lab)));
        lab.programForThisMachine(QueueSuite.NAME).ifPresent(c -> contest.add(C, c.probe(flow, lab.data() + ".c",
                payloadBytes, records(lab), state(), lab.effort().iterations())));
        Results results = contest.run(lab.effort().halfOfRounds());
        String peer = results.fastest(peers.stream().map(QueueKind::toString).toList(), FlowRun.WALL);
        boolean hasC = results.bySide().containsKey(C);
        Double plain = hasC ? (Double) results.of(C).of(PLAIN).median() : null;
        List<Row> rows = new ArrayList<>();
        rows.add(row(lab, results, QueueKind.OUTCROP, peer, plain));
        if (hasC && results.of(C).has(CHECKED)) {
            rows.add(row(lab, results, QueueKind.OUTCROP, FlowRun.WALL, C + ", " + CHECKED,
                    results.of(C).of(CHECKED).median(), null));
        }
        if (isPrepared) {
            rows.add(row(lab, results, QueueKind.OUTCROP, QueueKind.BARE.toString(), null));
        }
        rows.add(cpu(lab, results, QueueKind.OUTCROP, peer));
        if (kinds.contains(QueueKind.OUTCROP_VERIFYING)) {
            rows.add(row(lab, results, QueueKind.OUTCROP_VERIFYING, peer, plain));
            rows.add(cpu(lab, results, QueueKind.OUTCROP_VERIFYING, peer));
        }
        return rows;
    }

    private Row row(Lab lab, Results results, QueueKind ours, String peer, @Nullable Double limit) {
        return row(lab, results, ours, FlowRun.WALL, peer, results.of(peer).of(FlowRun.WALL).median(), limit);
    }

    private Row cpu(Lab lab, Results results, QueueKind ours, String peer) {
        return row(lab, results, ours, FlowRun.CPU, peer, results.of(peer).of(FlowRun.CPU).median(), null);
    }

    private Row row(Lab lab, Results results, QueueKind ours, String figure, String peer, double nanos,
            @Nullable Double limit) {
        return new Row(QueueSuite.NAME, flow.toString(), params(lab), label(), ours.toString(),
                results.of(ours.toString()).of(figure), peer, nanos, limit,
                figure.equals(FlowRun.CPU) ? CPU_UNIT : Row.UNIT);
    }

    private JavaProgram program(QueueKind kind, Lab lab) {
        // Reading takes little time, and at 16 KB so few polls that the JIT compiler needs many iterations.
        Effort effort = flow == Flow.TAIL ? lab.effort().patient() : lab.effort();
        int iterations = flow == Flow.TAIL ? READ_AGAIN * effort.iterations() : effort.iterations();
        int groups = flow == Flow.TAIL ? effort.warmups() + iterations : Math.max(1, flow.readers());
        QueueSetup usual = QueueSetup.of(kind, lab.data(), payloadBytes, false);
        QueueSetup setup = usual.with(groups,
                isPrepared ? OutcropSubject.segmentFor(records(lab), payloadBytes) : usual.segmentBytes());
        return setup.program(FlowRun.class,
                new FlowWorkload(setup, this, records(lab), effort.warmups(), iterations)).compiledInForeground();
    }
}
