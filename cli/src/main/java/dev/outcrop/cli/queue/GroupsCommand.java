package dev.outcrop.cli.queue;

import dev.outcrop.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue groups}: what it does is in its commands. */
@Command(name = "groups", description = {
        "List, create, move or delete the consumer groups of a queue that nobody has open for writing.",
        ""}, subcommands = {ListGroupsCommand.class, CreateGroupCommand.class, MoveGroupCommand.class,
                DeleteGroupCommand.class})
final class GroupsCommand extends CommandGroup {
}
