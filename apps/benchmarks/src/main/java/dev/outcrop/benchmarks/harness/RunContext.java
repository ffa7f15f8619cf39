package dev.outcrop.benchmarks.harness;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The environment of a run: the length of the run, the directory, the engine, and the output. */
public final class RunContext {
    private static final String PROCESS = "process";

    private final RunLength runLength;
    private final Path directory;
    private final List<String> only;
    private final long seed;
    private final PrintWriter out;
    private final Map<List<String>, Optional<Path>> compiled = new HashMap<>();
    private @Nullable Database database;

    /**
     * Creates the environment of a run in an existing directory. A case runs if one of the {@code only} texts is part of its label, or if
     * there are no such texts. The seed decides the order of the sides, and everything else that is random.
     */
    public RunContext(RunLength runLength, Path directory, List<String> only, long seed, PrintWriter out) {
        this.runLength = runLength;
        this.directory = directory;
        this.only = List.copyOf(only);
        this.seed = seed;
        this.out = out;
    }

    public RunLength runLength() {
        return runLength;
    }

    /** Returns the directory for the files of a case. It does not exist when the case begins, and is deleted when the case ends. */
    public Path data() {
        return directory.resolve("data");
    }

    /** Returns the engine that all sides load, with {@link #data()} as the directory of their database. */
    public Database database() {
        if (database == null) {
            database = Database.in(directory, data());
        }
        return database;
    }

    /** Returns whether the user asked for the case with this label. */
    public boolean wants(String label) {
        return only.isEmpty() || only.stream().anyMatch(label::contains);
    }

    /** Returns a comparison without sides. */
    public ProcessComparison comparison() {
        return new ProcessComparison(seed);
    }

    /**
     * Measures sides that take turns in one process. The process has a figure for each side. A full run starts the process {@code starts}
     * times, a shorter run less often.
     */
    public Figures measure(BenchmarkProcess process, int starts) {
        return comparison().add(PROCESS, process).run(runLength.starts(starts)).of(PROCESS);
    }

    /**
     * Compiles a C program of this module with {@code cc -O2}. Returns an empty optional on a machine without a C compiler. Then there is
     * no limit to compare with, and the run reports this once.
     */
    public Optional<CProgram> program(String name) {
        return compile(name, name, "-O2").map(CProgram::new);
    }

    /** Compiles a C program with {@code cc -O3} for the processor of this machine. The JVM also compiles its code for this processor. */
    public Optional<CProgram> programForThisMachine(String name) {
        String processor = System.getProperty("os.arch", "").equals("aarch64") ? "-mcpu=native" : "-march=native";
        return compile(name, name, "-O3", processor).map(CProgram::new);
    }

    /** Compiles C functions into a library for a JVM; returns null if that is not possible on this machine. */
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

    /** Deletes the files that a case left behind, even a case of a killed run. */
    void clear() {
        Directories.delete(data());
    }

    /** Prints how to repeat the order of the sides. */
    void sayOrder() {
        say("The order of the sides in each round follows from --seed " + seed);
    }

    /** Prints the result of a finished case. */
    public void finished(Row row) {
        say(String.format(Locale.ROOT, "%s: %s: %,.1f %s, %s %,.1f: %.2f", row.label(), row.subject(),
                row.ours().median(), row.unit(), row.peerName(), row.peer(), row.ratio()));
    }

    public void say(String line) {
        out.println(line);
        out.flush();
    }
}
