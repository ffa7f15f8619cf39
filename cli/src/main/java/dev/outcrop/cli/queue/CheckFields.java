package dev.outcrop.cli.queue;

import dev.outcrop.queue.QueueCheck;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What was found in a queue's files, as fields of a JSON object. */
final class CheckFields {
    private CheckFields() {
    }

    static Map<String, Object> of(QueueCheck check) {
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
        fields.put("repairs", check.repairs());
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
