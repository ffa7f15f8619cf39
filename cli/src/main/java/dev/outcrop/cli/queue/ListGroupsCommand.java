package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Json;
import dev.outcrop.queue.Lag;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.queue.QueueLockedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue groups list}. */
@Command(name = "list", description = {
        "Show each group: up to where all records are acknowledged, and what is not, in records, bytes and time.",
        "Also beside a process that writes: then it is what is on the disk at that moment.", ""}, footer = {"",
                "  ./outcrop queue groups list orders"})
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
        show(queue.groups().stream().map(queue::group)
                .map(group -> new Line(group.name(), group.position(), group.lag())).toList(), out);
    }

    @Override
    void actBesideWriter(Path directory, QueueLockedException writer, PrintWriter out) {
        besideWriter(writer);
        show(QueueFiles.survey(directory).groups().stream()
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
