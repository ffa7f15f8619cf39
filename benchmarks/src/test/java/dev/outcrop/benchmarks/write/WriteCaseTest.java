package dev.outcrop.benchmarks.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WriteCaseTest {
    @Test
    void everyCaseHasALabelOfItsOwn() {
        assertThat(labels(false)).doesNotHaveDuplicates().hasSize(29)
                .contains("put, WAL off, 1 thread", "put, WAL synced, 2 threads", "batch of 1,000, build",
                        "batch of 10, build + write, WAL on, 2 threads",
                        "batch of 1,000, build + write, WAL off, random keys, 1 thread");
    }

    @Test
    void quickCasesAreSomeOfAll() {
        assertThat(labels(false)).containsAll(labels(true)).hasSizeGreaterThan(labels(true).size());
    }

    private static List<String> labels(boolean isQuick) {
        return WriteCase.all(isQuick).stream().map(WriteCase::label).toList();
    }
}
