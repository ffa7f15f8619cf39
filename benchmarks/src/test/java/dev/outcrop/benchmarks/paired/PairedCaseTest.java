package dev.outcrop.benchmarks.paired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outcrop.benchmarks.harness.Sample;
import dev.outcrop.benchmarks.turns.Start;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PairedCaseTest {
    @Test
    void everyCaseHasALabelOfItsOwn() {
        assertThat(labels(false)).doesNotHaveDuplicates().hasSize(111).contains(
                "random keys of 128 B, 2 threads, 64 KB", "full scan, 4 KB",
                "100 keys of random ones of 100 families, 256 B", "put, WAL off, 100 B",
                "batch of 1,000, build + write, WAL off, 2 threads, 100 B");
    }

    @Test
    void quickCasesAreSomeOfAll() {
        assertThat(labels(false)).containsAll(labels(true)).hasSizeGreaterThan(labels(true).size());
    }

    @Test
    void ratiosAreThoseOfTheSameRound() {
        Start start = new Start(Map.of("one", sample(1.0, 10.0, 100.0), "other", sample(2.0, 20.0, 50.0)));

        assertThat(start.ratio("one", "other")).isCloseTo(2.0, within(1e-9));
    }

    private static Sample sample(Double... nanos) {
        return new Sample(List.of(nanos), List.of(0.0));
    }

    private static List<String> labels(boolean isQuick) {
        return PairedCase.all(isQuick).stream().map(PairedCase::label).toList();
    }
}
