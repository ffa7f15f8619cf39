package dev.outcrop.rocksdb.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * RocksDB's info log. Opening a database moves the log aside and starts a new one, even if the database turns out to be damaged. If opening
 * fails, this class puts the old log back.
 */
public final class InfoLog {
    /** The suffix of a log that RocksDB has moved aside: the time, in microseconds. */
    private static final Pattern OLD = Pattern.compile("\\.old\\.(\\d{1,18})");
    /** The characters that RocksDB keeps when it makes a name from a path. */
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    /** The longest name that RocksDB makes from a path (GetInfoLogPrefix in filename.cc). */
    private static final int LONGEST = 255;

    private final Path log;
    private final List<Path> before;

    private InfoLog(Path log) {
        this.log = log;
        this.before = logs();
    }

    /** Remembers the logs of a database. */
    public static InfoLog of(Path database, String logDirectory) {
        return new InfoLog(logDirectory.isEmpty()
                ? database.resolve("LOG")
                : OsPath.of(logDirectory).resolve(nameOf(database)));
    }

    /** Returns the log's name in a directory for the logs of several databases: the path, with _ for other characters. */
    private static String nameOf(Path database) {
        StringBuilder name = new StringBuilder();
        byte[] path = NativeText.bytes(OsPath.text(database));
        for (int i = 0; i < path.length && name.length() < LONGEST; i++) {
            char c = (char) path[i];
            boolean isPlain = PLAIN.indexOf(c) >= 0;
            if (isPlain || i > 0) {
                name.append(isPlain ? c : '_');
            }
        }
        return name + "_LOG";
    }

    /** Puts the logs back after opening failed. */
    public void restore() {
        try {
            // The first of the new files is the old log. If logs are small, RocksDB may have filled more logs since then.
            List<Path> added = logs().stream().filter(file -> !before.contains(file))
                    .sorted(Comparator.comparingLong(this::time)).toList();
            boolean wasThere = before.contains(log);
            for (Path file : wasThere ? added.subList(Math.min(1, added.size()), added.size()) : added) {
                Files.delete(file);
            }
            if (wasThere && !added.isEmpty()) {
                Files.move(added.getFirst(), log, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            // The logs of the failed attempt remain; the caller learns of the failure anyway.
        }
    }

    private List<Path> logs() {
        try (Stream<Path> files = Files.list(log.resolveSibling(""))) {
            return files.filter(file -> file.equals(log) || time(file) >= 0).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** Returns when the log was moved aside, or -1 if the file is not an old log. */
    private long time(Path file) {
        String name = file.getFileName().toString();
        String current = log.getFileName().toString();
        Matcher old = OLD.matcher(name.startsWith(current) ? name.substring(current.length()) : "");
        return old.matches() ? Long.parseLong(old.group(1)) : -1;
    }
}
