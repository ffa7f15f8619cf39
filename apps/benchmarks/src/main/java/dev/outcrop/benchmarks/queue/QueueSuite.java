package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The durable queue: Outcrop, Chronicle Queue, C. */
public final class QueueSuite {
    static final String NAME = "queue";
    static final String PEER = "Chronicle";

    private QueueSuite() {
    }

    /** Returns the suite. It keeps the latencies of its last run, by side, for the plot. */
    public static Suite suite() {
        Map<String, Histogram> latencies = new LinkedHashMap<>();
        return new Suite(NAME, PEER, runLength -> {
            latencies.clear();
            return cases(runLength.isQuick(), latencies);
        }, (_, directory) -> latencies.isEmpty()
                ? List.of()
                : List.of(LatencyCase.plot(latencies, directory.resolve("queue-latency.png"))));
    }

    /** Returns all cases, in the order of the table. */
    static List<Case> cases(boolean isQuick, Map<String, Histogram> latencies) {
        List<Case> cases = new ArrayList<>(ThroughputCase.all(isQuick));
        cases.addAll(DurableCase.all(isQuick));
        cases.add(new LatencyCase(latencies::put));
        cases.add(DepthCase.RECORDS);
        if (!isQuick) {
            cases.add(DepthCase.FILES);
        }
        return cases;
    }
}
