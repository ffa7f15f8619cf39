package dev.outcrop.benchmarks.harness;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What a suite needs while it runs: how hard to try, where to put files, and where to report.
 *
 * @param effort    how much time every number gets
 * @param directory for databases, libraries and executables; exists
 * @param only      cases are run if one of these texts is part of their label; empty for all
 * @param seed      of whatever is random and need not be the same in each run, such as the order of sides
 * @param out       for progress, a line for each finished case
 */
public record Lab(Effort effort, Path directory, List<String> only, long seed, PrintWriter out) {
    /**
     * Whether the user asked for a case.
     *
     * @param label how the case is called in the table
     * @return true if it is to be run
     */
    public boolean wants(String label) {
        return only.isEmpty() || only.stream().anyMatch(label::contains);
    }

    /**
     * Makes a probe of a benchmark method.
     *
     * @param type    JMH class
     * @param method  its method
     * @param threads how many threads run it at once
     * @param jvmArgs arguments of the forked JVM, besides those that all forks get
     * @return measures in a JVM of its own
     */
    public Probe fork(Class<?> type, String method, int threads, List<String> jvmArgs) {
        return new JmhFork(type, method, threads, jvmArgs, effort);
    }

    /**
     * The same lab for long operations.
     *
     * @return with the effort that is {@linkplain Effort#patient() patient}
     */
    public Lab patient() {
        return new Lab(effort.patient(), directory, only, seed, out);
    }

    /**
     * Reports a finished case.
     *
     * @param row its result
     */
    public void finished(Row row) {
        say(String.format(Locale.ROOT, "%s: %s: %,.1f %s, %s %,.1f: %.2f", row.label(), row.subject(),
                row.ours().nanos(), row.unit(),
                row.peerName(), row.peer(), row.ratio()));
    }

    /**
     * Prints a line.
     *
     * @param line without line end
     */
    public void say(String line) {
        out.println(line);
        out.flush();
    }
}
