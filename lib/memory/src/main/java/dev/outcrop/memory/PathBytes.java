package dev.outcrop.memory;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Paths as the operating system knows them. A path consists of bytes. Its text in Java depends on the encoding of the JVM's locale, and
 * lacks bytes that are no text in it.
 */
public final class PathBytes {
    private PathBytes() {
    }

    /**
     * Returns the bytes of a path.
     *
     * @param path a path, which is made absolute
     * @return its bytes, without a slash at the end
     * @throws UnsupportedOperationException if the path belongs to another file system than the operating system's
     */
    public static byte[] of(Path path) {
        // toFile() refuses paths inside of a zip file and the like.
        String text = path.toAbsolutePath().toFile().getPath();
        return isAscii(text) ? text.getBytes(StandardCharsets.US_ASCII) : ofUri(path);
    }

    /** Without a stream: its lambda would be linked at the first call, for which there may be no stack. */
    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** Returns the bytes of a path from its URI: no other form has all of them. */
    private static byte[] ofUri(Path path) {
        byte[] escaped = path.toUri().getRawPath().getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length);
        // The URI of a directory ends with a slash.
        int length = escaped[escaped.length - 1] == '/' ? escaped.length - 1 : escaped.length;
        for (int i = 0; i < length; i++) {
            if (escaped[i] == '%') {
                bytes.write(HexFormat.fromHexDigit(escaped[i + 1]) << 4 | HexFormat.fromHexDigit(escaped[i + 2]));
                i += 2;
            } else {
                bytes.write(escaped[i]);
            }
        }
        return bytes.toByteArray();
    }
}
