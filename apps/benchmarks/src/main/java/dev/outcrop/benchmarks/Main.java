package dev.outcrop.benchmarks;

import dev.outcrop.benchmarks.calls.CallCase;
import dev.outcrop.benchmarks.comparator.ComparatorCase;
import dev.outcrop.benchmarks.dropin.DropinCase;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.DirectoryLock;
import dev.outcrop.benchmarks.harness.Report;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Suite;
import dev.outcrop.benchmarks.jruby.JRubySuite;
import dev.outcrop.benchmarks.lmdb.LmdbCase;
import dev.outcrop.benchmarks.merge.MergeCase;
import dev.outcrop.benchmarks.paired.PairedCase;
import dev.outcrop.benchmarks.pins.PinsCase;
import dev.outcrop.benchmarks.pipeline.PipelineCase;
import dev.outcrop.benchmarks.queue.QueueSuite;
import dev.outcrop.benchmarks.report.CompareCommand;
import dev.outcrop.benchmarks.report.ReportCommand;
import dev.outcrop.benchmarks.start.StartCase;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the named suites, or all suites, and prints a table for each. */
@Command(name = "./outcrop bench", sortOptions = false, description = {
        "Measures Outcrop against its peers and C, on the same engine and data.",
        "On a busy machine trust the ratios, not the nanoseconds.",
        "Suites, with how long they take, and the memory and disk they need:",
        "  calls       native calls, against the JDK's own way; 10 min",
        "  paired      reads, scans and writes, against rocksdbjni; 110 min, 2 GB, 1 GB",
        "  comparator  orders of keys in Java, against rocksdbjni; 30 min",
        "  merge       merge operators in Java, against rocksdbjni; 10 min",
        "  dropin      org.rocksdb on ours, against the published jar; 15 min, 2 GB, 1 GB",
        "  pins        reads beside pinned values, with and without budget; 5 min",
        "  queue       the queue, against Chronicle Queue; 25 min, 3 GB, 12 GB",
        "  pipeline    a queue into RocksDB, against Chronicle Queue; 10 min, 2 GB, 1 GB",
        "  lmdb        gets and scans of data in memory, against LMDB; 4 min, 1 GB, 1 GB",
        "  start       time and memory to the first get, against rocksdbjni; 4 min",
        "  jruby       the gem, against Ruby's own queues; 15 min, 2 GB, 1 GB"}, synopsisSubcommandLabel = "[report | compare]")
