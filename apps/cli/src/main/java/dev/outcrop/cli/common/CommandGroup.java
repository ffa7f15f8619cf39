package dev.outcrop.cli.common;

import java.io.PrintWriter;
import picocli.CommandLine;

/** A command that only holds other commands. Without a subcommand, it prints its usage on the standard error and ends with 2. */
public abstract class CommandGroup extends Subcommand {
    @Override
    protected final int act(PrintWriter out) {
        spec().commandLine().usage(err());
        err().flush();
        return CommandLine.ExitCode.USAGE;
    }
}
