package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The database that a secondary instance follows. This class checks its logs before RocksDB reads them, because RocksDB would never finish
 * reading some damaged logs, see {@link LogFormat}. It checks the other files afterwards: if files are missing, RocksDB takes an older
 * version, and reports nothing.
 */
public final class FollowedPrimary {
    private static final String RECYCLING = "recycle_log_file_num";
    /** The most attempts to catch up. All of them fail only if the primary flushes or compacts during each attempt. */
    private static final int MOST_ATTEMPTS = 100;
    private static final int MOST_NAMED = 3;

    private final Path database;
    private final LiveLogs primaryLogs;
    private List<Path> logs = List.of();
    private @Nullable Manifest manifest;
    private String identity = "";
    /** The families that were opened, by their ids; empty before opening. */
    private Map<Integer, String> families = Map.of();
    /** The family for which RocksDB would read freed memory if it caught up; null if there is none. */
    private @Nullable String cannotFollow;
    /** Whether RocksDB has the version that the manifest had when it was last read. */
    private boolean isNewest;

    public FollowedPrimary(Path database, Path logDirectory) {
        this.database = database;
        this.primaryLogs = new LiveLogs(database, logDirectory, true);
    }

    /** Checks the data that was written since the last check, before RocksDB reads it; returns the problem, or null. */
    public synchronized @Nullable NativeStatus check() {
        String recycled = OptionsFile.ofDatabaseIfAny(database).getOrDefault(RECYCLING, "0");
        if (!recycled.equals("0")) {
            return new NativeStatus(NativeStatus.NOT_SUPPORTED, NativeStatus.NONE, "The database " + database
                    + " cannot be followed: it has " + RECYCLING + "=" + recycled
                    + ", and a secondary instance would never finish reading a log file that is used again. Open the"
                    + " primary without that option, or open this database with openReadOnly");
        }
        NativeStatus problem = checkManifest();
        if (problem == null) {
            problem = corruption(primaryLogs.check());
        }
        if (problem == null) {
            logs = primaryLogs.logs();
        }
        return problem;
    }

    private static @Nullable NativeStatus corruption(@Nullable String problem) {
        return problem == null ? null : NativeStatus.corruption(problem);
    }

    private @Nullable NativeStatus checkManifest() {
        Manifest now = Manifest.of(database);
        Manifest before = manifest;
        String id = identity(database);
        if (before != null && now != null) {
            boolean isOther = !id.equals(identity) || (!now.isSame(before) && now.number() <= before.number());
            if (isOther) {
                return again("another database has taken its place");
            }
        }
        if (now != null && (before == null || !now.isSame(before))) {
            manifest = now;
            isNewest = false;
        }
        identity = id;
        Manifest read = manifest;
        if (read == null) {
            return null;
        }
        boolean _ = readOn(read);
        return read.problem() != null ? corruption(read.problem()) : familiesProblem(read);
    }

    /** Reads the new part of the manifest. Returns whether there was one, which means that RocksDB has not seen it. */
    private boolean readOn(Manifest read) {
        boolean hasGrown = read.readOn();
        isNewest &= !hasGrown;
        return hasGrown;
    }

