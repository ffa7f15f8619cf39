package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.PathBytes;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Paths for the C API. A path consists of bytes. Its text in Java depends on the encoding of the JVM's locale, which may differ from UTF-8.
 * So RocksDB gets the bytes.
 */
public final class OsPath {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private OsPath() {
    }

    /** Returns the absolute path. Refuses paths of other file systems than the operating system's, because RocksDB does not know them. */
    public static Path require(Path path) {
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw new IllegalArgumentException("RocksDB reaches only the files of the operating system, but the path "
                    + path + " belongs to " + path.getFileSystem().provider());
        }
        return path.toAbsolutePath().normalize();
    }

    public static MemorySegment in(Scratch scratch, Path path) {
        return NativeCall.in(scratch, text(require(path)));
    }

    /** Returns the text for the bytes of an absolute path. */
    public static String text(Path path) {
        String text = path.toString();
        return isAscii(text) ? text : NativeText.string(PathBytes.of(path));
    }

    /** Returns the path for a text from RocksDB. */
    public static Path of(String text) {
        if (isAscii(text)) {
            return Path.of(text);
        }
        if (!text.startsWith("/")) {
            return of(text(Path.of("").toAbsolutePath()) + "/" + text);
        }
        StringBuilder escaped = new StringBuilder("file://");
        for (byte octet : NativeText.bytes(text)) {
            if (octet == '/') {
                escaped.append('/');
            } else {
                escaped.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return Path.of(URI.create(escaped.toString()));
    }

    /** Returns the directory that an option names, or the database's directory if the option is empty. */
    public static Path directory(String option, Path database) {
        return option.isEmpty() ? database : of(option).toAbsolutePath().normalize();
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
