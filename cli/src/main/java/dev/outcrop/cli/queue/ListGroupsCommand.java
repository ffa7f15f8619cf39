package dev.outcrop.cli.queue;

import dev.outcrop.queue.Lag;
import dev.outcrop.queue.Queue;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue groups list}. */
@Command(name = "list", description = {
        "Show each group: up to where all records are acknowledged, and what is not, in records, bytes and time.",
        ""})
final class ListGroupsCommand extends GroupsAction {
    private record Line(String name, long position, Lag lag) {
    }

    @Override
    void act(Queue queue, PrintWriter out) {
        List<Line> lines = queue.groups().stream().map(queue::group)
                .map(group -> new Line(group.name(), group.position(), group.lag())).toList();
        out.println(Table.of(lines, List.of(Table.names("Group", Line::name),
                Table.numbers("Acknowledged before", Line::position),
                Table.numbers("Lag", line -> line.lag.records()), Table.numbers("Bytes", line -> line.lag.bytes()),
                Table.numbers("Seconds", line -> line.lag.time().toSeconds()))));
    }
}
