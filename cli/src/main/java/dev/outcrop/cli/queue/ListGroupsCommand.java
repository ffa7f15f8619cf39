package dev.outcrop.cli.queue;

import dev.outcrop.cli.db.Json;
import dev.outcrop.queue.Lag;
import dev.outcrop.queue.Queue;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue groups list}. */
@Command(name = "list", description = {
        "Show each group: up to where all records are acknowledged, and what is not, in records, bytes and time.",
        ""}, footer = {"", "  ./outcrop queue groups list orders"})
final class ListGroupsCommand extends GroupsAction {
    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    private record Line(String name, long position, Lag lag) {
        String asJson() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("group", name);
            fields.put("acknowledgedBefore", position);
            fields.put("lag", lag.records());
            fields.put("lagBytes", lag.bytes());
            fields.put("lagSeconds", lag.time().toSeconds());
            return Json.line(fields);
        }
    }

    @Override
    void act(Queue queue, PrintWriter out) {
        List<Line> lines = queue.groups().stream().map(queue::group)
                .map(group -> new Line(group.name(), group.position(), group.lag())).toList();
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
