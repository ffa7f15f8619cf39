package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.queue.ChronicleJvm;
import dev.outcrop.benchmarks.turns.Side;
import dev.outcrop.benchmarks.turns.Start;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records that are in a queue are written to a database, with the position in the same batch. */
public final class PipelineSuite implements Suite {
    static final String NAME = "pipeline";
    static final String OURS = "pipeline";
    static final String PEER = "Chronicle, rocksdbjni";
    static final String LIMIT = Side.limitName("ingest");
    private static final String CASE = "ingest";
    private static final List<Integer> PAYLOADS = List.of(64, 1 << 10, 16 << 10);
    /** More than a memtable holds, so that one is written to the disk meanwhile. */
    private static final long BYTES = 96L << 20;
    private static final int MOST_RECORDS = 500_000;
    private static final int STARTS = 3;
    private static final int ROUNDS = 10;
    private static final int QUICK_ROUNDS = 6;

    /** Creates the suite. */
    public PipelineSuite() {
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String peer() {
        return PEER;
    }

    @Override
    public List<Row> run(Lab lab) {
        List<Integer> wanted = PAYLOADS.stream().filter(each -> lab.wants(label(each))).toList();
        List<Row> rows = new ArrayList<>();
        if (wanted.isEmpty()) {
            return rows;
        }
        Optional<Path> functions = CProgram.library(NAME, lab);
        for (int payloadBytes : wanted) {
            Row row = row(payloadBytes, functions, lab);
            lab.finished(row);
            rows.add(row);
        }
        return rows;
    }

    private static String label(int payloadBytes) {
        return CASE + ", " + Labels.size(payloadBytes);
    }

    private static Row row(int payloadBytes, Optional<Path> functions, Lab lab) {
        long records = Math.clamp(Math.min(BYTES, lab.effort().dataBytes()) / payloadBytes, 100, MOST_RECORDS);
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(PipelineRun.PAYLOAD_BYTES, payloadBytes);
        settings.put(PipelineRun.RECORDS, records);
        settings.put(PipelineRun.ROUNDS, lab.effort().isQuick() ? QUICK_ROUNDS : ROUNDS);
        settings.put(PipelineRun.FUNCTIONS, functions.map(Path::toString).orElse(""));
        Database database = Database.in(lab);
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < (lab.effort().isQuick() ? 1 : STARTS); i++) {
            settings.put(PipelineRun.ORDER, lab.seed() + i);
            // Also one that a run left behind that was killed.
            database.delete();
            try {
                List<String> jvmArgs = new ArrayList<>(database.jvmArgs(settings));
                jvmArgs.addAll(ChronicleJvm.ARGUMENTS);
                // A compiler in the background may not get through within the warm-up.
                jvmArgs.add("-Xbatch");
                starts.add(Start.of(PipelineRun.class, jvmArgs));
            } finally {
                database.delete();
            }
        }
        Measurement ours = Measurement.of(starts.stream().map(start -> start.of(OURS)).toList());
        Double limit = functions.isEmpty() ? null : Double.valueOf(ours.nanos() * ratio(starts, LIMIT));
        LinkedHashMap<String, Object> params = new LinkedHashMap<>();
        params.put(PipelineRun.PAYLOAD_BYTES, payloadBytes);
        params.put(PipelineRun.RECORDS, records);
        return new Row(NAME, CASE, params, label(payloadBytes), OURS, ours, PEER,
                ours.nanos() * ratio(starts, PEER), limit);
    }

    private static double ratio(List<Start> starts, String other) {
        return Start.median(starts.stream().mapToDouble(start -> start.ratio(OURS, other)).toArray());
    }
}
