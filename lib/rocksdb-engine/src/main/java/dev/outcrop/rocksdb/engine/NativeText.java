package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Converts C strings to Java strings, and back to the same bytes. C strings are usually UTF-8, but names from C and C++ programs may be any
 * bytes. A byte that is not part of a character in UTF-8 becomes the char {@code U+DC00} plus its value. In a real text, such a char never
 * occurs alone.
 */
public final class NativeText {
    private static final int ESCAPE = 0xdc00;

    private NativeText() {
    }

    /** Returns the string for bytes; different bytes have different strings. */
    public static String string(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            if (result.isUnderflow()) {
                return out.flip().toString();
            }
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (ESCAPE + (in.get() & 0xff)));
            }
        }
    }

    /** Reads a C string. */
    public static String string(long address) {
        return string(bytes(address));
    }

    /** Reads the bytes of a C string. */
    public static byte[] bytes(long address) {
        MemorySegment text = NativeCalls.view(address, Long.MAX_VALUE);
        long length = 0;
        while (text.get(ValueLayout.JAVA_BYTE, length) != 0) {
            length++;
        }
        return text.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Returns the bytes of a string.
     *
     * @throws IllegalArgumentException if no bytes have this string
     */
    public static byte[] bytes(String string) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(string.length() + 16);
        int start = 0;
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (isHalf(string, i) && isByte(c)) {
                bytes.writeBytes(string.substring(start, i).getBytes(StandardCharsets.UTF_8));
                bytes.write(c - ESCAPE);
                start = i + 1;
            }
        }
        bytes.writeBytes(string.substring(start).getBytes(StandardCharsets.UTF_8));
        byte[] all = bytes.toByteArray();
        if (!string(all).equals(string)) {
            throw new IllegalArgumentException(
                    "A text has half a character, and is not the one for any bytes: " + shown(string));
        }
        return all;
    }

    /** Returns a string as a C string. */
    public static MemorySegment in(Scratch scratch, String string) {
        for (int i = 0; i < string.length(); i++) {
            if (Character.isSurrogate(string.charAt(i))) {
                byte[] bytes = bytes(string);
                MemorySegment copy = scratch.allocate(bytes.length + 1L, 1);
                copy.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
                MemorySegment.copy(bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, bytes.length);
                return copy;
            }
        }
        return scratch.allocateFrom(string);
    }

    /** Returns a string for messages: bytes that are not part of a character, and most control characters, as {@code \\xff}. */
    public static String shown(String string) {
        StringBuilder shown = new StringBuilder(string.length());
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            boolean isHalf = isHalf(string, i);
            if (isHalf && !isByte(c)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else if (isHalf || (Character.isISOControl(c) && "\n\r\t".indexOf(c) < 0)) {
                shown.append(String.format(Locale.ROOT, "\\x%02x", c & 0xff));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }

    /** Returns whether a char is a surrogate without its pair. */
    private static boolean isHalf(String string, int at) {
        char c = string.charAt(at);
        boolean hasPair = Character.isHighSurrogate(c)
                ? at + 1 < string.length() && Character.isLowSurrogate(string.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(string.charAt(at - 1));
        return Character.isSurrogate(c) && !hasPair;
    }

    /** Returns whether the char stands for a byte that is not part of a character. */
    private static boolean isByte(char half) {
        return half >= ESCAPE + 0x80 && half <= ESCAPE + 0xff;
    }
}
