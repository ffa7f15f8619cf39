package dev.outcrop.cli.common;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that only holds other commands. Without one of them it prints its usage on the standard error, and ends with 2. */
public abstract class CommandGroup implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    /** For the command line parser. */
    protected CommandGroup() {
    }

    @Override
    public final Integer call() {
        CommandLine command = spec.commandLine();
        command.usage(command.getErr());
        command.getErr().flush();
        return CommandLine.ExitCode.USAGE;
    }
}
