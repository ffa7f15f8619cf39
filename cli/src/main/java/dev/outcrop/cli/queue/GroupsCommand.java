package dev.outcrop.cli.queue;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./outcrop queue groups}: what it does is in its commands. Without one it prints its help. */
@Command(name = "groups", description = {
        "List, create, move or delete the consumer groups of a queue that nobody has open for writing.",
        ""}, subcommands = {ListGroupsCommand.class, CreateGroupCommand.class, MoveGroupCommand.class,
                DeleteGroupCommand.class})
final class GroupsCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
