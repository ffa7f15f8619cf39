package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that go through the queue as fast as possible: the time of each record, and the CPU time.
 *
 * @param flow         how many threads append and read
 * @param payloadBytes size of every record
 * @param isPrepared   whether the pages are ready before the clock starts
 */
record ThroughputCase(ThreadLayout flow, int payloadBytes, boolean isPrepared) implements Case {
    /** The unit of rows that count CPU time. */
    static final String CPU_UNIT = "CPU ns/op";
    private static final List<Integer> PAYLOADS = List.of(64, 1 << 10, 16 << 10);
    private static final long MOST_BYTES = 256L << 20;
    /** Reading is repeated this many times as often. */
    private static final int READ_AGAIN = 4;
    private static final long MOST_RECORDS = 1L << 20;
    private static final String C = "C";
    /** The figure of C without a checksum. */
    private static final String PLAIN = "plain";
    /** The figure of C with a checksum, and with claims of places as for several producers. */
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
    record ThroughputWorkload(QueueSetup queue, ThroughputCase flow, long records, int warmups, int iterations) {
    }

    static List<ThroughputCase> all(boolean isQuick) {
        if (isQuick) {
            List<ThroughputCase> some = new ArrayList<>();
            PAYLOADS.forEach(bytes -> some.add(new ThroughputCase(ThreadLayout.APPEND, bytes, true)));
            some.add(new ThroughputCase(ThreadLayout.APPEND, 64, false));
            some.add(new ThroughputCase(ThreadLayout.TAIL, 1 << 10, true));
            some.add(new ThroughputCase(ThreadLayout.ONE_TO_ONE, 1 << 10, true));
            some.add(new ThroughputCase(ThreadLayout.TWO_TO_TWO, 64, true));
            return some;
        }
        List<ThroughputCase> all = new ArrayList<>();
        for (ThreadLayout flow : ThreadLayout.values()) {
            for (int bytes : PAYLOADS) {
                all.add(new ThroughputCase(flow, bytes, true));
                all.add(new ThroughputCase(flow, bytes, false));
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

    private long records(RunContext context) {
        return Math.clamp(Math.min(context.runLength().dataBytes(), MOST_BYTES) / payloadBytes, 16, MOST_RECORDS);
    }

    private SequencedMap<String, Object> params(RunContext context) {
        return Row.params("payloadBytes", payloadBytes, "pages", state(), "producers", flow.producers(), "groups",
                flow.readers(), "records", records(context));
    }

    @Override
    public List<Row> run(RunContext context) {
        List<QueueKind> peers = flow == ThreadLayout.APPEND
                ? List.of(QueueKind.CHRONICLE, QueueKind.CHRONICLE_DOCUMENT)
                : List.of(QueueKind.CHRONICLE);
        List<QueueKind> kinds = new ArrayList<>(peers);
        kinds.add(QueueKind.OUTCROP);
        if (flow.readers() > 0) {
            kinds.add(QueueKind.OUTCROP_VERIFYING);
        }
        if (isPrepared) {
            // A cold bare file would need the files and pages of a queue.
            kinds.add(QueueKind.BARE);
            kinds.addAll(others());
        }
        ProcessComparison comparison = context.comparison();
        kinds.forEach(kind -> comparison.add(kind.toString(), program(kind, context)));
        context.programForThisMachine(QueueSuite.NAME)
                .ifPresent(c -> comparison.add(C, c.process(flow, context.data() + ".c",
                        payloadBytes, records(context), state(), context.runLength().iterations())));
        Results results = comparison.run(context.runLength().halfOfRounds());
        String peer = results.fastest(peers.stream().map(QueueKind::toString).toList(), ThroughputRun.WALL);
        boolean hasC = results.bySide().containsKey(C);
        Double plain = hasC ? (Double) results.of(C).of(PLAIN).median() : null;
        List<Row> rows = new ArrayList<>();
        rows.add(row(context, results, QueueKind.OUTCROP, peer, plain));
        if (hasC && results.of(C).has(CHECKED)) {
            rows.add(row(context, results, QueueKind.OUTCROP, ThroughputRun.WALL, C + ", " + CHECKED,
                    results.of(C).of(CHECKED), null));
        }
        if (isPrepared) {
            rows.add(row(context, results, QueueKind.OUTCROP, QueueKind.BARE.toString(), null));
        }
        if (isPrepared) {
            others().forEach(kind -> rows.add(row(context, results, QueueKind.OUTCROP, kind.toString(), null)));
        }
        rows.add(cpu(context, results, QueueKind.OUTCROP, peer));
        if (kinds.contains(QueueKind.OUTCROP_VERIFYING)) {
            rows.add(row(context, results, QueueKind.OUTCROP_VERIFYING, peer, plain));
            rows.add(cpu(context, results, QueueKind.OUTCROP_VERIFYING, peer));
        }
        return rows;
    }

    /** Returns the JDK's own files, in the cases in which threads pass nothing to other threads. */
    private List<QueueKind> others() {
        return flow == ThreadLayout.APPEND || flow == ThreadLayout.TAIL
                ? List.of(QueueKind.FILE_CHANNEL, QueueKind.MAPPED)
                : List.of();
    }

    private Row row(RunContext context, Results results, QueueKind ours, String peer, @Nullable Double limit) {
        return row(context, results, ours, ThroughputRun.WALL, peer, results.of(peer).of(ThroughputRun.WALL),
                limit);
    }

    private Row cpu(RunContext context, Results results, QueueKind ours, String peer) {
        return row(context, results, ours, ThroughputRun.CPU, peer, results.of(peer).of(ThroughputRun.CPU),
                null);
    }

    private Row row(RunContext context, Results results, QueueKind ours, String figure, String peer, Measurement nanos,
            @Nullable Double limit) {
        return new Row(QueueSuite.NAME, flow.toString(), params(context), label(), ours.toString(),
                results.of(ours.toString()).of(figure), peer, nanos, limit,
                figure.equals(ThroughputRun.CPU) ? CPU_UNIT : Row.UNIT);
    }

    private JavaProgram program(QueueKind kind, RunContext context) {
        // Reading takes little time. At 16 KB it takes so few polls that the JIT compiler needs many iterations.
        RunLength runLength = flow == ThreadLayout.TAIL ? context.runLength().patient() : context.runLength();
        int iterations = flow == ThreadLayout.TAIL ? READ_AGAIN * runLength.iterations() : runLength.iterations();
        int groups = flow == ThreadLayout.TAIL ? runLength.warmups() + iterations : Math.max(1, flow.readers());
        QueueSetup usual = QueueSetup.of(kind, context.data(), payloadBytes, false);
        QueueSetup setup = usual.with(groups,
                isPrepared ? OutcropAdapter.segmentFor(records(context), payloadBytes) : usual.segmentBytes());
        return setup.program(ThroughputRun.class,
                new ThroughputWorkload(setup, this, records(context), runLength.warmups(), iterations))
                .compiledInForeground();
    }
}
