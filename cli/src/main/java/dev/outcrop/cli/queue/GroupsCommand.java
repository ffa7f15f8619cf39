package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.CommandGroup;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue groups}: what it does is in its commands. */
@Command(name = "groups", description = {
        "List the consumer groups of a queue; or create, move or delete them, while nobody has it open for writing.",
        ""}, subcommands = {ListGroupsCommand.class, CreateGroupCommand.class, MoveGroupCommand.class,
                DeleteGroupCommand.class})
final class GroupsCommand extends CommandGroup {
}
