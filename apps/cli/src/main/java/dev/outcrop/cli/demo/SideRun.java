package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.ChildJvm;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Installation;
import dev.outcrop.cli.demo.PhaseResult.Phase;
import dev.outcrop.cli.demo.Proof.Difference;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs one side in its own JVM and follows its output, in the lines that {@link Report} describes. */
final class SideRun {
    /** One of the programs that are compared. Ours and the peer's are in the module {@code benchmarks}, which has both libraries. */
    record Side(String name, String mainClass, String classPath) {
        /**
         * The suffix of the directory of a side's database for warming up. It is added to the name of the measured database's directory.
         */
        static final String WARM_UP_SUFFIX = ".warm-up";

        private static final String PROGRAMS = "dev.outcrop.benchmarks.demo.";

        static Side outcrop() {
            return new Side("outcrop", PROGRAMS + "OutcropDemo", Installation.benchmarksClassPath());
        }

        static Side rocksdbjni() {
            return new Side("rocksdbjni", PROGRAMS + "RocksJavaDemo", Installation.benchmarksClassPath());
        }
    }

    /** The flags of every side. All other flags are the JDK's defaults, as in most programs. */
    static final List<String> JVM_FLAGS = List.of("-Xms512m", "-Xmx512m");

    private final Side side;
    private final String title;
    private final PrintWriter out;
    private final Map<Phase, PhaseResult> results = new EnumMap<>(Phase.class);
    private @Nullable PhaseInProgress current;

    private record PhaseInProgress(Phase phase, long records, long bytes, Histogram latencies, ProgressLine line) {
    }

    /** Prepares a run of a side. The title begins its progress lines. */
    SideRun(Side side, String title, PrintWriter out) {
        this.side = side;
        this.title = title;
        this.out = out;
    }

    /**
     * Runs all phases in a new database, with the records of a file, and returns the results.
     *
     * @throws Difference if a byte differs
     * @throws Failure    if anything else goes wrong
     */
    Map<Phase, PhaseResult> run(Path database, Path input, long seed, String options) {
        List<String> arguments = List.of(database.toString(), input.toString(), Long.toString(seed), options);
        Process process = new ChildJvm(JVM_FLAGS, side.classPath(), side.mainClass(), arguments).startPiped();
        int code;
        try {
            code = ChildJvm.follow(process, this::follow);
        } finally {
            closeLine();
        }
        if (code != 0 || results.size() != Phase.values().length) {
            throw new Failure("the program of " + side.name() + " ended with exit code " + code + " after "
                    + results.size() + " of " + Phase.values().length + " phases");
        }
        return results;
    }

    private void follow(String line) {
        String[] words = line.split(" ", 2);
        String rest = words.length == 2 ? words[1] : "";
        switch (words[0]) {
            case "phase" -> begin(rest.split(" ", -1));
            case "at" -> inProgress().line.at(Long.parseLong(rest));
            case "latencies" -> record(rest);
            case "done" -> end(rest.split(" ", -1));
            case "differs" -> throw new Difference(rest + ", in " + side.name());
            case "failed" -> throw new Failure("the program of " + side.name() + " failed: " + rest);
            default -> out.println(line);
        }
    }

    private void begin(String[] words) {
        Phase phase = Phase.valueOf(words[0].toUpperCase(Locale.ROOT));
        long records = Long.parseLong(words[1]);
        ProgressLine line = ProgressLine.start(out, title + phase.title(), records);
        current = new PhaseInProgress(phase, records, Long.parseLong(words[2]), new Histogram(3), line);
    }

    private void record(String numbers) {
        Histogram latencies = inProgress().latencies;
        for (String nanos : numbers.split(" ", -1)) {
            latencies.recordValue(Long.parseLong(nanos));
        }
    }

    private void end(String[] words) {
        PhaseInProgress done = inProgress();
        PhaseResult result = new PhaseResult(done.phase, done.records, done.bytes, Long.parseLong(words[0]),
                Long.parseLong(words[1]), done.latencies);
        results.put(done.phase, result);
        done.line.done(String.format(Locale.ROOT, "%,d records, %,.1f MB, %.2f s", result.records(),
                result.bytes() / 1e6, result.seconds()));
        current = null;
    }

    private PhaseInProgress inProgress() {
        if (current == null) {
            throw new Failure("the program of " + side.name() + " spoke out of turn");
        }
        return current;
    }

    private void closeLine() {
        if (current != null) {
            current.line.close();
        }
    }
}
