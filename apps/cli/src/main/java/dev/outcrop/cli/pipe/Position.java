package dev.outcrop.cli.pipe;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position in an input after a record that was taken.
 *
 * @param bytes    the number of bytes before the position
 * @param lines    the number of lines in these bytes
 * @param checksum CRC32C of these bytes; it shows whether an input has changed
 */
record Position(long bytes, long lines, int checksum) {
    /** Nothing was taken. */
    static final Position START = new Position(0, 0, 0);
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18}) bytes, (\\d{1,18}) lines, crc32c ([0-9a-f]{8})");

    /** Returns the position as the text that is stored in the database. */
    byte[] text() {
        return String.format("%d bytes, %d lines, crc32c %08x", bytes, lines, checksum)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Parses the result of {@link #text}; fails if it is something else. */
    static Position parse(byte[] text) {
        String line = new String(text, StandardCharsets.UTF_8);
        Matcher parts = TEXT.matcher(line);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + line + "' is no position in a file");
        }
        return new Position(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)),
                Integer.parseUnsignedInt(parts.group(3), 16));
    }
}
