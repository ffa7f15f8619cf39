package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Suite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The cases of a report, and how long each is measured: less than two hours altogether, in a quick report less than 15 minutes. */
final class ReportPlan {
    /** Enough for every case of {@code bench}, but too long for a report: an even number, so that each side goes first equally often. */
    private static final int ROUNDS = 2;

    /** Of suites with figures that differ more from start to start. */
    private static final Map<String, Integer> MORE_ROUNDS = Map.of("queue", 4, "pins", 4, "start", 4);

    /** More than {@code bench} has, which starts its sides more often: with few values, an interval spans all of them. */
    private static final int ITERATIONS = 9;

    /** Cases that tell nothing that those beside them do not. */
    private static final Pattern LEFT_OUT = Pattern.compile("paired: ((fresh|hot) key of 128 B.*"
            + "|random keys of 128 B, 2 threads.*|.* key.*2 threads, (256 B|4 KB|16 KB|32 KB|128 KB)"
            + "|.* keys? of 16 B, 32 KB)");

    /** Of those that a quick run has, what a first impression does not need. */
    private static final Pattern LEFT_OUT_IF_QUICK = Pattern.compile("calls: no-op.*"
            + "|paired: (full scan, 16 B|batch of .*, build, .*|batch of 10, .* 2 threads.*)|comparator: .*, 128 bytes, .*"
            + "|merge: (append|read).*|queue: (append, 64 B, cold|depth)|pipeline: ingest, (64 B|16 KB)"
            + "|start: .*(fat jar, no AOT|unpacked).*|jruby: (?!mapped file|SizedQueue|unbounded Queue).*");

    private static final RunLength QUICK = new RunLength(true, ROUNDS, 4, 3, Duration.ofMillis(60), 128 << 20);

    private static final double WHOLE_SECONDS = 40;
    private static final double QUICK_SECONDS = 9;

    private final ReportSettings settings;
    private final @Nullable RunLength runLength;

    /** Plans a report; tests set the length of the run. */
    ReportPlan(ReportSettings settings, @Nullable RunLength runLength) {
        this.settings = settings;
        this.runLength = runLength;
    }

    /** Returns the length of the run for a suite. */
    RunLength runLength(Suite suite) {
        RunLength usual = runLength != null
                ? runLength
                : settings.isQuick()
                        ? QUICK
                        : RunLength.full().withIterations(ITERATIONS)
                                .withRounds(MORE_ROUNDS.getOrDefault(suite.name(), ROUNDS));
        return settings.rounds() == 0 ? usual : usual.withRounds(settings.rounds());
    }

    /** Returns the cases of a suite that the user asked for, in order. */
    List<Case> cases(Suite suite) {
        List<Case> cases = new ArrayList<>();
        for (Case each : suite.cases().apply(runLength(suite))) {
            boolean isWanted = settings.only().isEmpty()
                    ? !isLeftOut(suite.name() + ": " + each.label())
                    : settings.only().stream().anyMatch(each.label()::contains);
            if (isWanted) {
                cases.add(each);
            }
        }
        return cases;
    }

    private boolean isLeftOut(String name) {
        return LEFT_OUT.matcher(name).matches()
                || (settings.isQuick() && LEFT_OUT_IF_QUICK.matcher(name).matches());
    }

    /** Returns a guess of how long a case takes, before any of its suite is finished. */
    double expectedSeconds() {
        return settings.isQuick() ? QUICK_SECONDS : WHOLE_SECONDS;
    }
}
