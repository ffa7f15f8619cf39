package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Figures;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Labels;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.queue.ChronicleJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Records of one size.
 *
 * @param payloadBytes the size
 */
record PipelineCase(int payloadBytes) implements Case {
    static final String OURS = "pipeline";
    static final String LIMIT = Side.limitName("ingest");
    private static final String NAME = "ingest";
    /** More than a memtable holds, so that one is written to the disk meanwhile. */
    private static final long BYTES = 96L << 20;
    private static final int MOST_RECORDS = 500_000;
    private static final int STARTS = 3;
    private static final int ROUNDS = 10;
    private static final int QUICK_ROUNDS = 6;

    /**
     * The work of a process.
     *
     * @param payloadBytes size of every record
     * @param records      how many there are
     * @param rounds       how many turns of each side count
     * @param functions    the C program; null if there is no compiler
     */
    record PipelineWorkload(int payloadBytes, int records, int rounds, @Nullable Path functions) {
    }

    @Override
    public String label() {
        return NAME + ", " + Labels.size(payloadBytes);
    }

    @Override
    public List<Row> run(Lab lab) {
        int records = Math.clamp(Math.min(BYTES, lab.effort().dataBytes()) / payloadBytes, 100, MOST_RECORDS);
        List<String> jvmArgs = new ArrayList<>(lab.database().jvmArgs(new PipelineWorkload(payloadBytes, records,
                lab.effort().isQuick() ? QUICK_ROUNDS : ROUNDS, lab.library(PipelineSuite.NAME))));
        jvmArgs.addAll(ChronicleJvm.ARGUMENTS);
        Figures figures = lab.measure(new JavaProgram(PipelineRun.class, jvmArgs).compiledInForeground(), STARTS);
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", payloadBytes);
        params.put("records", records);
        return List.of(new Row(PipelineSuite.NAME, NAME, params, label(), OURS, figures.of(OURS), PipelineSuite.PEER,
                figures.against(OURS, PipelineSuite.PEER),
                figures.has(LIMIT) ? (Double) figures.against(OURS, LIMIT) : null));
    }
}
