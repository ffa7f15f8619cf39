package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Uninterrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The logs of a database that is being written. RocksDB reads those that it finds, up to their ends, so that records are missing without a
 * word where a log was deleted or cut off.
 */
public final class WritersLogs {
    private static final String DELETED = " (deleted)";
    private static final Pattern LOG = Pattern.compile("(\\d{1,18})\\.log");
    private static final Pattern POSITION = Pattern.compile("pos:\\s*(\\d{1,18})");

    private static final int LOOKS_FOR_A_LOG = 50;
    private static final int LOOKS_AT_A_PROBLEM = 5;
    private static final long BETWEEN_LOOKS_NANOS = 20_000_000;

    private final Path database;
    private final Path directory;
    private final boolean isFollowed;
    private final Map<Path, LogFormat> checked = new HashMap<>();
    /** Those that there were at the last look, the oldest first. */
    private List<Path> logs = List.of();
    /** Those that were logs when all of the process's descriptors were last looked at. */
    private List<Path> descriptors = List.of();

    /**
     * Those of a database.
     *
     * @param directory  of the logs
     * @param isFollowed see {@link LogFormat}
     */
    public WritersLogs(Path database, Path directory, boolean isFollowed) {
        this.database = database;
        this.directory = directory;
        this.isFollowed = isFollowed;
    }