public final class Main implements Callable<Integer> {
    private static final List<Suite> SUITES = List.of(CallCase.suite(), PairedCase.suite(), ComparatorCase.suite(),
            MergeCase.suite(), DropinCase.suite(), PinsCase.suite(), QueueSuite.suite(), PipelineCase.suite(),
            LmdbCase.suite(), StartCase.suite(), JRubySuite.suite());

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "SUITE", arity = "0..*", description = "What to run; everything if nothing is named.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--quick", description = "A part of the cases, roughly: 1 to 10 min a suite.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results to a file too: an array of rows.")
    private @Nullable Path json;

    @Option(names = "--plots", paramLabel = "DIR", description = "Draw results as PNG too (paired, pins, queue, jruby).")
    private @Nullable Path plots;

    @Option(names = "--only", paramLabel = "TEXT", description = "Only cases with this text in their names; repeatable.")
    private List<String> only = List.of();

    @Option(names = "--seed", paramLabel = "NUMBER", description = "Of the order of the sides in each round. Default: a new one.")
    private @Nullable Long seed;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    private final @Nullable RunLength runLength;
    private final @Nullable Path work;

    private Main(@Nullable RunLength runLength, @Nullable Path work) {
        this.runLength = runLength;
        this.work = work;
    }

    /** Runs the program and ends the JVM with its exit code: 0, 1 if a benchmark failed, 2 for wrong arguments. */
    public static void main(String[] args) {
        endChildrenAtTheEnd();
        System.exit(run(null, null, new PrintWriter(System.out, true, System.out.charset()),
                new PrintWriter(System.err, true, System.err.charset()), args));
    }

    /** A signal must not leave a benchmark running. */
    static void endChildrenAtTheEnd() {
        Runtime.getRuntime().addShutdownHook(
                new Thread(() -> ProcessHandle.current().children().forEach(ProcessHandle::destroy)));
    }

    /** Runs the program. Tests set the length of the run and a work directory; there are no options for these. */
    static int run(@Nullable RunLength runLength, @Nullable Path work, PrintWriter out, PrintWriter err,
            String... args) {
        return new CommandLine(new Main(runLength, work))
                .addSubcommand(new ReportCommand(SUITES, runLength, work)).addSubcommand(new CompareCommand())
                .setOut(out).setErr(err)
                .setParameterExceptionHandler(Main::onWrongUsage)
                .setExecutionExceptionHandler((e, command, result) -> {
                    if (!(e instanceof BenchmarkException)) {
                        throw e;
                    }
                    err.println("outcrop: " + e.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args);
    }

    /** Reports wrong arguments in one line, as the command line does. */
    public static int onWrongUsage(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        command.getErr().println(
                "outcrop: " + e.getMessage() + " (see '" + command.getCommandSpec().qualifiedName() + " --help')");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws IOException {
        List<Suite> suites = suites();
        requireWritable(json);
        requireDirectory(plots);
        Path directory = work != null ? work : Directories.work();
        try (DirectoryLock _ = DirectoryLock.takeWork(directory)) {
            run(suites, new RunContext(
                    runLength != null ? runLength : quick ? RunLength.quick() : RunLength.full(), directory, only,
                    seed != null ? seed : System.nanoTime(),
                    Objects.requireNonNull(spec).commandLine().getOut()));
        }
        return CommandLine.ExitCode.OK;
    }

    private void run(List<Suite> suites, RunContext context) throws IOException {
        List<Row> all = new ArrayList<>();
        for (Suite suite : suites) {
            List<Row> rows = suite.run(context);
            if (rows.isEmpty()) {
                if (suite.wanted(context).isEmpty()) {
                    context.say(suite.name() + ": there is no case whose name contains '"
                            + String.join("' or '", only) + "'");
                }
                continue;
            }
            all.addAll(rows);
            if (json != null) {
                // Write after every suite, so that an hour's results survive if the next suite fails.
                Report.writeJson(all, json);
            }
            context.say("");
            context.say(suite.name() + ", in nanoseconds an operation"
                    + (rows.stream().allMatch(row -> row.unit().equals(Row.UNIT)) ? ":" : " or as the case says:"));
            context.say(Report.table(rows));
            if (plots != null) {
                suite.plot().draw(rows, plots).forEach(file -> context.say("drawn: " + file));
            }
            context.say(Report.summary(suite.peer(), rows));
        }
    }

    private List<Suite> suites() {
        List<Suite> chosen = new ArrayList<>();
        for (String name : new LinkedHashSet<>(names)) {
            chosen.add(SUITES.stream().filter(suite -> suite.name().equals(name)).findFirst()
                    .orElseThrow(() -> wrong("There is no suite '" + name + "'. The suites are: "
                            + SUITES.stream().map(Suite::name).collect(Collectors.joining(", ")))));
        }
        return chosen.isEmpty() ? SUITES : chosen;
    }

    private void requireWritable(@Nullable Path file) {
        if (file == null) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw wrong("Cannot write the results to " + file + ": it is a directory");
        }
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
            throw wrong("Cannot write the results to " + file + ": its directory does not exist or is not writable");
        }
    }

    private void requireDirectory(@Nullable Path directory) {
        if (directory != null && !(Files.isDirectory(directory) && Files.isWritable(directory))) {
            throw wrong("Cannot draw into " + directory + ": it is not a directory or not writable");
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }
}
