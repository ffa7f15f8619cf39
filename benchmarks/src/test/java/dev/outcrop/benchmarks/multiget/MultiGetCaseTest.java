package dev.outcrop.benchmarks.multiget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MultiGetCaseTest {
    @Test
    void everyCaseHasALabelOfItsOwn() {
        assertThat(labels(false)).doesNotHaveDuplicates().hasSize(14)
                .contains("default family, 256 B", "another family, 4 KB", "one of 20 families, 4 KB",
                        "random of 100 families, 64 KB");
    }

    @Test
    void quickCasesAreSomeOfAll() {
        assertThat(labels(false)).containsAll(labels(true)).hasSizeGreaterThan(labels(true).size());
    }

    private static List<String> labels(boolean isQuick) {
        return MultiGetCase.all(isQuick).stream().map(MultiGetCase::label).toList();
    }
}
