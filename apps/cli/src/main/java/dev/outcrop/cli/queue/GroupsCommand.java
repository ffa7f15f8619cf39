package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.CommandGroup;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Table;
import dev.outcrop.queue.Lag;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.queue.QueueLockedException;
import dev.outcrop.queue.QueueOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop queue groups}, with its commands. */
@Command(name = "groups", description = {
        "List the consumer groups of a queue; or create, move or delete them, while no process has it open for writing.",
        ""}, subcommands = {GroupsCommand.ListCommand.class, GroupsCommand.CreateCommand.class,
                GroupsCommand.MoveCommand.class,
                GroupsCommand.DeleteCommand.class})
final class GroupsCommand extends CommandGroup {
    /** A command for the groups of an existing queue. */
    abstract static class GroupAction extends QueueAction {
        @Override
        protected final int act(PrintWriter out) {
            // Fails if there is no queue. Opening would create one.
            Set<String> _ = QueueFiles.tailers(directory());
            // Only the queue's own program knows how long records must be kept, so this command deletes none.
            try (Queue queue = Queue.open(directory(),
                    new QueueOptions().keepBytes(Long.MAX_VALUE).backgroundThread(false))) {
                act(queue, out);
            } catch (QueueLockedException e) {
                actBesideWriter(e, out);
            }
            return 0;
        }

        /** Does the work that is possible while another process writes. Commands that change groups cannot do anything then. */
        void actBesideWriter(QueueLockedException writer, PrintWriter out) {
            throw writer;
        }

        /** Does the work. */
        abstract void act(Queue queue, PrintWriter out);

        /** Refuses the name of a group that does not exist. */
        static void requireGroup(Queue queue, String name) {
            if (!queue.groups().contains(name)) {
                throw new Failure("There is no group '" + name + "' in " + queue.directory() + ", which has "
                        + (queue.groups().isEmpty() ? "none" : String.join(", ", queue.groups())));
            }
        }
    }

    /** {@code ./outcrop queue groups list}. */
    @Command(name = "list", description = {
            "Show each group: the offset up to which all records are acknowledged, and its lag in records, bytes and time.",
            "Also works beside a process that writes, and then shows the state of the files.", ""}, footer = {"",
                    "  ./outcrop queue groups list orders"})
    static final class ListCommand extends GroupAction {
        @Option(names = "--json", description = "A JSON object a line.")
        private boolean json;

        private record Line(String name, long position, Lag lag) {
            String asJson() {
                return Json.line(Json.fields("group", name,
                        "acknowledgedBefore", position,
                        "lag", lag.records(),
                        "lagBytes", lag.bytes(),
                        "lagSeconds", lag.time().toSeconds()));
            }
        }

        @Override
        void act(Queue queue, PrintWriter out) {
            show(queue.groups().stream().map(queue::group)
                    .map(group -> new Line(group.name(), group.position(), group.lag())).toList(), out);
        }

        @Override
        void actBesideWriter(QueueLockedException writer, PrintWriter out) {
            warnOfWriter(writer);
            show(QueueFiles.survey(directory()).groups().stream()
                    .map(group -> new Line(group.name(), group.position(), group.lag())).toList(), out);
        }

        private void show(List<Line> lines, PrintWriter out) {
            if (json) {
                lines.forEach(line -> out.println(line.asJson()));
                return;
            }
            if (lines.isEmpty()) {
                out.println("no groups");
                return;
            }
            out.println(Table.of(lines, List.of(Table.names("Group", Line::name),
                    Table.numbers("Acknowledged before", Line::position),
                    Table.numbers("Lag", line -> line.lag.records()), Table.numbers("Bytes", line -> line.lag.bytes()),
                    Table.numbers("Seconds", line -> line.lag.time().toSeconds()))));
        }
    }

    /** {@code ./outcrop queue groups create}. */
    @Command(name = "create", description = {
            "Create a group, which begins with the first record that is kept; 'move' moves it.",
            "From then on, the queue keeps all records that the group has not acknowledged.", ""}, footer = {"",
                    "  ./outcrop queue groups create orders billing"})
    static final class CreateCommand extends GroupAction {
        @Parameters(index = "1", paramLabel = "GROUP", description = "The name of the new group.")
        private String name = "";

        @Override
        void act(Queue queue, PrintWriter out) {
            if (queue.groups().contains(name)) {
                throw new Failure("There is a group '" + name + "' in " + queue.directory() + " already");
            }
            try {
                out.println("group " + name + " begins with record " + queue.group(name).position());
            } catch (IllegalArgumentException e) {
                throw new Failure(String.valueOf(e.getMessage()));
            }
        }
    }

    /** {@code ./outcrop queue groups move}. */
    @Command(name = "move", description = {
            "Move a group to a record: records before it count as acknowledged, this one and later ones do not.",
            ""}, footer = {"", "  ./outcrop queue groups move orders billing 2026-11-24T10:15:30Z"})
    static final class MoveCommand extends GroupAction {
        @Parameters(index = "1", paramLabel = "GROUP", description = "Its name.")
        private String name = "";

        @Parameters(index = "2", paramLabel = "TO", description = {"'first': the first record that is kept;",
                "'last': behind the last record, so the group gets only new records;",
                "a number: the record of that offset;",
                "a time such as 2026-11-24T10:15:30Z: the first record that was appended then or later."})
        private String to = "";

        @Override
        void act(Queue queue, PrintWriter out) {
            SeekTarget target = SeekTarget.of(spec(), "TO", to);
            requireGroup(queue, name);
            try {
                out.println("group " + name + " goes on with record " + target.seek(queue.group(name)));
            } catch (IllegalArgumentException e) {
                throw new Failure(String.valueOf(e.getMessage()));
            }
        }
    }

    /** {@code ./outcrop queue groups delete}. */
    @Command(name = "delete", description = {
            "Delete a group with its acknowledgements. The queue no longer keeps records for it.", ""}, footer = {
                    "", "  ./outcrop queue groups delete orders billing"})
    static final class DeleteCommand extends GroupAction {
        @Parameters(index = "1", paramLabel = "GROUP", description = "Its name.")
        private String name = "";

        @Override
        void act(Queue queue, PrintWriter out) {
            requireGroup(queue, name);
            queue.deleteGroup(name);
            out.println("group " + name + " is deleted");
        }
    }
}
