package dev.outcrop.benchmarks.report;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.DirectoryLock;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.harness.UnavailableException;
import dev.outcrop.benchmarks.report.ReportData.MeasuredCase;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Measures all suites, and writes the results to a directory: as JSON, CSV, text, and one page with plots. */
@Command(name = "report", sortOptions = false, description = {
        "Measures all suites, and writes one page about them: about two hours.",
        "DIR gets report.html, report.md, report.csv, report.json, and the first plot as report.svg. The page needs no network and no other file.",
        "Each case is kept when it is finished: after Ctrl-C or a kill the same command goes on from there."})
public final class ReportCommand implements Callable<Integer> {
    private static final String PAGE = "report.html";
    private static final int MOST_ROUNDS = 1000;

    private final List<Suite> suites;
    private final @Nullable RunLength runLength;
    private final @Nullable Path work;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--dir", paramLabel = "DIR", required = true, description = "Where the report is, or is begun.")
    private Path directory = Path.of("report");

    @Option(names = "--quick", description = "A part of the cases, with wide intervals: less than 15 minutes.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "TEXT", description = "Only cases with this text in their names; repeatable.")
    private List<String> only = List.of();

    @Option(names = "--peers", paramLabel = "NAME", split = ",", description = "Only suites that compare with one of these, such as rocksdbjni,Chronicle.")
    private List<String> peers = List.of();

    @Option(names = "--rounds", paramLabel = "NUMBER", description = "How often each side of a case is started; even. More rounds make narrower intervals. Default: 4, for some suites 2.")
    private @Nullable Integer rounds;

    @Option(names = "--seed", paramLabel = "NUMBER", description = "Of the order of the sides in each round. Default: a new one.")
    private @Nullable Long seed;

    @Option(names = "--again", description = "Measure cases again if most of their lines are uncertain, and keep the narrower intervals.")
    private boolean again;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    private int failures;

    /** Creates the command for these suites. Tests set the length of the run and a work directory. */
    public ReportCommand(List<Suite> suites, @Nullable RunLength runLength, @Nullable Path work) {
        this.suites = List.copyOf(suites);
        this.runLength = runLength;
        this.work = work;
    }

    @Override
    public Integer call() throws IOException {
        requireSane();
        Path files = work != null ? work : Directories.work();
        try (ReportDirectory report = ReportDirectory.open(directory);
                DirectoryLock _ = DirectoryLock.takeWork(files)) {
            Optional<ReportData> begun = report.head();
            ReportSettings settings = new ReportSettings(quick, rounds == null ? 0 : rounds,
                    seed != null ? seed : begun.map(head -> head.settings().seed()).orElseGet(System::nanoTime), only,
                    peers);
            begun.ifPresent(head -> requireSame(head.settings().differences(settings), "other settings"));
            ReportPlan plan = new ReportPlan(settings, runLength);
            Map<Suite, List<Case>> cases = new LinkedHashMap<>();
            suites.stream().filter(settings::wants).forEach(suite -> cases.put(suite, plan.cases(suite)));
            if (cases.values().stream().allMatch(List::isEmpty)) {
                throw wrong("There is no case whose name contains '" + String.join("' or '", only) + "'"
                        + (peers.isEmpty() ? "" : " in the suites against " + String.join(" or ", peers)));
            }
            Machine machine = Machine.current();
            Progress progress = new Progress(report, cases, plan, again);
            if (begun.isEmpty()) {
                report.begin(machine, settings);
            } else if (progress.left() > 0) {
                requireSame(begun.get().machine().differences(machine, List.of()), "results of other conditions");
            }
            Machine measured = begun.map(ReportData::machine).orElse(machine);
            say(progress.toString());
            Thread atSignal = new Thread(() -> say(progress.kept()));
            Runtime.getRuntime().addShutdownHook(atSignal);
            try {
                for (Map.Entry<Suite, List<Case>> suite : cases.entrySet()) {
                    RunContext context = new RunContext(plan.runLength(suite.getKey()), files, settings.only(),
                            settings.seed(), out());
                    if (measure(suite.getKey(), suite.getValue(), context, report, progress, atSignal)) {
                        write(report, new ReportData(measured, settings, progress.finished()));
                    }
                }
                // Write the report even if nothing was left to measure: a finished report is drawn again.
                write(report, new ReportData(measured, settings, progress.finished()));
                say("The report: " + directory.resolve(PAGE));
            } finally {
                boolean _ = isWithoutSignal(atSignal);
            }
        }
        if (failures > 0) {
            say(failures + (failures == 1 ? " case has" : " cases have")
                    + " failed; the same command tries again");
        }
        return failures == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private void requireSane() {
        ParseResult bench = Objects.requireNonNull(spec).parent().commandLine().getParseResult();
        if (!bench.matchedOptions().isEmpty() || !bench.matchedPositionals().isEmpty()) {
            throw wrong("Options belong behind 'report', and suites are chosen by --only and --peers");
        }
        if (directory.toString().isEmpty()) {
            throw wrong("--dir is empty, and must name a directory");
        }
        if (only.contains("")) {
            throw wrong("--only is empty, and must be a part of a case's name, such as 'random keys'");
        }
        if (rounds != null && (rounds < 2 || rounds > MOST_ROUNDS || rounds % 2 != 0)) {
            throw wrong("--rounds is " + rounds + ", and must be an even number from 2 to " + MOST_ROUNDS
                    + ", so that each side goes first equally often");
        }
        for (String peer : peers) {
            if (peer.isEmpty() || suites.stream().noneMatch(suite -> suite.peer().contains(peer))) {
                throw wrong("There is no peer '" + peer + "'. The peers are: "
                        + suites.stream().map(Suite::peer).distinct().collect(Collectors.joining("; ")));
            }
        }
    }

    private void requireSame(List<String> differences, String what) {
        if (!differences.isEmpty()) {
            throw wrong(directory + " holds a report with " + what + " (" + String.join("; ", differences)
                    + "): name another directory");
        }
    }

    /** Measures the remaining cases of a suite. Returns whether there were any. */
    private boolean measure(Suite suite, List<Case> cases, RunContext context, ReportDirectory report,
            Progress progress, Thread atSignal) {
        boolean isAnythingNew = false;
        for (Case each : cases) {
            if (progress.isFinished(suite, each)) {
                continue;
            }
            isAnythingNew = true;
            say(progress.next(suite, each));
            double load = Machine.load();
            long begin = System.nanoTime();
            String failure = "";
            List<Row> rows = List.of();
            try {
                rows = Suite.measure(each, context);
            } catch (UnavailableException e) {
                failure = String.valueOf(e.getMessage());
                say("  not measured: " + failure);
            } catch (RuntimeException | LinkageError e) {
                if (!isWithoutSignal(atSignal)) {
                    // The signal also ends the processes of a case. This is not a failure of the case.
                    throw new BenchmarkException("Ended by a signal", e);
                }
                Runtime.getRuntime().addShutdownHook(atSignal);
                failure = e instanceof BenchmarkException ? String.valueOf(e.getMessage()) : e.toString();
                if (e instanceof NoClassDefFoundError) {
                    failure += ": a jar is missing; delete apps/benchmarks/target to have ./outcrop build anew";
                }
                failures++;
                say("  failed: " + failure);
            }
            MeasuredCase measured = new MeasuredCase(suite.name(), each.label(),
                    (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1), load, failure, rows);
            MeasuredCase before = progress.before(suite, each);
            if (before == null || measured.error() < before.error()) {
                report.write(measured);
                progress.add(measured);
            } else {
                progress.add(before);
            }
        }
        return isAnythingNew;
    }

    /** Removes the thread that runs at a signal. Returns false if there was a signal. */
    private static boolean isWithoutSignal(Thread atSignal) {
        try {
            return Runtime.getRuntime().removeShutdownHook(atSignal);
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static void write(ReportDirectory report, ReportData data) {
        report.write(data);
        report.write("report.csv", ReportText.csv(data.rows()));
        List<ReportSection> sections = new ReportSections(data).all();
        report.write("report.md", ReportText.markdown(data, sections));
        report.write("report.svg", ReportPage.picture(new ReportSummary(data).means()));
        report.write(PAGE, new ReportPage(data, sections).html());
    }

    private PrintWriter out() {
        return Objects.requireNonNull(spec).commandLine().getOut();
    }

    private void say(String line) {
        out().println(line);
        out().flush();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }

    /** The finished and remaining cases. A case is expected to take as long as the earlier cases of its suite. */
    private static final class Progress {
        private final Map<Suite, List<Case>> planned;
        private final Map<String, MeasuredCase> finished = new ConcurrentHashMap<>();
        /** Cases that were measured before and must be measured again. */
        private final Map<String, MeasuredCase> uncertain = new ConcurrentHashMap<>();
        private final double expected;

        Progress(ReportDirectory report, Map<Suite, List<Case>> planned, ReportPlan plan, boolean again) {
            this.planned = planned;
            this.expected = plan.expectedSeconds();
            planned.forEach((suite, cases) -> cases.forEach(each -> report.finished(suite.name(), each.label())
                    .filter(found -> found.failure().isEmpty()).ifPresent(found -> {
                        if (again && ReportSection.isUncertain(found)) {
                            uncertain.put(key(found.suite(), found.label()), found);
                        } else {
                            add(found);
                        }
                    })));
        }

        void add(MeasuredCase found) {
            uncertain.remove(key(found.suite(), found.label()));
            finished.put(key(found.suite(), found.label()), found);
        }

        /** Returns the earlier results of a case that must be measured again; null if there are none. */
        @Nullable
        MeasuredCase before(Suite suite, Case each) {
            return uncertain.get(key(suite.name(), each.label()));
        }

        boolean isFinished(Suite suite, Case each) {
            return finished.containsKey(key(suite.name(), each.label()));
        }

        private static String key(String suite, String label) {
            return suite + ": " + label;
        }

        /** Returns the last line of a report that a signal ends. */
        String kept() {
            return String.format(Locale.ROOT, "Ended early: %d of %d cases are kept, and the same command goes on from "
                    + "there", finished().stream().filter(each -> each.failure().isEmpty()).count(), count());
        }

        private int count() {
            return planned.values().stream().mapToInt(List::size).sum();
        }

        int left() {
            return count() - finished.size();
        }

        /** Returns the cases with results in the order of the plan. */
        List<MeasuredCase> finished() {
            List<MeasuredCase> ordered = new ArrayList<>();
            planned.forEach((suite, cases) -> cases.forEach(each -> {
                String key = key(suite.name(), each.label());
                MeasuredCase found = finished.getOrDefault(key, uncertain.get(key));
                if (found != null) {
                    ordered.add(found);
                }
            }));
            return ordered;
        }

        String next(Suite suite, Case each) {
            return String.format(Locale.ROOT, "[%d/%d, %s left] %s", finished.size() + 1, count(), timeLeft(),
                    key(suite.name(), each.label()));
        }

        private String timeLeft() {
            double seconds = 0;
            for (Map.Entry<Suite, List<Case>> suite : planned.entrySet()) {
                long missing = suite.getValue().stream().filter(each -> !isFinished(suite.getKey(), each)).count();
                seconds += missing * finished.values().stream()
                        .filter(found -> found.suite().equals(suite.getKey().name()))
                        .mapToDouble(MeasuredCase::seconds).average().orElse(expected);
            }
            long minutes = Math.round(seconds / 60);
            return minutes < 1
                    ? "less than 1 min"
                    : minutes < 60
                            ? "about " + minutes + " min"
                            : String.format(Locale.ROOT, "about %d h %02d min", minutes / 60, minutes % 60);
        }

        @Override
        public String toString() {
            return left() == 0
                    ? "All " + count() + " cases are finished; the pages are written again"
                    : finished.isEmpty()
                            ? count() + (count() == 1 ? " case" : " cases")
                            : finished.size() + " of " + count() + " cases are finished; going on";
        }
    }
}
