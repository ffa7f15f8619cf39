package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Json;
import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** A record as a line: its offset, its time, and its payload, as text if it is any; of a dead letter, what has become of it as well. */
final class RecordLine {
    private RecordLine() {
    }

    /** Of the record that a tailer has found. */
    static String of(Tailer tailer, boolean json) {
        MemorySegment payload = tailer.segment();
        DeadLetter letter = DeadLetter.isDeadLetter(payload) ? DeadLetter.read(payload) : null;
        Instant time = Instant.ofEpochMilli(tailer.time());
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("offset", tailer.offset());
            fields.put("time", time.toString());
            if (letter != null) {
                fields.put("deadLetter", about(letter));
            }
            Json.put(fields, "payload", bytes(letter == null ? payload : letter.payload()));
            return Json.line(fields);
        }
        String text = letter == null
                ? text(payload)
                : "[dead letter of group " + letter.group() + ", record " + letter.offset() + ": " + letter.reason()
                        + "] " + text(letter.payload());
        return tailer.offset() + "\t" + time + "\t" + text;
    }

    private static Map<String, Object> about(DeadLetter letter) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("group", letter.group());
        fields.put("offset", letter.offset());
        fields.put("deliveries", letter.deliveries());
        fields.put("time", letter.time().toString());
        fields.put("died", letter.died().toString());
        fields.put("reason", letter.reason());
        return fields;
    }

    private static byte[] bytes(MemorySegment payload) {
        return payload.toArray(ValueLayout.JAVA_BYTE);
    }

    private static String text(MemorySegment payload) {
        byte[] bytes = bytes(payload);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            if (text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t')) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // Then it is no text.
            return hex(bytes);
        }
        return hex(bytes);
    }

    private static String hex(byte[] bytes) {
        return "0x" + HexFormat.of().formatHex(bytes);
    }
}
