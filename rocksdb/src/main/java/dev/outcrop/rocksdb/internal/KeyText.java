package dev.outcrop.rocksdb.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Keys and values in messages: as text if all is printable ASCII, otherwise in hexadecimal digits; long ones are cut. */
public final class KeyText {
    private static final int MAX_SHOWN = 40;

    private KeyText() {
    }

    public static String of(byte[] key) {
        return of(MemorySegment.ofArray(key));
    }

    public static String of(MemorySegment key) {
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
