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

/** The cases of a report, and how long each case is measured. A report takes about two hours, and a quick report less than 15 minutes. */
final class ReportPlan {
    /** The rounds of a quick report. It starts sides that share a process only once. */
    private static final int QUICK_ROUNDS = 2;

    /** The rounds of suites with a process for each side. These suites take longest. */
    private static final Map<String, Integer> FEWER_ROUNDS = Map.of("calls", 2, "comparator", 2, "merge", 2, "jruby",
            2);

    /** The iterations of a report, which are more than {@code bench} has: with few values, an interval spans all of them. */
    private static final int ITERATIONS = 9;

    /** The iterations of suites with many starts. */
    private static final Map<String, Integer> FEWER_ITERATIONS = Map.of("queue", 5);

    /** Cases that show nothing beyond similar cases. */
    private static final Pattern LEFT_OUT = Pattern.compile("paired: ((fresh|hot) key of 128 B.*"
            + "|random keys of 128 B, 2 threads.*|.* key.*2 threads, (256 B|4 KB|16 KB|32 KB|128 KB)"
            + "|.* keys? of 16 B, 32 KB)");

    /** Cases of a quick run that a first impression does not need. */
    private static final Pattern LEFT_OUT_IF_QUICK = Pattern.compile("calls: no-op.*"
            + "|paired: (full scan, 16 B|batch of .*, build, .*|batch of 10, .* 2 threads.*)|comparator: .*, 128 bytes, .*"
            + "|merge: (append|read).*|queue: (append, 64 B, cold|depth)|pipeline: ingest, (64 B|16 KB)"
            + "|start: .*(fat jar, no AOT|unpacked).*|jruby: (?!mapped file|SizedQueue|unbounded Queue).*");

    private static final RunLength QUICK = new RunLength(true, QUICK_ROUNDS, 4, 3, Duration.ofMillis(60), 128 << 20);

    private static final double WHOLE_SECONDS = 40;
    private static final double QUICK_SECONDS = 9;

    private final ReportSettings settings;
    private final @Nullable RunLength runLength;

    /** Plans a report. Tests set the length of the run. */
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
                        : whole(suite.name());
        return settings.rounds() == 0 ? usual : usual.withRounds(settings.rounds());
    }

    private static RunLength whole(String suite) {
        RunLength full = RunLength.full().withIterations(FEWER_ITERATIONS.getOrDefault(suite, ITERATIONS));
        Integer rounds = FEWER_ROUNDS.get(suite);
        return rounds == null ? full : full.withRounds(rounds);
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

    /** Returns a guess of the time of a case, for the time before any case of its suite is finished. */
    double expectedSeconds() {
        return settings.isQuick() ? QUICK_SECONDS : WHOLE_SECONDS;
    }
}
