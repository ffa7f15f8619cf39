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

/** Checks the logs of a database that is being written: RocksDB silently misses the records of a log that was deleted or cut off. */
public final class LiveLogs {
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
    /** The logs at the last check, the oldest first. */
    private List<Path> logs = List.of();
    /** The process's descriptors that were logs when all descriptors were last read. */
    private List<Path> descriptors = List.of();

    /**
     * The logs of a database.
     *
     * @param directory  of the logs
     * @param isFollowed see {@link LogFormat}
     */
    public LiveLogs(Path database, Path directory, boolean isFollowed) {
        this.database = database;
        this.directory = directory;
        this.isFollowed = isFollowed;
    }

    /** Checks new records of the logs; returns damage that RocksDB would not get past, or null. */
    public @Nullable String check() {
        logs = LogFormat.logs(directory);
        checked.keySet().retainAll(new HashSet<>(logs));
        return logs.stream().map(log -> format(log).check()).filter(Objects::nonNull).findFirst().orElse(null);
    }

    /** Returns the logs of the last check, the oldest first. */
    public List<Path> logs() {
        return logs;
    }

    private LogFormat format(Path log) {
        return checked.computeIfAbsent(log, added -> new LogFormat(added, true, isFollowed));
    }

    /** Returns the first incomplete log, with the offset; null if all are complete. */
    @Nullable
    public String damage() {
        String problem = check();
        return problem != null
                ? problem
                : logs.stream().filter(log -> !format(log).isComplete()).findFirst()
                        .map(log -> log.getFileName() + " at offset " + format(log).position()).orElse(null);
    }

    /**
     * Finds missing logs that the writer has written, if there is a writer, as far as this can be known. The writer has the newest log
     * open, the logs named in the manifest exist, and the logs before the newest one are complete. Logs from before the database was opened
     * may be damaged.
     *
     * @param grow reads the new part of the manifest, and returns whether there was one
     * @return the problem, or null
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
                // Perhaps the log is no longer needed, or the writer has not yet flushed the previous log.
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
        // The manifest names some older logs that never existed.
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

    /** Returns whether there is a log. While a database is being opened, it has no log for a moment. */
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
     * Returns the logs that a process has open, as Linux lists them (proc(5)); none if that is unknown.
     *
     * @param logs in the directory; the process has the last one open
     */
    private List<OpenLog> list(long process, List<Path> logs) {
        List<OpenLog> open = open();
        if (logs.isEmpty()
                || open.stream().noneMatch(log -> log.name.equals(logs.getLast().getFileName().toString()))) {
            // Read only if there is a new log, which is rare: a process may have thousands of descriptors.
            descriptors = descriptors(process);
            open = open();
        }
        return open;
    }

    private static List<Path> descriptors(long process) {
        try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(process), "fd"))) {
            return all.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // The process belongs to another user, or this is not Linux.
        }
    }

    /** Keeps only the {@link #descriptors} that are logs, and returns these. */
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
            // Kept as a path, because a text may not represent the bytes of other names.
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
            // The position was read first, because the file grows before the position moves.
            return new OpenLog(name.group(), Long.parseLong(name.group(1)), at, isDeleted ? -1 : Files.size(file));
        } catch (IOException e) {
            return null; // The log was closed meanwhile, or moved away.
        }
    }
}
