package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.Manifest;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.WritersLogs;
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
 * The database that a secondary instance follows. It is looked at before RocksDB reads, which would read for ever where a log is damaged,
 * see {@link LogChecks}; and afterwards, because RocksDB takes an older version where files are missing, and says nothing.
 */
final class FollowedPrimary {
    private static final String RECYCLING = "recycle_log_file_num";
    /** A primary would have to flush or compact in each of as many attempts to catch up with it. */
    private static final int MOST_ATTEMPTS = 100;
    private static final int MOST_NAMED = 3;

    private final Path database;
    private final WritersLogs writersLogs;
    private List<Path> logs = List.of();
    private @Nullable Manifest manifest;
    private String identity = "";
    /** The families that were opened, by their ids; empty before. */
    private Map<Integer, String> families = Map.of();
    /** The family that RocksDB would read freed memory for if it caught up; null if there is none. */
    private @Nullable String cannotFollow;
    /** Whether RocksDB has what the manifest said when it was last looked at. */
    private boolean isNewest;

    FollowedPrimary(Path database, Options options) {
        this.database = database;
        this.writersLogs = new WritersLogs(database, WriteAheadLog.logDirectory(database, options), true);
    }

    /** Checks what has been written since the last time, before RocksDB reads it. */
    synchronized void look() {
        String recycled = OptionsFile.ofDatabaseIfAny(database).getOrDefault(RECYCLING, "0");
        if (!recycled.equals("0")) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The database " + database
                    + " cannot be followed: it has " + RECYCLING + "=" + recycled
                    + ", and a secondary instance would never finish reading a log file that is used again. Open the"
                    + " primary without that option, or open this database with openReadOnly");
        }
        lookAtManifest();
        LogChecks.require(writersLogs.check());
        logs = writersLogs.logs();
    }

    private void lookAtManifest() {
        Manifest now = Manifest.of(database);
        Manifest before = manifest;
        String id = identity(database);
        if (before != null && now != null) {
            boolean isOther = !id.equals(identity) || (!now.isSame(before) && now.number() <= before.number());
            if (isOther) {
                throw again("another database has taken its place");
            }
        }
        if (now != null && (before == null || !now.isSame(before))) {
            manifest = now;
            isNewest = false;
        }
        identity = id;
        if (manifest != null) {
            boolean _ = grow(manifest);
            requireFamilies(manifest);
        }
    }

    /** Reads the manifest on; returns whether there was more of it, which RocksDB has not seen then. */
    private boolean grow(Manifest read) {
        boolean hasGrown = LogChecks.readOn(read);
        isNewest &= !hasGrown;
        return hasGrown;
    }

    private static String identity(Path database) {
        try {
            return Files.readString(database.resolve("IDENTITY"), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return ""; // There need not be such a file.
        }
    }

    /** A secondary instance follows the families that it was opened with, and reads those that were dropped as they were. */
    private void requireFamilies(Manifest now) {
        if (families.isEmpty() || !now.isKnown()) {
            return;
        }
        Map<Integer, String> existing = new TreeMap<>();
        now.families().forEach((id, version) -> existing.put(id, version.name));
        if (existing.keySet().equals(families.keySet())) {
            return;
        }
        Map<Integer, String> made = new TreeMap<>(existing);
        made.keySet().removeAll(families.keySet());
        Map<Integer, String> dropped = new TreeMap<>(families);
        dropped.keySet().removeAll(existing.keySet());
        throw again("the primary has " + Stream.of(named("made ", made), named("dropped ", dropped))
                .filter(part -> !part.isEmpty()).collect(Collectors.joining(" and has ")));
    }

    private static String named(String what, Map<Integer, String> which) {
        return which.isEmpty()
                ? ""
                : what + (which.size() == 1 ? "the column family " : "the column families ")
                        + which.values().stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
    }

    private RocksDBException again(String change) {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "This secondary instance of the"
                + " database " + database + " cannot catch up with it: since it was opened, " + change
                + ". Close this instance and open it again");
    }

    /** After opening, and before anything is read: sees to it that RocksDB has the newest version. */
    synchronized void opened(OpenedHandles opened) {
        Map<Integer, String> ids = new TreeMap<>();
        opened.families().forEach((name, handle) -> ids.put(NativeFamilies.id(handle), name));
        families = ids;
        noteDropped();
        requireNewest(opened.db());
        noteDropped();
    }

    /** Catches up, after {@link #look()}. */
    synchronized void catchUp(long db) {
        look();
        followOn(db);
        requireNewest(db);
    }

    /** RocksDB frees a family that it has met and that was dropped then, keeps a pointer to it, and follows that when it catches up. */
    private void noteDropped() {
        Manifest read = manifest;
        if (cannotFollow == null && read != null) {
            cannotFollow = read.dropped().stream().filter(families::containsValue).findFirst().orElse(null);
        }
    }

    private void followOn(long db) {
        if (cannotFollow != null) {
            throw again("or since the primary was opened, the column family \"" + cannotFollow
                    + "\" was dropped and made anew");
        }
        try (var scratch = Native.scratch()) {
            NativeOpening.catchUp(scratch, db);
            Native.check(scratch, "Cannot catch up with the primary instance of the database " + database);
        } catch (RocksDBException e) {
            throw named(e);
        }
    }

    /** A failure, with the log that is damaged, if it is about one: RocksDB does not say which. */
    RocksDBException named(RocksDBException e) {
        String damage = e.status().code() == Status.Code.CORRUPTION
                && e.status().message().contains("checksum mismatch")
                        ? writersLogs.damage()
                        : null;
        return damage == null ? e : e.within("A log of the database " + database + " is damaged: " + damage);
    }

    private void requireNewest(long db) {
        for (int attempt = 1; !isNewest || !areThere(logs); attempt++) {
            Manifest read = manifest;
            if (read == null || !read.isKnown()) {
                return; // In an Env of its own, or of a later RocksDB.
            }
            Set<Integer> newest = new HashSet<>();
            boolean hasChanged = compare(db, read, newest);
            if (newest.containsAll(families.keySet())) {
                isNewest = !hasChanged;
                if (!hasChanged || areThere(logs)) {
                    break;
                }
                // What was in a log may be in a table by now, of a version that RocksDB did not see.
            } else if (!hasChanged) {
                throw older(read, newest);
            }
            if (attempt == MOST_ATTEMPTS) {
                throw RocksDBException.of(Status.Code.TRY_AGAIN, Status.SubCode.NONE, "The primary instance of the"
                        + " database " + database + " changes its files faster than this one can read them."
                        + " Try again");
            }
            look();
            followOn(db);
        }
        Manifest read = manifest;
        if (read != null && read.isKnown()) {
            LogChecks.require(writersLogs.missing(read, () -> grow(read)));
        }
    }

    private static boolean areThere(List<Path> files) {
        return files.stream().allMatch(Files::exists);
    }

    /**
     * Compares what RocksDB has with all versions that it may have seen.
     *
     * @param newest takes the families of which it has such a version
     * @return whether there are versions that it may not have seen
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
        LogChecks.require(read.problem());
        Manifest now = Manifest.of(database);
        return hasGrown || (now != null && !now.isSame(read));
    }

    /** The number of tables of each family in RocksDB's version, and the sum of {@link Manifest#mixed} of their numbers. */
    private static Map<String, long[]> live(long db) {
        Map<String, long[]> live = new HashMap<>();
        try (Scratch scratch = Native.scratch()) {
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

    private RocksDBException older(Manifest read, Set<Integer> newest) {
        List<String> problems = new ArrayList<>();
        List<String> others = new ArrayList<>();
        families.forEach((id, name) -> {
            if (!newest.contains(id)) {
                Manifest.FamilyVersion version = Objects.requireNonNull(read.families().get(id));
                version.tables
                        .forEach((number, size) -> look(String.format(Locale.ROOT, "%06d.sst", number), size, problems,
                                others));
                version.blobs
                        .forEach((number, size) -> look(String.format(Locale.ROOT, "%06d.blob", number), size, problems,
                                others));
            }
        });
        String files = problems.isEmpty()
                ? "of the files " + named(others) + " at least one is missing, unreadable or not its own"
                : named(problems);
        String named = families.entrySet().stream().filter(each -> !newest.contains(each.getKey()))
                .map(each -> '"' + each.getValue() + '"').collect(Collectors.joining(", "));
        return RocksDBException.of(Status.Code.CORRUPTION, Status.SubCode.NONE, "The database " + database
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

    private void look(String name, long size, List<String> problems, List<String> others) {
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
