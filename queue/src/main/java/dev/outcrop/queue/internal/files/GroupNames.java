package dev.outcrop.queue.internal.files;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The names of consumer groups, and of others that users name, as those of their files. */
public final class GroupNames {
    public static final String SUFFIX = ".group";
    /** What Linux and macOS allow for a name. */
    private static final int LONGEST_NAME = 255;

    private GroupNames() {
    }

    /** The name of a group's file. */
    public static String encode(String name) {
        return encode(name, "consumer group", SUFFIX);
    }

    /** Like a segment of a URL's path, but with fewer characters that stay as they are. */
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
        // No upper-case letters: to some file systems, names that differ only by case are the same.
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_';
    }

    /** The group whose file has that name; null if it is not one that {@link #encode} makes. */
    public static @Nullable String decode(String fileName) {
        return decode(fileName, SUFFIX);
    }

    /** What has that file name; null if it is not one that {@link #encode} makes. */
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
