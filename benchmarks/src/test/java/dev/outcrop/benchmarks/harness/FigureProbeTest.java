package dev.outcrop.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureProbeTest {
    @Test
    void readsWhatItWrites() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("wall", 12.5);
        figures.put("p99.9", 1e9);

        String line = FigureProbe.line(figures);

        assertThat(line).isEqualTo("figures wall=12.500 p99.9=1000000000.000");
        FigureProbe probe = new FigureProbe(() -> "a warning\n" + line + "\n" + FigureProbe.text("more"), "wall");
        assertThat(probe.measure()).isEqualTo(new Sample(List.of(12.5), List.of(0.0)));
        assertThat(probe.of("p99.9").nanos()).isEqualTo(1e9);
        assertThat(probe.texts()).containsExactly("more");
    }

    @Test
    void keepsTheFiguresOfAllStarts() {
        Iterator<String> starts = List
                .of("figures wall=1 garbage=16\nfigures wall=3 garbage=16", "figures wall=6 garbage=0")
                .iterator();
        FigureProbe probe = new FigureProbe(starts::next, "wall");

        assertThat(probe.measure()).isEqualTo(new Sample(List.of(1.0, 3.0), List.of(16.0, 16.0)));
        assertThat(probe.measure()).isEqualTo(new Sample(List.of(6.0), List.of(0.0)));

        // The median over the starts, of each the median over its iterations.
        assertThat(probe.of("wall").nanos()).isEqualTo(4);
        assertThat(probe.of("wall").bytesPerOp()).isEqualTo(16);
    }

    @Test
    void failsWithWhatTheProgramPrintedIfAFigureIsMissing() {
        FigureProbe probe = new FigureProbe(() -> "figures cpu=1", "wall");

        assertThatThrownBy(probe::measure).isInstanceOf(BenchmarkException.class)
                .hasMessage("The program has not printed 'wall': figures cpu=1");
    }
}
