package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessOutputTest {
    private static final String OUTPUT = """
            a warning
            figure 12.500 16.000 wall
            figure 1000000000.000 0 p99.9
            text more
            figure 14.500 32.000 wall
            figure 3.000 0.000 outcrop pinned, touched
            """;

    @Test
    void readsFiguresAndTexts() {
        ProcessOutput start = ProcessOutput.parse(OUTPUT);

        assertThat(start.of("wall")).isEqualTo(new Sample(List.of(12.5, 14.5), List.of(16.0, 32.0)));
        assertThat(start.of("p99.9")).isEqualTo(new Sample(List.of(1e9), List.of(0.0)));
        assertThat(start.of("outcrop pinned, touched").values()).containsExactly(3.0);
        assertThat(start.texts()).containsExactly("more");
    }

    @Test
    void failsWithWhatTheProgramPrintedIfThereAreNoFigures() {
        assertThatThrownBy(() -> ProcessOutput.parse("a warning")).isInstanceOf(BenchmarkException.class)
                .hasMessage("The program has printed no figures: a warning");
    }

    @Test
    void aMissingFigureIsNamed() {
        assertThatThrownBy(() -> ProcessOutput.parse(OUTPUT).of("cpu")).hasMessageContaining("cpu")
                .hasMessageContaining("wall");
    }

    @Test
    void figuresAreMediansOverStartsOfMediansOverIterations() {
        Figures figures = new Figures(List.of(ProcessOutput.parse("figure 1 16 wall\nfigure 3 16 wall\nfigure 9 0 cpu"),
                ProcessOutput.parse("figure 6 0 wall")));

        assertThat(figures.of("wall").median()).isEqualTo(4);
        assertThat(figures.of("wall").bytesPerOp()).isEqualTo(16);
        assertThat(figures.has("wall")).isTrue();
        assertThat(figures.has("cpu")).isFalse();
    }

    @Test
    void ratiosAreThoseOfTheSameRound() {
        Figures figures = new Figures(
                List.of(new ProcessOutput(
                        Map.of("one", sample(1.0, 10.0, 100.0), "other", sample(2.0, 20.0, 50.0), "third",
                                sample(3.0, 30.0, 300.0)),
                        List.of())));

        assertThat(figures.ratio("one", "other").median()).isCloseTo(2.0, within(1e-9));
        assertThat(figures.ratio("one", "other").error()).isPositive();
        assertThat(figures.against("one", "other")).isCloseTo(20.0, within(1e-9));
        assertThat(figures.fastest("one", List.of("third", "other"))).isEqualTo("other");
    }

    private static Sample sample(Double... values) {
        return new Sample(List.of(values), List.of(0.0));
    }
}
