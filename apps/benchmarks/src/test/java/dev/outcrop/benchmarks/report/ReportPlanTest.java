package dev.outcrop.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.benchmarks.calls.CallCase;
import dev.outcrop.benchmarks.comparator.ComparatorCase;
import dev.outcrop.benchmarks.dropin.DropinCase;
import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.jruby.JRubySuite;
import dev.outcrop.benchmarks.lmdb.LmdbCase;
import dev.outcrop.benchmarks.merge.MergeCase;
import dev.outcrop.benchmarks.paired.PairedCase;
import dev.outcrop.benchmarks.pins.PinsCase;
import dev.outcrop.benchmarks.pipeline.PipelineCase;
import dev.outcrop.benchmarks.queue.QueueSuite;
import dev.outcrop.benchmarks.start.StartCase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportPlanTest {
    private static final List<Suite> SUITES = List.of(CallCase.suite(), PairedCase.suite(), ComparatorCase.suite(),
            MergeCase.suite(), DropinCase.suite(), PinsCase.suite(), QueueSuite.suite(), PipelineCase.suite(),
            LmdbCase.suite(), StartCase.suite(), JRubySuite.suite());

    @Test
    void aWholeReportLeavesOutReadsThatTellNothingNew() {
        assertThat(planned(false, List.of()))
                .contains("paired: random keys of 128 B, 4 KB", "paired: hot key of 16 B, 2 threads, 64 KB",
                        "merge: append, then compact", "jruby: slow disk")
                .doesNotContain("paired: hot key of 128 B, 4 KB", "paired: random keys of 128 B, 2 threads, 1 KB",
                        "paired: random keys of 16 B, 2 threads, 4 KB");
    }

    @Test
    void aQuickReportHasAFewCasesOfEachSuite() {
        List<String> planned = planned(true, List.of());

        assertThat(planned).hasSizeBetween(60, 80).contains("jruby: mapped file", "jruby: SizedQueue",
                "jruby: unbounded Queue", "pipeline: ingest, 1 KB");
        for (Suite suite : SUITES) {
            assertThat(planned).anyMatch(name -> name.startsWith(suite.name() + ": "));
        }
        assertThat(planned).noneMatch(name -> name.matches(
                "calls: no-op.*|paired: full scan, 16 B|paired: .*build, 100 B|comparator: .*128 bytes.*|merge: append.*"
                        + "|queue: .*64 B, cold|queue: depth|jruby: slow disk"));
    }

    @Test
    void whatTheUserAsksForIsNeverLeftOut() {
        assertThat(planned(true, List.of("no-op", "slow disk"))).hasSize(5).contains("jruby: slow disk");
    }

    @Test
    void aWholeReportMeasuresEachHighlight() {
        List<String> planned = planned(false, List.of());

        assertThat(PublishedFigures.lines("highlights.tsv")).isNotEmpty().allSatisfy(line -> assertThat(planned)
                .anyMatch(name -> name.matches(line.getFirst() + ": " + line.get(1))));
    }

    private static List<String> planned(boolean isQuick, List<String> only) {
        ReportPlan plan = new ReportPlan(new ReportSettings(isQuick, 0, 1, only, List.of()), null);
        List<String> planned = new ArrayList<>();
        for (Suite suite : SUITES) {
            for (Case each : plan.cases(suite)) {
                planned.add(suite.name() + ": " + each.label());
            }
        }
        return planned;
    }
}