    /** Checks the records that were added to the logs since the last check; returns damage that RocksDB would not get past, or null. */
    public @Nullable String check() {
        logs = LogFormat.logs(directory);
        checked.keySet().retainAll(new HashSet<>(logs));
        return logs.stream().map(log -> format(log).check()).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** The logs that there were at the last check, the oldest first. */
    public List<Path> logs() {
        return logs;
    }

    private LogFormat format(Path log) {
        return checked.computeIfAbsent(log, added -> new LogFormat(added, true, isFollowed));
    }

    /** The first log that is not whole, with the place; null if all are. */
    @Nullable
    public String damage() {
        String problem = check();
        return problem != null
                ? problem
                : logs.stream().filter(log -> !format(log).isComplete()).findFirst()
                        .map(log -> log.getFileName() + " at offset " + format(log).position()).orElse(null);
    }

    /**
     * Looks for logs that the writer, if there is one, has written and that are not there, as far as that can be told: it has the newest
     * open, those that the manifest names are there, and those before the newest are complete. What it found when it was opened may have
     * been damaged before.
     *
     * @param grow reads the manifest on, and tells whether there was more of it
     * @return the problem; null if there is none
     */
    public @Nullable String missing(Manifest manifest, BooleanSupplier grow) {
        boolean wasInterrupted = false;
        try {
            for (int looks = 1;; looks++) {
                Long holder = FileLocks.ofDatabase(database);
                String problem = holder == null ? null : problem(manifest, holder);
                if (problem == null) {
                    return null;
                }
                // The log may not be needed by now, or the writer has not yet written out what goes before a new log.
                if (!grow.getAsBoolean() && looks >= LOOKS_AT_A_PROBLEM) {
                    return "The database " + database + " cannot be read as it is: " + problem
                            + ". Flush the database in the process that has it"
                            + " open, so that it no longer needs the log, or restore it from a backup";
                }
                wasInterrupted |= Uninterrupted.park(this, BETWEEN_LOOKS_NANOS);
            }
        } finally {
            Uninterrupted.interruptAgain(wasInterrupted);
        }
    }

    private @Nullable String problem(Manifest manifest, long holder) {
        List<OpenLog> open = list(holder, LogFormat.logs(directory));
        for (OpenLog log : open) {
            if (log.number >= manifest.minLogNumber() && log.size < log.position) {
                return "its log " + log.name + (log.size < 0
                        ? " was deleted while " + FileLocks.writer(holder) + " is writing to it"
                        : " has " + log.size + " bytes, but " + FileLocks.writer(holder) + " has written "
                                + log.position);
            }
        }
        if (open.isEmpty() && !hasAny()) {
            return FileLocks.writer(holder) + " is writing it, but it has no log here. If its logs are in another"
                    + " directory, set Options.walDir to that directory";
        }
        // Of logs that are older than the manifest, some are named that there never were.
        List<Path> logs = LogFormat.logs(directory);
        Set<Long> numbers = logs.stream().map(LogFormat::number).collect(Collectors.toSet());
        for (long number : manifest.logNumbers()) {
            if (number > manifest.number() && !numbers.contains(number)) {
                return "its log " + String.format(Locale.ROOT, "%06d.log", number) + " is missing";
            }
        }
        for (Path log : logs.subList(0, Math.max(0, logs.size() - 1))) {
            long number = LogFormat.number(log);
            if (number > manifest.number() && number >= manifest.minLogNumber()) {
                LogFormat format = format(log);
                String damage = format.check();
                if (damage != null || !format.isComplete()) {
                    return "its log " + log.getFileName() + " is damaged or cut off at offset " + format.position()
                            + (damage == null ? "" : " (" + damage + ")");
                }
            }
        }
        return null;
    }

    /** A database that is just being opened has none for a moment. */
    private boolean hasAny() {
        boolean wasInterrupted = false;
        int looks = 0;
        while (looks < LOOKS_FOR_A_LOG && LogFormat.logs(directory).isEmpty()) {
            wasInterrupted |= Uninterrupted.park(this, BETWEEN_LOOKS_NANOS);
            looks++;
        }
        Uninterrupted.interruptAgain(wasInterrupted);
        return looks < LOOKS_FOR_A_LOG;
    }

    /**
     * A log that is open.
     *
     * @param name     its file's name
     * @param number   of the log
     * @param position where the process is in it
     * @param size     its size; -1 if it was deleted
     */
    private record OpenLog(String name, long number, long position, long size) {
    }

    /**
     * The logs that a process has open, as Linux lists them (proc(5)); none if that cannot be told.
     *
     * @param logs that there are, of which it has the last one open
     */
    private List<OpenLog> list(long process, List<Path> logs) {
        List<OpenLog> open = open();
        if (logs.isEmpty()
                || open.stream().noneMatch(log -> log.name.equals(logs.getLast().getFileName().toString()))) {
            // There are thousands of descriptors where there are as many tables, and a new log is rare.
            descriptors = descriptors(process);
            open = open();
        }
        return open;
    }

    private static List<Path> descriptors(long process) {
        try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(process), "fd"))) {
            return all.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // Of another user, or no Linux.
        }
    }

    /** Those of {@link #descriptors} that are logs, which remain. */
    private List<OpenLog> open() {
        List<Path> kept = new ArrayList<>();
        List<OpenLog> open = new ArrayList<>();
        for (Path descriptor : descriptors) {
            OpenLog log = log(descriptor);
            if (log != null) {
                kept.add(descriptor);
                open.add(log);
            }
        }
        descriptors = kept;
        return open;
    }

    private @Nullable OpenLog log(Path descriptor) {
        try {
            // Not made of texts: they may not stand for the bytes of a name that is no log's.
            Path file = Files.readSymbolicLink(descriptor);
            String last = String.valueOf(file.getFileName());
            boolean isDeleted = last.endsWith(DELETED);
            Matcher name = LOG.matcher(isDeleted ? last.substring(0, last.length() - DELETED.length()) : last);
            if (!name.matches() || !directory.equals(file.getParent())) {
                return null;
            }
            String info = Files.readString(
                    descriptor.resolveSibling("../fdinfo/" + descriptor.getFileName()));
            Matcher position = POSITION.matcher(info);
            long at = position.find() ? Long.parseLong(position.group(1)) : 0;
            // In this order: it grows before the position moves.
            return new OpenLog(name.group(), Long.parseLong(name.group(1)), at, isDeleted ? -1 : Files.size(file));
        } catch (IOException e) {
            return null; // Closed meanwhile, or moved away.
        }
    }
}
