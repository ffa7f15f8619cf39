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
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Appends each of which returns when its record is on the disk.
 *
 * @param producers how many threads append at once
 * @param isVirtual whether ours are virtual ones; the other sides' never are
 */
record DurableCase(int producers, boolean isVirtual) implements QueueCase {
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

    @Override
    public String label() {
        return "durable append, " + Labels.size(PAYLOAD_BYTES) + ", "
                + (producers == 1
                        ? Labels.threads(1)
                        : producers + (isVirtual ? " virtual" : " platform") + " threads");
    }

    @Override
    public List<Row> run(Lab lab, Path directory, Optional<CProgram> c) {
        FigureProbe ours = program(Side.OUTCROP, lab, directory);
        SequencedMap<String, FigureProbe> peers = new LinkedHashMap<>();
        peers.put("Chronicle writeBytes + sync", program(Side.CHRONICLE, lab, directory));
        c.ifPresent(program -> {
            peers.put(C, probe(program, producers, lab, directory));
            if (producers > 1) {
                // Without our queue, a thread that keeps the records of many threads in one log writes one after the other.
                peers.put(C + ", one writer", probe(program, 1, lab, directory));
            }
        });
        Contest contest = new Contest().add(Side.OUTCROP.toString(), ours);
        peers.forEach(contest::add);
        contest.run(lab.effort().halfOfRounds());
        List<Row> rows = new ArrayList<>();
        peers.forEach((name, peer) -> FIGURES.forEach(figure -> rows.add(new Row(QueueSuite.NAME, "durable append",
                params(), label(), Side.OUTCROP.toString(), ours.of(figure), name, peer.of(figure).nanos(), null,
                figure.equals(RATE) ? Row.UNIT : "ns, " + figure))));
        return rows;
    }

    private FigureProbe program(Side side, Lab lab, Path directory) {
        Setup setup = new Setup(side, directory, PAYLOAD_BYTES, 1, Setup.DEFAULT_SEGMENT, true);
        return FigureProbe.java(DurableRun.class,
                setup.jvmArgs(Map.of("producers", producers, "virtual", isVirtual && side == Side.OUTCROP, "millis",
                        millis(lab))),
                RATE);
    }

    private static long millis(Lab lab) {
        return LONGER * lab.effort().time().toMillis();
    }

    private static FigureProbe probe(CProgram program, int writers, Lab lab, Path directory) {
        List<String> arguments = List.of("durable", directory + ".c", Integer.toString(PAYLOAD_BYTES),
                Integer.toString(writers), Long.toString(millis(lab)));
        return new FigureProbe(() -> program.run(arguments), RATE);
    }

    private SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", PAYLOAD_BYTES);
        params.put("producers", producers);
        params.put("threads", isVirtual ? "virtual" : "platform");
        return params;
    }
}
