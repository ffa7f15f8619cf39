package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Probe;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Appends each of which returns when its record is on the disk.
 *
 * @param producers how many threads append at once
 * @param isVirtual whether ours are virtual ones; the other sides' never are
 */
record DurableCase(int producers, boolean isVirtual) implements Case {
    /** Nanoseconds between two records, of all producers together. */
    static final String RATE = "rate";
    static final String P50 = "p50";
    static final String P99 = "p99";
    static final String P999 = "p99.9";

    private static final List<String> FIGURES = List.of(RATE, P50, P99, P999);
    private static final int PAYLOAD_BYTES = 1 << 10;
    private static final String C = "C write + fdatasync";
    /** So many iterations of other suites make one of this. */
    private static final int LONGER = 10;

    static List<DurableCase> all(boolean isQuick) {
        return isQuick
                ? List.of(new DurableCase(8, false), new DurableCase(64, false))
                : List.of(new DurableCase(1, false), new DurableCase(8, false), new DurableCase(64, false),
                        new DurableCase(64, true));
    }

    /** The work of a start of a side. */
    record DurableWorkload(QueueSetup queue, int producers, boolean isVirtual, long millis) {
    }

    @Override
    public String label() {
        return "durable append, " + Labels.size(PAYLOAD_BYTES) + ", "
                + (producers == 1
                        ? Labels.threads(1)
                        : producers + (isVirtual ? " virtual" : " platform") + " threads");
    }

    @Override
    public List<Row> run(Lab lab) {
        SequencedMap<String, Probe> peers = new LinkedHashMap<>();
        peers.put("Chronicle writeBytes + sync", program(QueueKind.CHRONICLE, lab));
        lab.programForThisMachine(QueueSuite.NAME).ifPresent(program -> {
            peers.put(C, program.probe("durable", lab.data() + ".c", PAYLOAD_BYTES, producers, millis(lab)));
            if (producers > 1) {
                // Without our queue, a thread that keeps the records of many threads in one log writes one after the other.
                peers.put(C + ", one writer",
                        program.probe("durable", lab.data() + ".c", PAYLOAD_BYTES, 1, millis(lab)));
            }
        });
        String ours = QueueKind.OUTCROP.toString();
        Contest contest = lab.contest().add(ours, program(QueueKind.OUTCROP, lab));
        peers.forEach(contest::add);
        Results results = contest.run(lab.effort().halfOfRounds());
        List<Row> rows = new ArrayList<>();
        peers.keySet().forEach(peer -> FIGURES.forEach(figure -> rows.add(new Row(QueueSuite.NAME, "durable append",
                params(), label(), ours, results.of(ours).of(figure), peer, results.of(peer).of(figure).median(), null,
                figure.equals(RATE) ? Row.UNIT : "ns, " + figure))));
        return rows;
    }

    private JavaProgram program(QueueKind kind, Lab lab) {
        QueueSetup setup = QueueSetup.of(kind, lab.data(), PAYLOAD_BYTES, true);
        return setup.program(DurableRun.class,
                new DurableWorkload(setup, producers, isVirtual && kind == QueueKind.OUTCROP, millis(lab)));
    }

    private static long millis(Lab lab) {
        return LONGER * lab.effort().time().toMillis();
    }

    private SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", PAYLOAD_BYTES);
        params.put("producers", producers);
        params.put("threads", isVirtual ? "virtual" : "platform");
        return params;
    }
}
