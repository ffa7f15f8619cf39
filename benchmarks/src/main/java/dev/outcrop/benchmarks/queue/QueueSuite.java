package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The durable queue: Outcrop, Chronicle Queue, C. */
public final class QueueSuite extends Suite {
    static final String NAME = "queue";
    static final String PEER = "Chronicle";

    /** The latencies of the last run, by side. */
    private final Map<String, Histogram> latencies = new LinkedHashMap<>();

    /** Creates the suite. */
    public QueueSuite() {
        super(NAME, PEER);
    }

    @Override
    protected List<Case> cases(Effort effort) {
        latencies.clear();
        return cases(effort.isQuick(), latencies);
    }

    /** All cases, in the order of the table. */
    static List<Case> cases(boolean isQuick, Map<String, Histogram> latencies) {
        List<Case> cases = new ArrayList<>(FlowCase.all(isQuick));
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
