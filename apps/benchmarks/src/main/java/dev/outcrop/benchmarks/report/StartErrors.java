package dev.outcrop.benchmarks.report;

import static java.util.stream.Collectors.averagingDouble;
import static java.util.stream.Collectors.groupingBy;

import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.report.ReportData.MeasuredCase;
import java.util.List;
import java.util.Map;

/**
 * Widens intervals by the differences from start to start. The few starts of a line may happen to be alike. Then another report would be
 * outside its interval. The lines of a suite together show the usual difference. So the interval of a line is at least the interval of
 * their pooled standard error. Lines with another unit and lines that are uncertain anyway do not count.
 */
final class StartErrors {

    private StartErrors() {
    }

    static List<MeasuredCase> widen(List<MeasuredCase> cases) {
        Map<String, Double> meanSquares = cases.stream().flatMap(each -> each.rows().stream())
                .filter(row -> row.startError() > 0 && !ReportSection.isUncertain(row))
                .collect(groupingBy(StartErrors::group, averagingDouble(row -> row.startError() * row.startError())));
        return cases.stream()
                .map(each -> each.withRows(each.rows().stream()
                        .map(row -> widen(row, Math.sqrt(meanSquares.getOrDefault(group(row), 0.0)))).toList()))
                .toList();
    }

    private static String group(Row row) {
        return row.suite() + ": " + row.unit();
    }

    private static Row widen(Row row, double pooled) {
        // A line without a start error is exact, such as the size of a jar, or has a single start. It stays unchanged.
        return row.startError() == 0 ? row : row.withError(Math.max(row.error(), Measurement.CONFIDENCE * pooled));
    }
}
