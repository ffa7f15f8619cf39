package dev.outcrop.rocksdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The checksums of a backup's files. RocksDB writes them into {@code meta/ID}, a line for each file (utilities/backup/backup_engine.cc,
 * "Each backup meta file is of the format"), but its C API compares only sizes.
 */
final class BackupFiles {
    private static final Pattern FILE = Pattern.compile("(\\S+)(?: \\S+ \\S+)*? crc32 (\\d{1,10})(?: .*)?");

    private BackupFiles() {
    }

    static void verifyChecksums(Path directory, int id) {
        Path meta = directory.resolve("meta").resolve(Integer.toString(id));
        try {
            List<String> lines = Files.readAllLines(meta, StandardCharsets.ISO_8859_1);
            for (String line : lines) {
                Matcher file = FILE.matcher(line);
                if (file.matches() && !line.startsWith("metadata ")) {
                    verify(id, directory.resolve(file.group(1)), Long.parseLong(file.group(2)));
                }
            }
        } catch (IOException e) {
            throw RocksDBException.of(Status.Code.IO_ERROR, Status.SubCode.NONE,
                    "Backup " + id + " in " + directory + " cannot be read: " + e);
        }
    }

    private static void verify(int id, Path file, long expected) throws IOException {
        CRC32C checksum = new CRC32C();
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                checksum.update(buffer, 0, read);
            }
        }
        if (checksum.getValue() != expected) {
            throw RocksDBException.of(Status.Code.CORRUPTION, Status.SubCode.NONE, "Backup " + id
                    + " is not sound: the file " + file + " has the checksum " + checksum.getValue() + " instead of "
                    + expected);
        }
    }
}
