package dev.outcrop.cli.queue;

import dev.outcrop.cli.db.Interruption;
import dev.outcrop.cli.db.Json;
import dev.outcrop.cli.db.Progress;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue verify}. */
@Command(name = "verify", description = {
        "Read all of a queue that nobody has open for writing, and list its segments, groups and damages.",
        "Ends with 1 if there is damage. Changes nothing.", ""}, footer = {"",
                "  ./outcrop queue verify orders"})
final class VerifyCommand extends QueueAction {
    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    int act(Path queue, PrintWriter out) throws IOException {
        QueueCheck check;
        try (Interruption interruption = interruption("not everything was looked at, and nothing is changed");
                Progress progress = Progress.of("verify", "bytes", segmentBytes(queue))) {
            check = QueueFiles.verify(queue, progress::at);
            if (interruption.isRequested()) {
                return Interruption.EXIT_CODE;
            }
        }
        if (json) {
            out.println(Json.line(asMap(check)));
        } else {
            out.print(check);
        }
        return check.isSound() ? 0 : 1;
    }

    private static long segmentBytes(Path queue) throws IOException {
        if (!Files.isDirectory(queue)) {
            // Verifying says so.
            return 0;
        }
        long bytes = 0;
        try (Stream<Path> files = Files.list(queue)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".segment")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private static Map<String, Object> asMap(QueueCheck check) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("path", check.directory().toString());
        fields.put("sound", check.isSound());
        fields.put("segments", list(check.segments(), (segment, to) -> {
            to.put("file", name(segment.file()));
            to.put("firstOffset", segment.baseOffset());
            to.put("nextOffset", segment.endOffset());
            to.put("records", segment.records());
            to.put("withdrawn", segment.withdrawn());
            to.put("bytes", segment.bytes());
        }));
        fields.put("groups", list(check.groups(), (group, to) -> {
            to.put("group", group.name());
            to.put("acknowledgedBefore", group.floor());
            to.put("acknowledgedBehind", group.ahead());
        }));
        fields.put("damages", list(check.damages(), (damage, to) -> {
            to.put("file", damage.file().toString());
            to.put("position", damage.position());
            if (damage.offset() >= 0) {
                to.put("offset", damage.offset());
            }
            to.put("what", damage.what());
        }));
        fields.put("notes", check.notes());
        return fields;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static <T> List<Map<String, Object>> list(List<T> all, BiConsumer<T, Map<String, Object>> toFields) {
        return all.stream().map(each -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            toFields.accept(each, fields);
            return fields;
        }).toList();
    }
}
