package dev.outcrop.benchmarks.harness;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The environment of a run: the effort, the directory, the engine, and the output. */
public final class Lab {
    private static final String PROCESS = "process";

    private final Effort effort;
    private final Path directory;
    private final List<String> only;
    private final long seed;
    private final PrintWriter out;
    private final Map<List<String>, Optional<Path>> compiled = new HashMap<>();
    private @Nullable Database database;

    /**
     * Creates a lab.
     *
     * @param effort    how much time every number gets
     * @param directory for databases, libraries and executables; exists
     * @param only      cases are run if one of these texts is part of their label; empty for all
     * @param seed      of whatever is random and need not be the same in each run, such as the order of sides
     * @param out       for progress, a line for each finished row
     */
    public Lab(Effort effort, Path directory, List<String> only, long seed, PrintWriter out) {
        this.effort = effort;
        this.directory = directory;
        this.only = List.copyOf(only);
        this.seed = seed;
        this.out = out;
    }

    /**
     * How much time every number gets.
     *
     * @return as the user has chosen
     */
    public Effort effort() {
        return effort;
    }

    /**
     * The directory for what a case writes.
     *
     * @return a directory that does not exist when a case begins, and is deleted when it ends
     */
    public Path data() {
        return directory.resolve("data");
    }

    /**
     * The engine that all sides load, and {@link #data()} as the place of their database.
     *
     * @return installed at the first call
     * @throws BenchmarkException if the engine cannot be copied
     */
    public Database database() {
        if (database == null) {
            database = Database.in(directory, data());
        }
        return database;
    }

    /**
     * Tells whether the user asked for a case.
     *
     * @param label how the case is called in the table
     * @return true if it is to be run
     */
    public boolean wants(String label) {
        return only.isEmpty() || only.stream().anyMatch(label::contains);
    }

    /**
     * Starts a contest of this run.
     *
     * @return without sides
     */
    public Contest contest() {
        return new Contest(seed);
    }

    /**
     * Measures sides that take turns in one process.
     *
     * @param process has a figure for each of them
     * @param starts  how often the process is started in a full run; once in a quick one
     * @return the figures
     */
    public Figures measure(Probe process, int starts) {
        return contest().add(PROCESS, process).run(effort.isQuick() ? 1 : starts).of(PROCESS);
    }

    /**
     * A C program of this module, compiled with {@code cc -O2} when it is needed first. A machine without a C compiler is no error: there
     * is no limit to compare with then, and the run says so once.
     *
     * @param name  file name of the source, without {@code .c}
     * @return the program, or empty if it cannot be compiled on this machine
     */
    public Optional<CProgram> program(String name) {
        return compile(name, name, "-O2").map(CProgram::new);
    }

    /**
     * A C program that is compiled with {@code cc -O3} for the processor of this machine, as the JVM compiles its own.
     *
     * @param name file name of the source, without {@code .c}
     * @return the program, or empty if it cannot be compiled on this machine
     */
    public Optional<CProgram> programForThisMachine(String name) {
        String processor = System.getProperty("os.arch", "").equals("aarch64") ? "-mcpu=native" : "-march=native";
        return compile(name, name, "-O3", processor).map(CProgram::new);
    }

    /**
     * Functions in C that a JVM loads.
     *
     * @param name file name of the source, without {@code .c}
     * @return the library, or null if it cannot be compiled on this machine
     */
    public @Nullable Path library(String name) {
        return compile(name, System.mapLibraryName(name), "-O2", "-shared", "-fPIC").orElse(null);
    }

    private Optional<Path> compile(String name, String result, String... flags) {
        return compiled.computeIfAbsent(List.of(name, result), _ -> {
            try {
                return Optional.of(CProgram.compile(name, directory.resolve("c"), result, List.of(flags)));
            } catch (BenchmarkException e) {
                say("no limit: the C program cannot be compiled (" + e.getMessage() + ")");
                return Optional.empty();
            }
        });
    }

    /** Deletes what a case left behind, also one of a run that was killed. */
    void clear() {
        Directories.delete(data());
    }

    /** Prints how to repeat the order of the sides. */
    void sayOrder() {
        say("The order of the sides in each round follows from --seed " + seed);
    }

    /**
     * Reports a finished case.
     *
     * @param row its result
     */
    public void finished(Row row) {
        say(String.format(Locale.ROOT, "%s: %s: %,.1f %s, %s %,.1f: %.2f", row.label(), row.subject(),
                row.ours().median(), row.unit(), row.peerName(), row.peer(), row.ratio()));
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
