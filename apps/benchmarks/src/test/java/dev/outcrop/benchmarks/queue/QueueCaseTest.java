package dev.outcrop.benchmarks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.benchmarks.harness.Case;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueCaseTest {
    @Test
    void everyCaseHasALabelOfItsOwn() {
        assertThat(labels(false)).doesNotHaveDuplicates().hasSize(31)
                .contains("append, 64 B, prepared", "append, 16 KB, cold", "tail, 1 KB, cold", "1P1C, 64 B, prepared",
                        "2P2C, 16 KB, prepared", "durable append, 1 KB, 1 thread",
                        "durable append, 1 KB, 64 platform threads",
                        "durable append, 1 KB, 64 virtual threads",
                        "append, 1 KB, 100,000 a second", "depth",
                        "depth, 10 GB");
    }

    @Test
    void quickCasesAreSomeOfAll() {
        assertThat(labels(false)).containsAll(labels(true)).hasSizeGreaterThan(labels(true).size());
    }

    @Test
    void percentilesHaveNames() {
        assertThat(LatencyCase.PERCENTILES).map(LatencyCase::name).containsExactly("p50", "p90", "p99", "p99.9");
    }

    private static List<String> labels(boolean isQuick) {
        return QueueSuite.cases(isQuick, new HashMap<>()).stream().map(Case::label).toList();
    }
}
