package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Figures;
import dev.outcrop.benchmarks.harness.InProcessComparison;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.queue.QueueKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records of one size.
 *
 * @param payloadBytes the size
 */
public record PipelineCase(int payloadBytes) implements Case {
    private static final String SUITE = "pipeline";
    private static final String OURS = "pipeline";
    private static final String PEER = "Chronicle, rocksdbjni";
    private static final String NAME = "ingest";
    private static final String LIMIT = Side.limitName(NAME);
    /** More than a memtable holds, so that a memtable is flushed meanwhile. */
    private static final long BYTES = 96L << 20;
    private static final int MOST_RECORDS = 500_000;
    private static final int STARTS = 3;
    private static final int ROUNDS = 10;
    private static final int QUICK_ROUNDS = 6;
    /** A pipeline writes 768 batches in each round, and the JIT compiler needs some 6,000 calls before it has compiled that code. */
    private static final int WARM_UPS = 10;
    /** A turn is over when all records are written. */
    private static final Duration ONCE = Duration.ofNanos(1);

    /** Returns the suite: it writes records of a queue to a database, with the position in the same batch. */
    public static Suite suite() {
        return new Suite(SUITE, PEER, _ -> Stream.of(64, 1 << 10, 16 << 10).map(PipelineCase::new).toList());
    }

    /**
     * The work of a process. It is also the program of the process: the sides take turns and write the same records, each into an empty
     * database.
     *
     * @param payloadBytes size of every record
     * @param records      how many there are
     * @param rounds       how many turns of each side count
     * @param functions    the C program; null if there is no compiler
     */
    record PipelineWorkload(int payloadBytes, int records, int rounds, @Nullable Path functions) {
        public static void main(String[] args) throws Exception {
            PipelineWorkload workload = Settings.current(PipelineWorkload.class);
            int records = workload.records();
            int payloadBytes = workload.payloadBytes();
            // An earlier start of the case has left its queues there.
            Database.current().delete();
            Path directory = Files.createDirectories(Database.current().directory());
            List<Side> sides = new ArrayList<>();
            sides.add(side(OURS, new OutcropIngest(directory.resolve("outcrop"), records, payloadBytes),
                    records));
            sides.add(side(PEER, new PeerIngest(directory.resolve("peer"), records, payloadBytes), records));
            Path functions = workload.functions();
            if (functions != null) {
                sides.add(side(LIMIT, new CIngest(functions, directory.resolve("c"), records, payloadBytes),
                        records));
            }
            new InProcessComparison(new InProcessComparison.Plan(WARM_UPS, ONCE, workload.rounds(), ONCE), 1, records)
                    .run(sides, () -> {
                    });
        }

        private static Side side(String name, Ingest ingest, int records) {
            return new Side(name, List.of(_ -> {
                long written = ingest.run();
                if (written != records) {
                    throw new IllegalStateException(name + " has written " + written + " records of " + records);
                }
                return written;
            }), ingest);
        }
    }

    @Override
    public String label() {
        return NAME + ", " + Labels.size(payloadBytes);
    }

    @Override
    public List<Row> run(RunContext context) {
        int records = Math.clamp(Math.min(BYTES, context.runLength().dataBytes()) / payloadBytes, 100, MOST_RECORDS);
        List<String> jvmArgs = new ArrayList<>(context.database().jvmArgs(new PipelineWorkload(payloadBytes, records,
                context.runLength().isQuick() ? QUICK_ROUNDS : ROUNDS, context.library(SUITE))));
        jvmArgs.addAll(QueueKind.CHRONICLE_JVM);
        Figures figures = context.measure(new JavaProgram(PipelineWorkload.class, jvmArgs).compiledInForeground(),
                STARTS);
        return List.of(new Row(SUITE, NAME,
                Row.params("payloadBytes", payloadBytes, "records", records), label(), OURS, figures.of(OURS), PEER,
                figures.against(OURS, PEER), figures.ratio(OURS, PEER),
                figures.has(LIMIT) ? (Double) figures.against(OURS, LIMIT) : null, Row.UNIT));
    }
}
