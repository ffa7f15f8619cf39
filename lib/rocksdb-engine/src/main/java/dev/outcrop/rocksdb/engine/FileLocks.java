package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the holder of a database's lock. On Linux the kernel lists all locks, so this class need not open the lock file. In a process that
 * has the database open, opening and closing the file would release that process's lock (POSIX record locks, fcntl(2)). On other systems,
 * RocksDB reports the holder.
 */
public final class FileLocks {
    private static final Path LOCKS = Path.of("/proc/locks");

    private FileLocks() {
    }

    /** Describes the holder of a database's lock, for a message; returns null if the lock is free. */
    public static @Nullable String problem(Path database) {
        String children = NativeDatabase.childrenOfClosed(database);
        if (!children.isEmpty()) {
            return "its lock is held: this process has closed it, but it stays open until all objects made from it are closed too."
                    + " Still open: " + children + ". Close that first, best with try-with-resources. To learn"
                    + " where it was made, start the JVM with -Doutcrop.leaks=always, which logs the place for"
                    + " each that was forgotten";
        }
        Long holder = ofDatabase(database);
        return holder == null
                ? null
                : "its lock is held: " + writer(holder) + " has it open"
                        + (isOwn(holder) ? " already" : "") + ". Close it there first, or open it with openReadOnly";
    }

    /** Names the holder of a lock, for messages. */
    public static String writer(long holder) {
        return isOwn(holder) ? "this process" : holder > 0 ? "process " + holder : "another process";
    }

    private static boolean isOwn(long holder) {
        return holder == ProcessHandle.current().pid();
    }

    /** Returns the id of the process that holds the lock of a database, or null. */
    public static @Nullable Long ofDatabase(Path database) {
        return holder(database.resolve("LOCK"));
    }

    /** Returns the id of the process that holds a lock on the file, or null. */
    public static @Nullable Long holder(Path file) {
        try {
            if (!Files.isReadable(LOCKS) || !Files.exists(file)) {
                return null;
            }
            long inode = ((Number) Files.getAttribute(file, "unix:ino")).longValue();
            long device = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
            // Linux's encoding of a device number, as makedev(3) describes it; /proc/locks prints both parts in hexadecimal.
            long major = ((device >>> 8) & 0xfff) | ((device >>> 32) & 0xfffff000L);
            long minor = (device & 0xff) | ((device >>> 12) & 0xffffff00L);
            String id = String.format(Locale.ROOT, "%02x:%02x:%d", major, minor, inode);
            for (String line : Files.readAllLines(LOCKS)) {
                // 1: POSIX  ADVISORY  WRITE 4711 fe:00:1234 0 EOF; a waiting lock has "->" in front
                List<String> fields = List.of(line.strip().split("\\s+"));
                if (fields.size() >= 6 && fields.get(1).equals("POSIX") && fields.get(5).equals(id)) {
                    return Long.valueOf(fields.get(4));
                }
            }
            return null;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // This platform has no such list, or the list has another form: RocksDB's own lock still decides.
            return null;
        }
    }
}
