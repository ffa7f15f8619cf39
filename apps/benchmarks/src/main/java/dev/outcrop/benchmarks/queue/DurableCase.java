package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.BenchmarkProcess;
import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Durable appends: each append returns when its record is on the disk.
 *
 * @param producers how many threads append at once
 * @param isVirtual whether our threads are virtual threads; the threads of the other sides never are
 */
record DurableCase(int producers, boolean isVirtual) implements Case {
    /** Nanoseconds between two records, for all producers together. */
    static final String RATE = "rate";
    static final String P50 = "p50";
    static final String P99 = "p99";
    static final String P999 = "p99.9";

    private static final List<String> FIGURES = List.of(RATE, P50, P99, P999);
    private static final int PAYLOAD_BYTES = 1 << 10;
    private static final String C = "C write + fdatasync";
    /** An iteration is this many times as long as in other suites. */
    private static final int LONGER = 10;

    static List<DurableCase> all(boolean isQuick) {
        return isQuick
                ? List.of(new DurableCase(8, false), new DurableCase(64, false))
                : List.of(new DurableCase(1, false), new DurableCase(8, false), new DurableCase(64, false),
                        new DurableCase(64, true));
    }

    /** The work of a start of a side. It is also the program of the process. */
    record DurableWorkload(QueueSetup queue, int producers, boolean isVirtual, long millis) {
        private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
        private static final int DIGITS = 3;

        public static void main(String[] args) throws InterruptedException, BrokenBarrierException, ExecutionException {
            DurableWorkload workload = Settings.current(DurableWorkload.class);
            QueueSetup setup = workload.queue();
            long nanos = TimeUnit.MILLISECONDS.toNanos(workload.millis());
            setup.delete();
            try (ThreadTeam team = new ThreadTeam(workload.isVirtual()); QueueAdapter queue = setup.open()) {
                // Warm-up for the JIT compiler and the file system.
                run(team, queue, workload.producers(), nanos / 2);
                run(team, queue, workload.producers(), nanos).forEach(ProcessOutput::print);
            } finally {
                setup.delete();
            }
        }

        private static Map<String, Double> run(ThreadTeam team, QueueAdapter queue, int producers, long nanos)
                throws InterruptedException, BrokenBarrierException, ExecutionException {
            List<ThreadTeam.Member<DurableShare>> members = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                members.add(start -> produce(queue, nanos, start));
            }
            List<DurableShare> shares = team.run(members, () -> {
            });
            Histogram all = histogram();
            shares.forEach(share -> all.add(share.latencies()));
            long start = shares.stream().mapToLong(DurableShare::start).min().orElseThrow();
            long end = shares.stream().mapToLong(DurableShare::end).max().orElseThrow();
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(RATE, (double) (end - start) / all.getTotalCount());
            figures.put(P50, (double) all.getValueAtPercentile(50));
            figures.put(P99, (double) all.getValueAtPercentile(99));
            figures.put(P999, (double) all.getValueAtPercentile(99.9));
            return figures;
        }

        /** The work of one thread. */
        private record DurableShare(long start, long end, Histogram latencies) {
        }

        private static DurableShare produce(QueueAdapter queue, long nanos, ThreadTeam.StartSignal team)
                throws InterruptedException, BrokenBarrierException {
            Histogram latencies = histogram();
            try (QueueAdapter.Producer producer = queue.producer()) {
                team.await();
                long start = System.nanoTime();
                long end = start;
                do {
                    long begin = end;
                    producer.appendDurably();
                    end = System.nanoTime();
                    latencies.recordValue(Math.min(end - begin, LONGEST_NANOS));
                } while (end - start < nanos);
                return new DurableShare(start, end, latencies);
            }
        }

        private static Histogram histogram() {
            return new Histogram(1, LONGEST_NANOS, DIGITS);
        }
    }

    @Override
    public String label() {
        return "durable append, " + Labels.size(PAYLOAD_BYTES) + ", "
                + (producers == 1
                        ? Labels.threads(1)
                        : producers + (isVirtual ? " virtual" : " platform") + " threads");
    }

    @Override
    public List<Row> run(RunContext context) {
        SequencedMap<String, BenchmarkProcess> peers = new LinkedHashMap<>();
        peers.put("Chronicle writeBytes + sync", program(QueueKind.CHRONICLE, context));
        List.of(QueueKind.FILE_CHANNEL, QueueKind.MAPPED)
                .forEach(kind -> peers.put(kind + " + force", program(kind, context)));
        context.programForThisMachine(QueueSuite.NAME).ifPresent(program -> {
            peers.put(C, program.process("durable", context.data() + ".c", PAYLOAD_BYTES, producers, millis(context)));
            if (producers > 1) {
                // The alternative to our queue: one thread writes the records of all threads to one log, one after another.
                peers.put(C + ", one writer",
                        program.process("durable", context.data() + ".c", PAYLOAD_BYTES, 1, millis(context)));
            }
        });
        String ours = QueueKind.OUTCROP.toString();
        ProcessComparison comparison = context.comparison().add(ours, program(QueueKind.OUTCROP, context));
        peers.forEach(comparison::add);
        Results results = comparison.run(context.runLength().halfOfRounds());
        List<Row> rows = new ArrayList<>();
        peers.keySet().forEach(peer -> FIGURES.forEach(figure -> rows.add(new Row(QueueSuite.NAME, "durable append",
                params(), label(), ours, results.of(ours).of(figure), peer, results.of(peer).of(figure), null,
                figure.equals(RATE) ? Row.UNIT : "ns, " + figure))));
        return rows;
    }

    private JavaProgram program(QueueKind kind, RunContext context) {
        QueueSetup setup = QueueSetup.of(kind, context.data(), PAYLOAD_BYTES, true);
        return setup.program(DurableWorkload.class,
                new DurableWorkload(setup, producers, isVirtual && kind == QueueKind.OUTCROP, millis(context)));
    }

    private static long millis(RunContext context) {
        return LONGER * context.runLength().time().toMillis();
    }

    private SequencedMap<String, Object> params() {
        return Row.params("payloadBytes", PAYLOAD_BYTES, "producers", producers, "threads",
                isVirtual ? "virtual" : "platform");
    }
}
