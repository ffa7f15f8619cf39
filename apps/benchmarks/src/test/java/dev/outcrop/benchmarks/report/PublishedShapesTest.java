package dev.outcrop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.paired.MadeUpRows;
import dev.outcrop.benchmarks.paired.PairedCase;
import dev.outcrop.benchmarks.report.ReportData.MeasuredCase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each published figure has a measured one beside it in a whole report. */
class PublishedShapesTest {
    private static final String NONE = "–";

    @Test
    void eachPublishedGetHasItsFigureOfOurs() {
        List<List<String>> table = table(0, false);

        assertThat(table).hasSize(51).allSatisfy(line -> assertThat(line).hasSize(10).doesNotContain(NONE)
                .endsWith("333,333", "500,000", "1.50", "2.00"));
        assertThat(table).filteredOn(line -> line.get(1).equals("1,000"))
                .allSatisfy(line -> assertThat(line.get(5)).isEqualTo("1,000"));
        assertThat(table).filteredOn(line -> line.get(1).equals("100,000")).extracting(line -> line.get(5))
                .containsOnly("99,296", "12,750", "3,196");
    }

    @Test
    void eachPublishedMultiGetHasItsFigureOfOurs() {
        List<List<String>> table = table(1, false);

        assertThat(table).hasSize(80).allSatisfy(line -> assertThat(line.subList(6, 11)).doesNotContain(NONE)
                .endsWith("333,333", "500,000", "1.50", "2.00"));
        assertThat(table).extracting(line -> line.get(6)).containsOnly("10,000", "6,301");
    }

    @Test
    void aQuickReportHasSomeOfThem() {
        for (int section = 0; section < 2; section++) {
            assertThat(table(section, true)).anyMatch(line -> line.getLast().equals("2.00"))
                    .anyMatch(line -> line.getLast().equals(NONE));
        }
    }

    private static List<List<String>> table(int section, boolean isQuick) {
        ReportSettings settings = new ReportSettings(isQuick, 0, 1, List.of(), List.of());
        ReportPlan plan = new ReportPlan(settings, null);
        List<Row> rows = MadeUpRows.of(plan.cases(PairedCase.suite()), plan.runLength(PairedCase.suite()));
        ReportData data = new ReportData(new Machine(Map.of()), settings,
                List.of(new MeasuredCase("paired", "all", 1, 0, "", rows)));
        return new ReportSections(data).all().get(section).tables().getFirst().rows();
    }
}
