package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The checksums of a backup's files. RocksDB writes them into {@code meta/ID}, one line for each file (utilities/backup/backup_engine.cc,
 * "Each backup meta file is of the format"), but its C API compares only sizes.
 */
public final class BackupFiles {
    private static final Pattern FILE = Pattern.compile("(\\S+)(?: \\S+ \\S+)*? crc32 (\\d{1,10})(?: .*)?");

    private BackupFiles() {
    }

    /** Verifies the files of a backup; returns the problem, or null. */
    public static @Nullable NativeStatus problem(Path directory, int id) {
        Path meta = directory.resolve("meta").resolve(Integer.toString(id));
        try {
            List<String> lines = Files.readAllLines(meta, StandardCharsets.ISO_8859_1);
            for (String line : lines) {
                Matcher file = FILE.matcher(line);
                if (file.matches() && !line.startsWith("metadata ")) {
                    Path path = directory.resolve(file.group(1));
                    long expected = Long.parseLong(file.group(2));
                    long found = checksum(path);
                    if (found != expected) {
                        return new NativeStatus(NativeStatus.CORRUPTION, NativeStatus.NONE, "Backup " + id
                                + " is not sound: the file " + path + " has the checksum " + found + " instead of "
                                + expected);
                    }
                }
            }
            return null;
        } catch (IOException e) {
            return new NativeStatus(NativeStatus.IO_ERROR, NativeStatus.NONE,
                    "Backup " + id + " in " + directory + " cannot be read: " + e);
        }
    }

    private static long checksum(Path file) throws IOException {
        CRC32C checksum = new CRC32C();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                checksum.update(buffer, 0, read);
            }
        }
        return checksum.getValue();
    }
}
