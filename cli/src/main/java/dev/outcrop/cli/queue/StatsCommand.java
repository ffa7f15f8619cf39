package dev.outcrop.cli.queue;

import dev.outcrop.cli.Failure;
import dev.outcrop.cli.db.Json;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue stats}. */
@Command(name = "stats", description = {
        "Count a queue's segments and records, and what each of its groups has still to do.",
        "Reads all of it, so nobody may have it open for writing.", ""}, footer = {"",
                "  ./outcrop queue stats orders"})
final class StatsCommand extends QueueAction {
    private static final int WIDTH = 12;

    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    int act(Path queue, PrintWriter out) {
        QueueCheck check = QueueFiles.verify(queue);
        if (!check.isSound()) {
            throw new Failure("the queue " + queue + " is damaged; './outcrop queue verify " + queue + "' shows where");
        }
        List<QueueCheck.Segment> segments = check.segments();
        QueueCheck.Slot slot = check.slots().getFirst();
        long next = segments.isEmpty() ? slot.synced() : segments.getLast().endOffset();
        // Those of the first segment before this one are there, but nobody is given them any more.
        long first = Math.max(slot.retired(), segments.isEmpty() ? next : segments.getFirst().baseOffset());
        // After a power cut, more may have been given back than is left.
        next = Math.max(next, first);
        if (json) {
            out.println(Json.line(asMap(check, slot, first, next)));
            return 0;
        }
        line(out, "segments", Table.number(segments.size()) + " of " + Table.number(slot.segmentSize()) + " bytes");
        line(out, "records", Table.number(next - first) + ", from " + first + " on; the next one is " + next);
        line(out, "withdrawn", Table.number(sum(segments, QueueCheck.Segment::withdrawn)) + " of them");
        line(out, "bytes", Table.number(sum(segments, QueueCheck.Segment::bytes)));
        line(out, "on the disk", "before " + slot.synced());
        if (!check.groups().isEmpty()) {
            out.println(groups(check.groups(), first, next));
        }
        return 0;
    }

    private static Map<String, Object> asMap(QueueCheck check, QueueCheck.Slot slot, long first, long next) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("path", check.directory().toString());
        fields.put("segments", check.segments().size());
        fields.put("segmentBytes", slot.segmentSize());
        fields.put("records", next - first);
        fields.put("firstOffset", first);
        fields.put("nextOffset", next);
        fields.put("withdrawn", sum(check.segments(), QueueCheck.Segment::withdrawn));
        fields.put("bytes", sum(check.segments(), QueueCheck.Segment::bytes));
        fields.put("onTheDiskBefore", slot.synced());
        fields.put("groups", check.groups().stream().map(group -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("group", group.name());
            one.put("acknowledgedBefore", floor(group, first, next));
            one.put("acknowledgedBehind", group.ahead());
            one.put("lag", next - floor(group, first, next) - group.ahead());
            return one;
        }).toList());
        return fields;
    }

    private static void line(PrintWriter out, String what, String value) {
        out.println(what + " ".repeat(WIDTH - what.length()) + value);
    }

    private static long sum(List<QueueCheck.Segment> segments, ToLongFunction<QueueCheck.Segment> value) {
        return segments.stream().mapToLong(value).sum();
    }

    private static String groups(List<QueueCheck.Group> groups, long first, long next) {
        return Table.of(groups, List.of(Table.names("Group", QueueCheck.Group::name),
                Table.numbers("Acknowledged before", group -> floor(group, first, next)),
                Table.numbers("and behind that", QueueCheck.Group::ahead),
                Table.numbers("Lag", group -> next - floor(group, first, next) - group.ahead())));
    }

    /** Where the group goes on when the queue is opened. */
    private static long floor(QueueCheck.Group group, long first, long next) {
        return Math.clamp(group.floor(), first, next);
    }
}
