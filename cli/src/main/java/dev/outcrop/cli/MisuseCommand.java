package dev.outcrop.cli;

import dev.outcrop.cli.common.ChildJvm;
import dev.outcrop.cli.common.Installation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop misuse}: hands its arguments to a program of the module {@code benchmarks}, which has the peer. */
@Command(name = "misuse", description = "Use what was closed, here and in rocksdbjni: misuse [--report FILE].")
final class MisuseCommand implements Callable<Integer> {
    private static final String MAIN_CLASS = "dev.outcrop.benchmarks.misuse.UseAfterClose";

    @Parameters(paramLabel = "ARGUMENT", description = "See 'misuse --help'.")
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        return new ChildJvm(List.of(), Installation.benchmarksClassPath(), MAIN_CLASS, arguments).run();
    }
}
