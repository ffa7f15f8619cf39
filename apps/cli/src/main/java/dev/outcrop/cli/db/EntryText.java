package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Encoding;
import dev.outcrop.cli.common.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Entries as lines: key, tab, value, or a JSON object. */
record EntryText(Encoding encoding, boolean json) {
    /** Returns the line of an entry, or of its key or value alone, without the line end. */
    String line(byte @Nullable [] key, byte @Nullable [] value) {
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            if (key != null) {
                Json.put(fields, "key", key, encoding);
            }
            if (value != null) {
                Json.put(fields, "value", value, encoding);
            }
            return Json.line(fields);
        }
        return (key == null ? "" : encoding.format(key)) + (key == null || value == null ? "" : "\t")
                + (value == null ? "" : encoding.format(value));
    }

    /** Passes on the key and the value of a line. If the line is not an entry, the message of the IllegalArgumentException says why. */
    void parse(byte[] line, BiConsumer<byte[], byte[]> use) {
        if (json) {
            Map<String, Object> fields = Json.object(new String(line, StandardCharsets.UTF_8));
            use.accept(Json.get(fields, "key"), Json.get(fields, "value"));
            return;
        }
        int tab = 0;
        while (tab < line.length && line[tab] != '\t') {
            tab++;
        }
        if (tab == line.length) {
            throw new IllegalArgumentException("there is no tab between key and value");
        }
        use.accept(encoding.parse(Arrays.copyOf(line, tab)),
                encoding.parse(Arrays.copyOfRange(line, tab + 1, line.length)));
    }
}
