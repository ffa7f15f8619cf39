package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** The durable queue: Outcrop, Chronicle Queue, C. */
public final class QueueSuite implements Suite {
    static final String NAME = "queue";
    /** Whom ours is compared with. */
    static final String PEER = "Chronicle";

    /** What the last run has found out, by side. */
    private final Map<String, Histogram> latencies = new LinkedHashMap<>();

    /** Creates the suite. */
    public QueueSuite() {
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
        latencies.clear();
        List<QueueCase> cases = cases(lab.effort().isQuick(), latencies).stream()
                .filter(each -> lab.wants(each.label())).toList();
        List<Row> rows = new ArrayList<>();
        if (cases.isEmpty()) {
            return rows;
        }
        Optional<CProgram> c = CProgram.compileForThisMachine(NAME, lab);
        Path directory = lab.directory().resolve(NAME);
        for (QueueCase each : cases) {
            try {
                List<Row> found = each.run(lab, directory, c);
                found.forEach(lab::finished);
                rows.addAll(found);
            } finally {
                Directories.delete(directory);
            }
        }
        return rows;
    }

    /** What there is to measure, in the order of the table. */
    static List<QueueCase> cases(boolean isQuick, Map<String, Histogram> latencies) {
        List<QueueCase> cases = new ArrayList<>(FlowCase.all(isQuick));
        cases.addAll(DurableCase.all(isQuick));
        cases.add(new LatencyCase(latencies::put));
        cases.add(DepthCase.RECORDS);
        if (!isQuick) {
            cases.add(DepthCase.FILES);
        }
        return cases;
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        if (latencies.isEmpty()) {
            return List.of();
        }
        return List.of(new LatencyPlot(latencies).write(directory.resolve("queue-latency.png")));
    }
}
