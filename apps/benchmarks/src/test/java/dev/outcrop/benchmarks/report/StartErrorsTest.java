package dev.outcrop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Sample;
import dev.outcrop.benchmarks.report.ReportData.MeasuredCase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StartErrorsTest {
    private static final int LINES = 200;
    private static final int STARTS = 2;
    private static final int TURNS = 20;
    private static final double OF_STARTS = 0.03;
    private static final double OF_TURNS = 0.01;

    @Test
    void twoReportsAgreeWithinTheIntervalsAlthoughStartsDiffer() {
        Random random = new Random(42);
        List<Row> one = report(random);
        List<Row> other = report(random);

        assertThat(shareThatAgrees(one, other)).isLessThan(0.7);
        assertThat(shareThatAgrees(widen(one), widen(other))).isGreaterThan(0.95);
        // They still tell something.
        assertThat(widen(one)).filteredOn(ReportSection::isUncertain).hasSizeLessThan(LINES / 10);
    }

    @Test
    void aWideIntervalStaysAndWidensNoOther() {
        List<Row> widened = widen(List.of(line("wild", Row.UNIT, 0.5, 0.4), line("calm", Row.UNIT, 0.01, 0.01),
                line("alike", Row.UNIT, 0.01, 0.001), line("in another unit", "bytes", 0.01, 0.001)));

        double pooled = 1.96 * Math.sqrt((0.01 * 0.01 + 0.001 * 0.001) / 2);
        assertThat(widened.get(0).error()).isEqualTo(0.5);
        assertThat(widened.get(1).error()).isCloseTo(pooled, within(1e-9));
        assertThat(widened.get(2).error()).isCloseTo(pooled, within(1e-9));
        assertThat(widened.get(3).error()).isEqualTo(0.01);
    }

    @Test
    void exactLinesAndThoseOfASingleStartStay() {
        List<Row> widened = widen(List.of(line("calm", Row.UNIT, 0.01, 0.03), line("one start", Row.UNIT, 0.01, 0)));

        assertThat(widened.get(1).error()).isEqualTo(0.01);
    }

    @Test
    void aReportThatIsReadAgainHasTheSameIntervals() {
        List<Row> once = widen(report(new Random(1)));

        assertThat(widen(once)).isEqualTo(once);
    }

    private static List<Row> report(Random random) {
        List<Row> rows = new ArrayList<>();
        for (int line = 0; line < LINES; line++) {
            List<Sample> starts = new ArrayList<>();
            for (int start = 0; start < STARTS; start++) {
                double centre = random.nextGaussian(100, 100 * OF_STARTS);
                starts.add(new Sample(DoubleStream.generate(() -> random.nextGaussian(centre, 100 * OF_TURNS))
                        .limit(TURNS).boxed().toList(), List.of(0.0)));
            }
            Measurement measured = Measurement.of(starts);
            rows.add(line("line " + line, Row.UNIT, measured.median(), measured));
        }
        return rows;
    }

    private static List<Row> widen(List<Row> rows) {
        return StartErrors.widen(List.of(new MeasuredCase("suite", "case", 1, 0, "", rows))).getFirst().rows();
    }

    private static double shareThatAgrees(List<Row> one, List<Row> other) {
        int agreeing = 0;
        for (int line = 0; line < LINES; line++) {
            Row a = one.get(line);
            Row b = other.get(line);
            if (Math.abs(a.ratio() - b.ratio()) <= a.ratio() * a.error() + b.ratio() * b.error()) {
                agreeing++;
            }
        }
        return agreeing / (double) LINES;
    }

    private static Row line(String label, String unit, double error, double startError) {
        return line(label, unit, 100, new Measurement(1, error, startError, 0));
    }

    private static Row line(String label, String unit, double peer, Measurement ratio) {
        return new Row("suite", "case", new LinkedHashMap<>(), label, "ours", new Measurement(100, 0, 0), "peer", peer,
                ratio,
                null, unit);
    }
}
