package dev.outcrop.cli;

import dev.outcrop.cli.common.ChildJvm;
import dev.outcrop.cli.common.Installation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command that passes its arguments, including options, to a program of the module {@code benchmarks}, which has the peers. */
abstract class BenchmarksCommand implements Callable<Integer> {
    private final String mainClass;

    @Parameters(paramLabel = "ARGUMENT", description = "See '${COMMAND-NAME} --help'.")
    private List<String> arguments = new ArrayList<>();

    private BenchmarksCommand(String mainClass) {
        this.mainClass = mainClass;
    }

    @Override
    public Integer call() {
        return new ChildJvm(List.of(), Installation.benchmarksClassPath(), mainClass, arguments).run();
    }

    /** {@code ./outcrop bench}. */
    @Command(name = "bench", description = "Measure against the peers and C: bench [SUITE...] [--quick] [--json FILE].")
    static final class Bench extends BenchmarksCommand {
        Bench() {
            super("dev.outcrop.benchmarks.Main");
        }
    }

    /** {@code ./outcrop misuse}. */
    @Command(name = "misuse", description = "Use what was closed, here and in rocksdbjni: misuse [--report FILE].")
    static final class Misuse extends BenchmarksCommand {
        Misuse() {
            super("dev.outcrop.benchmarks.misuse.UseAfterClose");
        }
    }
}
