package dev.outcrop.cli.queue;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./outcrop queue}: what it does is in its commands. Without one it prints its help. */
@Command(name = "queue", description = {"Look into a queue, see to its files, or append to it.", ""}, subcommands = {
        VerifyCommand.class, RepairCommand.class, StatsCommand.class, DumpCommand.class, TailCommand.class,
        AppendCommand.class, GroupsCommand.class})
public final class QueueCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    /** For the command line parser. */
    public QueueCommand() {
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
