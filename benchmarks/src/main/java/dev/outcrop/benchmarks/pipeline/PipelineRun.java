package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.harness.Turns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One process of a case: the sides take turns with the same records, each into an empty database. */
final class PipelineRun {
    /** A pipeline calls what writes a batch 768 times a round, and the JIT compiler needs some 6,000 calls until it gets through. */
    private static final int WARM_UPS = 10;
    /** A turn is over when all records are written. */
    private static final Duration ONCE = Duration.ofNanos(1);

    private PipelineRun() {
    }

    /** A program of its own. */
    public static void main(String[] args) throws Exception {
        PipelineCase.PipelineWorkload workload = Settings.current(PipelineCase.PipelineWorkload.class);
        int records = workload.records();
        int payloadBytes = workload.payloadBytes();
        Path directory = Files.createDirectories(Database.current().directory());
        List<Side> sides = new ArrayList<>();
        sides.add(side(PipelineCase.OURS, new OutcropIngest(directory.resolve("outcrop"), records, payloadBytes),
                records));
        sides.add(side(PipelineSuite.PEER, new PeerIngest(directory.resolve("peer"), records, payloadBytes), records));
        Path functions = workload.functions();
        if (functions != null) {
            sides.add(side(PipelineCase.LIMIT, new CIngest(functions, directory.resolve("c"), records, payloadBytes),
                    records));
        }
        new Turns(new Turns.Plan(WARM_UPS, ONCE, workload.rounds(), ONCE), 1, records).run(sides, () -> {
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
