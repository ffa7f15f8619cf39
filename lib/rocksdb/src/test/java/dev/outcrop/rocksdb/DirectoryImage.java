package dev.outcrop.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Names and contents of all files of a directory. */
final class DirectoryImage {
    private DirectoryImage() {
    }

    /** Content by name, with a letter for each byte; empty if there is no such directory. */
    static Map<String, String> of(Path directory) {
        Map<String, String> image = new TreeMap<>();
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    image.put(directory.relativize(file).toString(), content(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return image;
    }

    /** As above, of an open database: not what is in its own log, into which RocksDB also writes from time to time. */
    static Map<String, String> ofOpen(Path directory) {
        Map<String, String> image = of(directory);
        image.computeIfPresent("LOG", (_, _) -> "a log");
        return image;
    }

    private static String content(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            return "no file";
        }
        // A process that opens and closes the lock file loses its lock.
        return file.endsWith("LOCK")
                ? "a lock of " + Files.size(file) + " bytes"
                : new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    /** The file of a database with such a name, the newest if there are several. */
    static Path file(Path directory, String pattern) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern)).sorted()
                    .reduce((first, second) -> second).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void flip(Path file, long at) {
        change(file, content -> {
            content[(int) at] ^= 0x40;
            return content;
        });
    }

    static void cut(Path file, int bytes) {
        change(file, content -> Arrays.copyOf(content, content.length - bytes));
    }

    private static void change(Path file, UnaryOperator<byte[]> change) {
        try {
            Files.write(file, change.apply(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
