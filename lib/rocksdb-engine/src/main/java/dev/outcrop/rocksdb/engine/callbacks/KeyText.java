package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Keys and values in messages: as text if all bytes are printable ASCII, otherwise in hexadecimal digits. Long ones are cut to
 * {@code outcrop.shown.bytes} bytes; 0 keeps data out of logs.
 */
public final class KeyText {
    /** The most bytes of a key or value in a message. */
    public static final int MAX_SHOWN = Math.max(0, Integer.getInteger("outcrop.shown.bytes", 40));

    private KeyText() {
    }

    /** Returns a key in hexadecimal digits. */
    public static String hex(MemorySegment key) {
        if (MAX_SHOWN == 0) {
            return of(key);
        }
        byte[] start = key.asSlice(0, Math.min(key.byteSize(), MAX_SHOWN)).toArray(ValueLayout.JAVA_BYTE);
        return "0x" + HexFormat.of().formatHex(start) + (start.length < key.byteSize() ? "…" : "");
    }

    public static String of(byte[] key) {
        return of(MemorySegment.ofArray(key));
    }

    public static String of(MemorySegment key) {
        if (MAX_SHOWN == 0) {
            return "of " + key.byteSize() + " bytes";
        }
        byte[] start = key.asSlice(0, Math.min(key.byteSize(), MAX_SHOWN)).toArray(ValueLayout.JAVA_BYTE);
        boolean isText = true;
        for (byte each : start) {
            isText &= each >= ' ' && each <= '~';
        }
        String shown = isText
                ? "\"" + new String(start, StandardCharsets.US_ASCII) + "\""
                : "0x" + HexFormat.of().formatHex(start);
        return start.length == key.byteSize() ? shown : shown + "… (" + key.byteSize() + " bytes)";
    }
}