    private static String identity(Path database) {
        try {
            return Files.readString(database.resolve("IDENTITY"), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return ""; // The file is optional.
        }
    }

    /** A secondary instance follows the families that it was opened with. It reads dropped families in their old state. */
    private @Nullable NativeStatus familiesProblem(Manifest now) {
        if (families.isEmpty() || !now.isKnown()) {
            return null;
        }
        Map<Integer, String> existing = new TreeMap<>();
        now.families().forEach((id, version) -> existing.put(id, version.name));
        if (existing.keySet().equals(families.keySet())) {
            return null;
        }
        Map<Integer, String> made = new TreeMap<>(existing);
        made.keySet().removeAll(families.keySet());
        Map<Integer, String> dropped = new TreeMap<>(families);
        dropped.keySet().removeAll(existing.keySet());
        return again("the primary has " + Stream.of(named("made ", made), named("dropped ", dropped))
                .filter(part -> !part.isEmpty()).collect(Collectors.joining(" and has ")));
    }

    private static String named(String what, Map<Integer, String> which) {
        return which.isEmpty()
                ? ""
                : what + (which.size() == 1 ? "the column family " : "the column families ")
                        + which.values().stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
    }

    private NativeStatus again(String change) {
        return new NativeStatus(NativeStatus.NOT_SUPPORTED, NativeStatus.NONE, "This secondary instance of the"
                + " database " + database + " cannot catch up with it: since it was opened, " + change
                + ". Close this instance and open it again");
    }

    /**
     * Makes sure that RocksDB has the newest version after opening, before the database is read.
     *
     * @param opened the names of the column families by their ids
     * @return the problem, or null
     */
    public synchronized @Nullable NativeStatus opened(long db, Map<Integer, String> opened) {
        families = Map.copyOf(opened);
        noteDropped();
        NativeStatus problem = newestProblem(db);
        noteDropped();
        return problem;
    }

    /** Checks the newly written data, and catches up with it; returns the problem, or null. */
    public synchronized @Nullable NativeStatus catchUp(long db) {
        NativeStatus problem = check();
        if (problem == null) {
            problem = followOn(db);
        }
        return problem == null ? newestProblem(db) : problem;
    }

    /**
     * Notes a dropped family: RocksDB frees a family that was dropped after RocksDB had read it. But RocksDB keeps a pointer to the family,
     * and follows the pointer when it catches up.
     */
    private void noteDropped() {
        Manifest read = manifest;
        if (cannotFollow == null && read != null) {
            cannotFollow = read.dropped().stream().filter(families::containsValue).findFirst().orElse(null);
        }
    }

    private @Nullable NativeStatus followOn(long db) {
        if (cannotFollow != null) {
            return again("or since the primary was opened, the column family \"" + cannotFollow
                    + "\" was dropped and made anew");
        }
        try (Scratch scratch = NativeCall.scratch()) {
            NativeOpening.catchUp(scratch, db);
            NativeStatus status = NativeCall.nativeStatus(scratch);
            // Thrown at once: the next call would forget the exception.
            CallbackFailures.rethrow();
            if (status == null) {
                return null;
            }
            String damage = damage(status.code(), status.message());
            return new NativeStatus(status.code(), status.subCode(), (damage == null ? "" : damage + ": ")
                    + "Cannot catch up with the primary instance of the database " + database + ": " + status);
        }
    }

    /** Returns the damaged log behind a failure, because RocksDB does not name it; null if there is none. */
    public @Nullable String damage(int code, String message) {
        String damage = code == NativeStatus.CORRUPTION && message.contains("checksum mismatch")
                ? primaryLogs.damage()
                : null;
        return damage == null ? null : "A log of the database " + database + " is damaged: " + damage;
    }

    private @Nullable NativeStatus newestProblem(long db) {
        for (int attempt = 1; !isNewest || !areThere(logs); attempt++) {
            Manifest read = manifest;
            if (read == null || !read.isKnown()) {
                return null; // The database is in its own Env, or a later RocksDB wrote it.
            }
            Set<Integer> newest = new HashSet<>();
            boolean hasChanged = compare(db, read, newest);
            if (read.problem() != null) {
                return corruption(read.problem());
            }
            if (newest.containsAll(families.keySet())) {
                isNewest = !hasChanged;
                if (!hasChanged || areThere(logs)) {
                    break;
                }
                // The content of a log may now be in a table, in a version that RocksDB did not see.
            } else if (!hasChanged) {
                return older(read, newest);
            }
            if (attempt == MOST_ATTEMPTS) {
                return new NativeStatus(NativeStatus.TRY_AGAIN, NativeStatus.NONE, "The primary instance of the"
                        + " database " + database + " changes its files faster than this one can read them."
                        + " Try again");
            }
            NativeStatus problem = check();
            if (problem == null) {
                problem = followOn(db);
            }
            if (problem != null) {
                return problem;
            }
        }
        Manifest read = manifest;
        return read != null && read.isKnown() ? corruption(primaryLogs.missing(read, () -> readOn(read))) : null;
    }

    private static boolean areThere(List<Path> files) {
        return files.stream().allMatch(Files::exists);
    }

    /**
     * Compares RocksDB's version with all versions that it may have seen.
     *
     * @param newest receives the families for which RocksDB has such a version
     * @return whether there are versions that RocksDB may not have seen
     */
    private boolean compare(long db, Manifest read, Set<Integer> newest) {
        Map<String, long[]> live = live(db);
        Runnable match = () -> families.forEach((id, name) -> {
            long[] tables = live.getOrDefault(name, new long[2]);
            Manifest.FamilyVersion version = read.families().get(id);
            if (version == null || version.hasTables((int) tables[0], tables[1])) {
                newest.add(id);
            }
        });
        match.run();
        boolean hasGrown = read.readOn(match);
        Manifest now = Manifest.of(database);
        return hasGrown || (now != null && !now.isSame(read));
    }

    /** Returns the number of tables of each family in RocksDB's version, and the sum of {@link Manifest#mixed} of the table numbers. */
    private static Map<String, long[]> live(long db) {
        Map<String, long[]> live = new HashMap<>();
        try (Scratch scratch = NativeCall.scratch()) {
            for (NativeFiles.Table table : NativeFiles.tables(scratch, db)) {
                String file = table.name();
                long number = Long.parseLong(file, file.lastIndexOf('/') + 1, file.lastIndexOf('.'), 10);
                long[] tables = live.computeIfAbsent(table.family(), _ -> new long[2]);
                tables[0]++;
                tables[1] += Manifest.mixed(number);
            }
        }
        return live;
    }

    private NativeStatus older(Manifest read, Set<Integer> newest) {
        List<String> problems = new ArrayList<>();
        List<String> others = new ArrayList<>();
        families.forEach((id, name) -> {
            if (!newest.contains(id)) {
                Manifest.FamilyVersion version = Objects.requireNonNull(read.families().get(id));
                version.tables
                        .forEach((number, size) -> findProblem(String.format(Locale.ROOT, "%06d.sst", number), size,
                                problems,
                                others));
                version.blobs
                        .forEach((number, size) -> findProblem(String.format(Locale.ROOT, "%06d.blob", number), size,
                                problems,
                                others));
            }
        });
        String files = problems.isEmpty()
                ? "of the files " + named(others) + " at least one is missing, unreadable or not its own"
                : named(problems);
        String named = families.entrySet().stream().filter(each -> !newest.contains(each.getKey()))
                .map(each -> '"' + each.getValue() + '"').collect(Collectors.joining(", "));
        return new NativeStatus(NativeStatus.CORRUPTION, NativeStatus.NONE, "The database " + database
                + " cannot be read as it is: " + files + ". RocksDB would show an older state of the column family "
                + named + ", or no entries at all. If its tables are in other directories, name them with"
                + " Options.dbPaths or cfPaths; otherwise restore the database from a backup");
    }

    private static String named(List<String> files) {
        int count = files.size();
        return count <= MOST_NAMED
                ? String.join(", ", files)
                : String.join(", ", files.subList(0, MOST_NAMED)) + " and " + (count - MOST_NAMED) + " more";
    }

    private void findProblem(String name, long size, List<String> problems, List<String> others) {
        Path file = database.resolve(name);
        try {
            long found = Files.size(file);
            if (found == size) {
                others.add(name);
            } else {
                problems.add(name + " has " + found + " bytes and not " + size);
            }
        } catch (IOException e) {
            problems.add(name + " is missing");
        }
    }
}
