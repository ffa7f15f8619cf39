package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomIndexesTest {
    private static final int KEYS = 10;
    private static final int TIMES = 10_000;

    @Test
    void everyKeyComesAboutEquallyOften() {
        RandomIndexes random = new RandomIndexes();
        int[] found = new int[KEYS];

        IntStream.range(0, TIMES).forEach(_ -> found[(int) random.next(KEYS)]++);

        assertThat(Arrays.stream(found)).allMatch(times -> times > TIMES / KEYS / 2);
    }

    @Test
    void threadsHaveDifferentNumbers() {
        assertThat(new RandomIndexes().next()).isNotEqualTo(new RandomIndexes().next());
    }
}
