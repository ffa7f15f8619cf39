package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProcessComparisonTest {
    private final List<String> started = new ArrayList<>();

    @Test
    void everySecondRoundGoesBackwards() {
        new ProcessComparison(7).add("ours", process("ours", 1)).add("peer", process("peer", 1))
                .add("C", process("C", 1))
                .run(4);

        assertThat(started).hasSize(12);
        assertThat(started.subList(3, 6)).isEqualTo(started.subList(0, 3).reversed());
        assertThat(started.subList(9, 12)).isEqualTo(started.subList(6, 9).reversed());
    }

    @Test
    void theSeedDecidesTheOrder() {
        for (long seed = 0; seed < 20; seed++) {
            new ProcessComparison(seed).add("ours", process("ours", 1)).add("peer", process("peer", 1)).run(1);
        }

        assertThat(started.subList(0, 40)).containsSequence("ours", "peer").containsSequence("peer", "ours");
        List<String> first = List.copyOf(started);
        started.clear();
        for (long seed = 0; seed < 20; seed++) {
            new ProcessComparison(seed).add("ours", process("ours", 1)).add("peer", process("peer", 1)).run(1);
        }
        assertThat(started).isEqualTo(first);
    }

    @Test
    void theResultOfASideIsTheMedianOverItsStarts() {
        Results results = new ProcessComparison(1).add("steady", process("steady", 10))
                .add("drifting", process("drifting", 1, 2, 90))
                .run(3);

        assertThat(results.of("steady").time().median()).isEqualTo(10);
        assertThat(results.of("drifting").time().median()).isEqualTo(2);
        assertThat(results.fastest(List.of("steady", "drifting"), ProcessOutput.TIME)).isEqualTo("drifting");
        assertThat(results.timeIfMeasured("absent")).isNull();
        assertThatThrownBy(() -> results.of("absent")).hasMessageContaining("absent").hasMessageContaining("steady");
    }

    @Test
    void aMeasurementCombinesAllIterations() {
        Measurement measurement = Measurement.of(List.of(
                new Sample(List.of(9.0, 10.0, 500.0), List.of(0.0, 0.0, 16.0)),
                new Sample(List.of(12.0, 12.0, 12.0), List.of(0.0, 0.0, 0.0))));

        assertThat(measurement.median()).isEqualTo(11);
        assertThat(measurement.bytesPerOp()).isZero();
        assertThat(measurement.error()).isGreaterThan(1);
    }

    @Test
    void theErrorIsHalfTheIntervalOfTheMedian() {
        // Of a hundred values, 95 % of all medians lie between the 41st and the 60th.
        List<Double> hundred = IntStream.rangeClosed(51, 150).mapToObj(i -> (double) i).toList();
        Measurement measurement = Measurement.of(List.of(new Sample(hundred, List.of(0.0))));

        assertThat(measurement.median()).isEqualTo(100.5);
        assertThat(measurement.error()).isCloseTo(19.0 / 2 / 100.5, within(1e-9));
    }

    @Test
    void fewValuesHaveTheErrorOfTheirExtremesAndOneValueIsWorthNothing() {
        assertThat(Measurement.of(List.of(new Sample(List.of(98.0, 100.0, 104.0), List.of(0.0)))).error())
                .isCloseTo(0.03, within(1e-9));
        assertThat(Measurement.of(List.of(new Sample(List.of(98.0), List.of(0.0)))).error()).isEqualTo(1);
    }

    @Test
    void theErrorOfStartsIsTheirStandardErrorWhateverTheirIterationsAre() {
        Measurement measurement = Measurement.of(List.of(
                new Sample(List.of(9.0, 10.0, 500.0), List.of(0.0)), new Sample(List.of(12.0, 12.0), List.of(0.0))));

        assertThat(measurement.startError()).isCloseTo(1.0 / 11, within(1e-9));
        assertThat(Measurement.of(List.of(new Sample(List.of(9.0, 10.0), List.of(0.0)))).startError()).isZero();
    }

    @Test
    void twoSidesOfOneNameAreAMistake() {
        ProcessComparison comparison = new ProcessComparison(1).add("ours", process("ours", 1));

        assertThatThrownBy(() -> comparison.add("ours", process("ours", 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Takes the given times, one a start; the last one for all further starts. */
    private BenchmarkProcess process(String name, double... nanos) {
        int[] starts = {0};
        return _ -> {
            started.add(name);
            return ProcessOutput.of(new Sample(List.of(nanos[Math.min(starts[0]++, nanos.length - 1)]), List.of(0.0)));
        };
    }
}
