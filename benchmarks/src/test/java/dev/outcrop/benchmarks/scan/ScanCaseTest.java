package dev.outcrop.benchmarks.scan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScanCaseTest {
    @Test
    void everyCaseHasALabelOfItsOwn() {
        assertThat(labels(false)).doesNotHaveDuplicates().hasSize(16)
                .contains("full scan, 16 B", "reverse scan, 256 B", "range of 100, 1 KB", "seek only, 4 KB");
    }

    @Test
    void quickCasesAreSomeOfAll() {
        assertThat(labels(false)).containsAll(labels(true)).hasSizeGreaterThan(labels(true).size());
    }

    @Test
    void thereIsAlwaysMoreThanOneRange() {
        assertThat(ScanWorkload.keysFor(4096, 1)).isEqualTo(2 * ScanWorkload.RANGE_ENTRIES);
        assertThat(ScanWorkload.keysFor(16, Long.MAX_VALUE)).isEqualTo(100_000);
    }

    private static List<String> labels(boolean isQuick) {
        return ScanCase.all(isQuick).stream().map(ScanCase::label).toList();
    }
}
