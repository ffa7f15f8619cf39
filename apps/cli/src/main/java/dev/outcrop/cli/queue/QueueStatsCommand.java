package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Table;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.queue.QueueLockedException;
import dev.outcrop.queue.QueueSurvey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue stats}. */
@Command(name = "stats", description = {
        "Count a queue's segments and records, and show the lag of each group.",
        "Reads the whole queue. Also works beside a process that writes, and then shows the state of the files.",
        ""}, footer = {"",
                "  ./outcrop queue stats orders"})
final class QueueStatsCommand extends QueueAction {
    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    /** The figures to show. */
    private record Stats(Path directory, long segmentBytes, long first, long next, List<QueueCheck.Segment> segments,
            long synced,
            List<Group> groups) {
    }

    private record Group(String name, long position, long ahead, long lag) {
    }

    @Override
    protected int act(PrintWriter out) {
        Path queue = directory();
        Stats stats;
        try {
            stats = closed(queue);
        } catch (QueueLockedException e) {
            warnOfWriter(e);
            stats = open(QueueFiles.survey(queue));
        }
        if (json) {
            out.println(Json.line(asMap(stats)));
            return 0;
        }
        List<QueueCheck.Segment> segments = stats.segments;
        Table.line(out, "segments",
                Table.number(segments.size()) + " of " + Table.number(stats.segmentBytes) + " bytes");
        Table.line(out, "records",
                Table.number(stats.next - stats.first) + ", from " + stats.first + " on; the next one is "
                        + stats.next);
        Table.line(out, "withdrawn", Table.number(sum(segments, QueueCheck.Segment::withdrawn)) + " of them");
        Table.line(out, "bytes", Table.number(sum(segments, QueueCheck.Segment::bytes)));
        Table.line(out, "on the disk", "before " + stats.synced);
        if (!stats.groups.isEmpty()) {
            out.println(Table.of(stats.groups, List.of(Table.names("Group", Group::name),
                    Table.numbers("Acknowledged before", Group::position),
                    Table.numbers("and behind that", Group::ahead), Table.numbers("Lag", Group::lag))));
        }
        return 0;
    }

    /** Returns the figures of a queue that no process has open. */
    private static Stats closed(Path queue) {
        QueueCheck check = QueueFiles.verify(queue);
        if (!check.isSound()) {
            throw new Failure("the queue " + queue + " is damaged; './outcrop queue verify " + queue + "' shows where");
        }
        List<QueueCheck.Segment> segments = check.segments();
        QueueCheck.Slot slot = check.slots().getFirst();
        long end = segments.isEmpty() ? slot.synced() : segments.getLast().endOffset();
        // The first segment also has earlier records, but no group gets them again.
        long first = Math.max(slot.retired(), segments.isEmpty() ? end : segments.getFirst().baseOffset());
        // After a power cut, more records may have been retired than are left.
        long next = Math.max(end, first);
        return new Stats(check.directory(), slot.segmentSize(), first, next, segments, slot.synced(),
                check.groups().stream().map(group -> {
                    // The group goes on at this position when the queue is opened.
                    long position = Math.clamp(group.floor(), first, next);
                    return new Group(group.name(), position, group.ahead(), next - position - group.ahead());
                }).toList());
    }

    private static Stats open(QueueSurvey survey) {
        return new Stats(survey.directory(), survey.segmentSize(), survey.firstOffset(), survey.nextOffset(),
                survey.segments(), survey.synced(),
                survey.groups().stream()
                        .map(group -> new Group(group.name(), group.position(), group.ahead(), group.lag().records()))
                        .toList());
    }

    private static Map<String, Object> asMap(Stats stats) {
        return Json.fields("path", stats.directory.toString(),
                "segments", stats.segments.size(),
                "segmentBytes", stats.segmentBytes,
                "records", stats.next - stats.first,
                "firstOffset", stats.first,
                "nextOffset", stats.next,
                "withdrawn", sum(stats.segments, QueueCheck.Segment::withdrawn),
                "bytes", sum(stats.segments, QueueCheck.Segment::bytes),
                "onTheDiskBefore", stats.synced,
                "groups", stats.groups.stream()
                        .map(group -> Json.fields("group", group.name, "acknowledgedBefore", group.position,
                                "acknowledgedBehind", group.ahead, "lag", group.lag))
                        .toList());
    }

    private static long sum(List<QueueCheck.Segment> segments, ToLongFunction<QueueCheck.Segment> value) {
        return segments.stream().mapToLong(value).sum();
    }
}
