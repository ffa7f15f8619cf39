package dev.outcrop.queue.internal.files;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The file names of consumer groups and named tailers. */
public final class GroupNames {
    public static final String SUFFIX = ".group";
    /** The longest file name on Linux and macOS. */
    private static final int LONGEST_NAME = 255;

    private GroupNames() {
    }

    /** The name of a group's file. */
    public static String encode(String name) {
        return encode(name, "consumer group", SUFFIX);
    }

    /** Encodes a name like a segment of a URL's path, with fewer plain characters. */
    public static String encode(String name, String what, String suffix) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("A " + what + " needs a name");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(
                    "The name of a " + what + " must be text, not half of a surrogate pair: " + name);
        }
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(b)) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(Character.toUpperCase(Character.forDigit(b >> 4 & 15, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
            }
        }
        encoded.append(suffix);
        if (encoded.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "The name of a " + what + " becomes that of a file, and takes " + encoded.length()
                            + " bytes there, more than " + LONGEST_NAME + ": " + name);
        }
        return encoded.toString();
    }

    private static boolean isPlain(byte b) {
        // No upper-case letters, because some file systems ignore case.
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
    }

    /** Decodes the name of a group's file; null if {@link #encode} does not make it. */
    public static @Nullable String decode(String fileName) {
        return decode(fileName, SUFFIX);
    }

    /** Decodes a file name; null if {@link #encode} does not make it. */
    public static @Nullable String decode(String fileName, String suffix) {
        if (!fileName.endsWith(suffix)) {
            return null;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int end = fileName.length() - suffix.length();
        for (int i = 0; i < end; i++) {
            char c = fileName.charAt(i);
            if (c != '%') {
                bytes.write(c);
                continue;
            }
            int high = i + 2 < end ? Character.digit(fileName.charAt(i + 1), 16) : -1;
            int low = i + 2 < end ? Character.digit(fileName.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                return null;
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        String name = bytes.toString(StandardCharsets.UTF_8);
        try {
            return encode(name, "file", suffix).equals(fileName) ? name : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
