package dev.outcrop.benchmarks.pins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZipfTest {
    @Test
    void withExponentOneNumbersComeInProportionToTheirReciprocals() {
        // 1 + 1/2 + 1/3 + 1/4 = 25/12
        Zipf zipf = new Zipf(4, 1);

        assertThat(zipf.at(0)).isZero();
        assertThat(zipf.at(0.479)).isZero();
        assertThat(zipf.at(0.481)).isEqualTo(1);
        assertThat(zipf.at(0.719)).isEqualTo(1);
        assertThat(zipf.at(0.721)).isEqualTo(2);
        assertThat(zipf.at(0.879)).isEqualTo(2);
        assertThat(zipf.at(0.881)).isEqualTo(3);
        assertThat(zipf.at(Math.nextDown(1.0))).isEqualTo(3);
    }

    @Test
    void everyNumberIsInRangeAndSmallOnesAreFrequent() {
        int count = 1000;
        Zipf zipf = new Zipf(count, 0.99);
        Random random = new Random(1);
        int[] found = new int[count];
        int draws = 100_000;

        IntStream.range(0, draws).forEach(_ -> found[zipf.at(random.nextDouble())]++);

        double sum = IntStream.rangeClosed(1, count).mapToDouble(i -> Math.pow(i, -0.99)).sum();
        assertThat((double) found[0] / draws).isCloseTo(1 / sum, within(0.01));
        assertThat(IntStream.of(found).sum()).isEqualTo(draws);
    }
}
