package dev.outcrop.cli.queue;

import dev.outcrop.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;

/** A record as a line for people: its offset, its time, and its payload, as text if it is any. */
final class RecordLine {
    private RecordLine() {
    }

    /** Of the record that a tailer has found. */
    static String of(Tailer tailer) {
        return tailer.offset() + "\t" + Instant.ofEpochMilli(tailer.time()) + "\t" + text(tailer.segment());
    }

    private static String text(MemorySegment payload) {
        byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
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
