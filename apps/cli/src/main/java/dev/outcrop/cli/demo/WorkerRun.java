package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.ChildJvm;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Terminal;
import dev.outcrop.cli.demo.Proof.Difference;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Runs a program that takes the records one step further, in its own JVM. Shows the progress of the program, and kills it if asked to. */
final class WorkerRun {
    /**
     * A step on the way of the records.
     *
     * @param program   reports as {@link Report} describes
     * @param arguments its arguments except the last one, which is the record before which to wait for kill -9, or -1
     * @param verb      what it does with records, in the past tense
     * @param place     where the records are then
     */
    record Step(Class<?> program, List<String> arguments, String verb, String place) {
        private Process start(long waitAt) {
            List<String> all = new ArrayList<>(arguments);
            all.add(Long.toString(waitAt));
            return new ChildJvm(JVM_FLAGS, System.getProperty("java.class.path"), program.getName(), all).startPiped();
        }
    }

    /** These make short programs start faster. */
    private static final List<String> JVM_FLAGS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
    /** The exit code of a process that kill -9 has ended. */
    private static final int KILLED = 128 + 9;
    private static final int NEVER = -1;

    private final PrintWriter out;
    private final JdkClasses classes;
    private final Step step;
    /** How many records an earlier process has reported, if there was one. */
    private final OptionalInt promised;
    private final int killAt;
    private final Process process;
    private final String title;
    private @Nullable ProgressLine line;
    private int found;
    private int done;
    private long foundAt;
    private long doneAt;
    private boolean isKilled;

    private WorkerRun(PrintWriter out, JdkClasses classes, Step step, OptionalInt promised, int killAt) {
        this.out = out;
        this.classes = classes;
        this.step = step;
        this.promised = promised;
        this.killAt = killAt;
        // The process waits for the signal if it is faster than the signal: otherwise the second process might have nothing left to do.
        this.process = step.start(killAt == NEVER ? NEVER : classes.size() * 9L / 10);
        this.title = "  process " + process.pid();
    }

    /**
     * Runs a program, kills it after {@code killAt} records, and starts it again.
     *
     * @throws Difference if the second process does not find the records that the first process reported as done
     */
    static void runAndKill(PrintWriter out, JdkClasses classes, Step step, int killAt) {
        WorkerRun first = new WorkerRun(out, classes, step, OptionalInt.empty(), killAt);
        first.run();
        new WorkerRun(out, classes, step, OptionalInt.of(first.done), NEVER).run();
    }

    private void run() {
        int code;
        try {
            code = ChildJvm.follow(process, said -> hear(said.split(" ", -1), said));
        } finally {
            if (line != null) {
                line.close();
            }
        }
        end(code);
    }

    private void hear(String[] words, String said) {
        switch (words[0]) {
            case "found" -> begin(Integer.parseInt(words[1]));
            case "at" -> reached(Integer.parseInt(words[1]));
            case "waits" -> kill();
            case "differs" -> throw new Difference(said.substring("differs ".length()));
            case "failed" -> throw new Failure(
                    "process " + process.pid() + " failed: " + said.substring("failed ".length()));
            default -> out.println(said);
        }
    }

    private void begin(int records) {
        found = records;
        promised.ifPresent(reported -> {
            if (found < reported) {
                throw new Difference("process " + process.pid() + " finds " + found + " records in " + step.place
                        + ", but " + reported + " were reported to be there");
            }
            ProgressLine.print(out, title,
                    String.format(Locale.ROOT,
                            "finds %,d records in %s, and goes on behind them; %,d had been reported",
                            found, step.place, reported));
        });
        line = ProgressLine.start(out, title, classes.size());
        foundAt = System.nanoTime();
        reached(records);
    }

    private void reached(int records) {
        done = records;
        doneAt = System.nanoTime();
        if (line != null) {
            line.at(records);
        }
        if (killAt != NEVER && records >= killAt) {
            kill();
        }
    }

    private void kill() {
        if (!isKilled) {
            isKilled = true;
            boolean _ = process.toHandle().destroyForcibly();
        }
    }

    private void end(int code) {
        if (code != (isKilled ? KILLED : 0)) {
            throw new Failure("process " + process.pid() + " ended with exit code " + code + " after " + done + " of "
                    + classes.size() + " records");
        }
        if (!isKilled && done != classes.size()) {
            throw new Difference(
                    "there are " + done + " records in " + step.place + ", of " + classes.size() + " class files");
        }
        double seconds = (doneAt - foundAt) / 1e9;
        double megabytes = classes.bytes(found, done) / 1e6;
        ProgressLine.print(out, title,
                String.format(Locale.ROOT, "%s %,d records, %,.1f MB in %.2f s: %,.0f records/s, %,.0f MB/s", step.verb,
                        done - found, megabytes, seconds, (done - found) / seconds, megabytes / seconds));
        if (isKilled) {
            out.println(Terminal.styled("bold,red",
                    "  kill -9 " + process.pid() + ", with " + (classes.size() - done) + " records still to do"));
        }
    }
}
