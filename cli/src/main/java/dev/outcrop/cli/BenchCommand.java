package dev.outcrop.cli;

import dev.outcrop.cli.common.ChildJvm;
import dev.outcrop.cli.common.Installation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop bench}: hands its arguments, options included, to the program of the module {@code benchmarks}. */
@Command(name = "bench", description = "Measure against the peers and C: bench [SUITE...] [--quick] [--json FILE].")
final class BenchCommand implements Callable<Integer> {
    private static final String MAIN_CLASS = "dev.outcrop.benchmarks.Main";

    @Parameters(paramLabel = "ARGUMENT", description = "See 'bench --help'.")
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        return new ChildJvm(List.of(), Installation.benchmarksClassPath(), MAIN_CLASS, arguments).run();
    }
}
