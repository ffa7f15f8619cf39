package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.CommandGroup;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue}, with its commands. */
@Command(name = "queue", description = {"Look into a queue, see to its files, or append to it.", ""}, subcommands = {
        QueueVerifyCommand.class, QueueRepairCommand.class, QueueStatsCommand.class, DumpCommand.class,
        TailCommand.class,
        AppendCommand.class, GroupsCommand.class})
public final class QueueCommand extends CommandGroup {
}
