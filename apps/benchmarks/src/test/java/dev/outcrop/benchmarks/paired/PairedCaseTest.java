package dev.outcrop.benchmarks.paired;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairedCaseTest {
    @Test
    void everyCaseHasALabelOfItsOwn() {
        assertThat(labels(false)).doesNotHaveDuplicates().hasSize(150).contains(
                "random keys of 128 B, 2 threads, 64 KB", "random keys of 128 B among 1,000, 32 KB",
                "ascending keys of 128 B, 128 KB", "full scan, 4 KB", "100 keys of one named family, 1 KB",
                "100 keys of random ones of 100 families, 256 B", "put, WAL off, 100 B",
                "batch of 1,000, build + write, WAL off, 2 threads, 100 B");
    }

    @Test
    void quickCasesAreSomeOfAll() {
        assertThat(labels(false)).containsAll(labels(true)).hasSizeGreaterThan(labels(true).size());
    }

    private static List<String> labels(boolean isQuick) {
        return PairedCase.all(isQuick).stream().map(PairedCase::label).toList();
    }
}
