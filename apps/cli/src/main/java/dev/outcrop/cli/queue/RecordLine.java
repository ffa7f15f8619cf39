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
import java.util.Map;

/** A record as a line: its offset, its time, and its payload, as text if possible. A dead letter is shown with its fate. */
final class RecordLine {
    private RecordLine() {
    }

    /** Returns the line of the tailer's current record. */
    static String of(Tailer tailer, boolean json) {
        MemorySegment payload = tailer.segment();
        DeadLetter letter = DeadLetter.isDeadLetter(payload) ? DeadLetter.read(payload) : null;
        Instant time = Instant.ofEpochMilli(tailer.time());
        if (json) {
            Map<String, Object> fields = Json.fields("offset", tailer.offset(),
                    "time", time.toString());
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
        return Json.fields("group", letter.group(),
                "offset", letter.offset(),
                "deliveries", letter.deliveries(),
                "time", letter.time().toString(),
                "died", letter.died().toString(),
                "reason", letter.reason());
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
            // The payload is not text.
            return hex(bytes);
        }
        return hex(bytes);
    }

    private static String hex(byte[] bytes) {
        return "0x" + HexFormat.of().formatHex(bytes);
    }
}
