package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The beginning of a payload in messages: as text if that is printable ASCII, otherwise in hexadecimal digits. */
final class PayloadText {
    private static final int MAX_SHOWN = 40;

    private PayloadText() {
    }

    static String of(MemorySegment payload) {
        byte[] start;
        try {
            start = payload.asSlice(0, Math.min(payload.byteSize(), MAX_SHOWN)).toArray(ValueLayout.JAVA_BYTE);
        } catch (IllegalStateException | WrongThreadException | InternalError e) {
            // It has ended, belongs to another thread, or its file was truncated.
            return "what cannot be read here";
        }
        boolean isText = true;
        for (byte each : start) {
            isText &= each >= ' ' && each <= '~';
        }
        String shown = isText
                ? "\"" + new String(start, StandardCharsets.US_ASCII) + "\""
                : "0x" + HexFormat.of().formatHex(start);
        return start.length == payload.byteSize() ? shown : shown + "…";
    }
}
