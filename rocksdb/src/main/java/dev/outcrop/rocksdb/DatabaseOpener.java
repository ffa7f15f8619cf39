package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FileLocks;
import dev.outcrop.rocksdb.engine.InfoLog;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.NewFiles;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.OrderRehearsal;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.OpeningOrder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens databases, after looking for what would make RocksDB fail: it would start by creating the directory and by moving its own
 * log aside, and a database that cannot be opened is to be left as it was.
 */
final class DatabaseOpener {
    /** The file that names the manifest; a directory with one is a database. */
    private static final String CURRENT = "CURRENT";
    static final String DEFAULT_FAMILY = "default";
    private static final Pattern OTHER_COMPARATOR = Pattern.compile("(.+): does not match existing comparator (.+)");

    private DatabaseOpener() {
    }

    /** Opens for reading and writing; families that exist and have no options of their own get those of the database. */
    static OpenedHandles open(Path path, Options options, Map<String, Options> familyOptions, DatabaseKind kind,
            Opener opener) {
        Objects.requireNonNull(familyOptions, "families");
        CallbackGuard.requireToOpen();
        NativeCalls.requireAccess();
        boolean exists = check(path, options);
        long logged = exists ? LogChecks.requireLogs(path, options) : -1;
        Set<String> existing = exists ? families(path, options) : Set.of();
        Request request = new Request(path, options, familyOptions, existing);
        if (!existing.isEmpty()) {
            if (!kind.hasTimes()) {
                TimeToLive.requireNoTimes(path);
            }
            requireFamilies(request, existing);
            requireMergeOperators(request);
            requireComparators(path, options, request::options, existing);
        }
        InfoLog log = InfoLog.of(path, options.dbLogDir());
        NewFiles files = new NewFiles(path, existing.isEmpty(), options.walDir(), options.dbLogDir());
        OpenedHandles opened;
        try {
            if (existing.isEmpty() && !options.hasOwnEnv()) {
                makeParents(path, files);
            }
            opened = open(request, kind, opener);
        } catch (RuntimeException | Error e) { // also what a callback has thrown
            log.restore();
            files.remove();
            throw e;
        }
        // The info log stays, which names the reason.
        return requireLogged(path, options, logged, opened);
    }

    /** Opens what exists, without changing it. */
    static OpenedHandles openExisting(Path path, Options options, Map<String, Options> familyOptions, DatabaseKind kind,
            Opener opener) {
        Objects.requireNonNull(familyOptions, "families");
        CallbackGuard.requireToOpen();
        NativeCalls.requireAccess();
        SafeOptions.require(path, options);
        requireDirectory(path);
        requireDatabase(path, "");
        FollowedPrimary primary = kind.followed();
        if (primary != null) {
            return openFollowing(path, options, familyOptions, kind, opener, primary);
        }
        BesideWriter writer = new BesideWriter(path, options);
        while (true) {
            writer.begin();
            long logged;
            OpenedHandles opened;
            try {
                logged = LogChecks.requireLogs(path, options);
                opened = openOnce(path, options, familyOptions, kind, opener);
            } catch (RocksDBException e) {
                writer.requireChange(e);
                continue;
            }
            if (!hasTakenAway(writer, opened)) {
                return requireLogged(path, options, logged, opened);
            }
            opened.close();
        }
    }

    private static OpenedHandles openFollowing(Path path, Options options, Map<String, Options> familyOptions,
            DatabaseKind kind, Opener opener, FollowedPrimary primary) {
        long logged = LogChecks.requireLogs(path, options);
        OpenedHandles opened = openOnce(path, options, familyOptions, kind, opener);
        try {
            primary.opened(opened);
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
        // Not before: until then, what was in a log may be in a table that RocksDB has not seen.
        return requireLogged(path, options, logged, opened);
    }

    private static boolean hasTakenAway(BesideWriter writer, OpenedHandles opened) {
        try {
            return writer.hasTakenAway();
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private static OpenedHandles openOnce(Path path, Options options, Map<String, Options> familyOptions,
            DatabaseKind kind, Opener opener) {
        TimeToLive.requireNoTimes(path);
        Request request = new Request(path, options, familyOptions, families(path, options));
        requireMergeOperators(request);
        return open(request, kind, opener);
    }

    private static void makeParents(Path path, NewFiles files) {
        try {
            files.makeParents();
        } catch (UncheckedIOException e) {
            throw fail(path, Status.Code.IO_ERROR, Status.SubCode.NONE,
                    "the directories above it cannot be made: " + e.getCause());
        }
    }

    private static void requireFamilies(Request request, Set<String> existing) {
        Set<String> missing = new TreeSet<>(request.familyOptions().keySet());
        missing.removeAll(existing);
        if (!missing.isEmpty() && !request.options().createMissingColumnFamilies()) {
            throw fail(request.path(), Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "it has no column families " + missing + ", only " + new TreeSet<>(existing)
                            + "; to create what is missing, set Options.createMissingColumnFamilies(true)");
        }
    }

    private static void requireMergeOperators(Request request) {
        boolean areKnown = MergeGuard.requireOperators(request.path(), request::options);
        if (!areKnown || passesRecords(request.options())) {
            try {
                open(request, DatabaseKind.PLAIN, DatabaseOpener::openStrictly).close();
            } catch (RocksDBException e) {
                if (MergeGuard.isAboutMerges(e)) {
                    throw MergeGuard.foundInLog(request.path());
                }
                // Any other error comes again when the database is opened as the caller wants it, or is none then.
            }
        }
    }

    /** Whether RocksDB goes on behind a record that it cannot apply, so that the last sequence number does not tell. */
    private static boolean passesRecords(Options options) {
        return (options.walRecoveryMode() == WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS || !options.paranoidChecks())
                && !options.hasWalFilter();
    }

    /** What a comparator in Java throws is thrown here, before anything on the disk is changed. */
    private static void requireComparators(Path path, Options options, Function<String, Options> familyOptions,
            Set<String> existing) {
        // A WAL filter would be shown each record twice.
        if (options.hasWalFilter()
                || existing.stream().map(familyOptions).noneMatch(Options::hasComparatorInJava)) {
            return;
        }
        List<Long> copies = new ArrayList<>();
        try (OpeningOrder order = order(existing, familyOptions); Scratch scratch = Native.scratch()) {
            MemorySegment names = scratch.allocate(ValueLayout.JAVA_LONG, existing.size());
            MemorySegment ofFamilies = scratch.allocate(ValueLayout.JAVA_LONG, existing.size());
            for (String family : existing) {
                int i = copies.size();
                copies.add(familyOptions.apply(family).copyNative());
                names.setAtIndex(ValueLayout.JAVA_LONG, i, Native.in(scratch, family).address());
                ofFamilies.setAtIndex(ValueLayout.JAVA_LONG, i, copies.getLast());
            }
            copies.add(options.copyNative());
            CallbackFailures.forget();
            OrderRehearsal.run(copies.getLast(), OsPath.in(scratch, path), existing.size(), names.address(),
                    ofFamilies.address());
            CallbackFailures.rethrow();
            Throwable known = order.cause();
            if (known != null) {
                throw new IllegalStateException("The database " + path + " is not opened, because its comparator has"
                        + " failed, so that the order of its keys is not known: " + known
                        + ". Close what uses the comparator already, or give this database one that works", known);
            }
        } finally {
            copies.forEach(NativeDbOptions::destroy);
        }
    }

    /** The same before a database is repaired, as far as it can be opened. */
    static void requireComparatorsToRepair(Path path, Options options) {
        if (options.hasComparatorInJava() && Files.exists(path.resolve(CURRENT))) {
            Set<String> existing;
            try {
                existing = families(path, options);
            } catch (RocksDBException e) {
                // What is to be repaired.
                return;
            }
            requireComparators(path, options, _ -> options, existing);
        }
    }

    /** An {@link Opener}, for reading; it changes nothing on the disk. */
    private static long openStrictly(long options, MemorySegment path, int count, long names, long familyOptions,
            long handles, long error) {
        boolean evenIfLogExists = false;
        MergeGuard.readStrictly(options);
        return NativeOpening.openReadOnly(options, path, count, names, familyOptions, handles,
                evenIfLogExists, error);
    }

    /** The shape of the C functions that open a database with its column families. */
    @FunctionalInterface
    interface Opener {
        long open(long options, MemorySegment path, int count, long names, long familyOptions, long handles,
                long error);
    }

    /** The families to open: those of the database, and those that the caller named. */
    private record Request(Path path, Options options, Map<String, Options> familyOptions, Set<String> families) {
        Request {
            families = new LinkedHashSet<>(families);
            families.add(DEFAULT_FAMILY);
            families.addAll(familyOptions.keySet());
            familyOptions = Map.copyOf(familyOptions);
            familyOptions.values().forEach(each -> SafeOptions.require(path, each));
        }

        Options options(String family) {
            return familyOptions.getOrDefault(family, options);
        }
    }

    private static OpenedHandles open(Request request, DatabaseKind kind, Opener opener) {
        OpeningOrder order = order(request.families(), request::options);
        try {
            return open(request, kind, opener, order);
        } catch (Throwable e) {
            order.close();
            throw e;
        }
    }

    private static OpeningOrder order(Set<String> families, Function<String, Options> options) {
        return new OpeningOrder(families.stream().map(options).map(Options::checkedComparator).filter(Objects::nonNull)
                .collect(Collectors.toSet()));
    }

    private static OpenedHandles open(Request request, DatabaseKind kind, Opener opener, OpeningOrder order) {
        Path path = request.path();
        int count = request.families().size();
        List<Long> copies = new ArrayList<>();
        try (Scratch scratch = Native.scratch()) {
            MemorySegment names = scratch.allocate(ValueLayout.JAVA_LONG, count);
            MemorySegment options = scratch.allocate(ValueLayout.JAVA_LONG, count);
            MemorySegment handles = scratch.allocate(ValueLayout.JAVA_LONG, count);
            int i = 0;
            for (String family : request.families()) {
                names.setAtIndex(ValueLayout.JAVA_LONG, i,
                        OptionValues.text("A column family's name", family, scratch).address());
                copies.add(request.options(family).copyNative());
                options.setAtIndex(ValueLayout.JAVA_LONG, i++, copies.getLast());
            }
            copies.add(request.options().copyNative());
            FirstCalls.link();
            kind.linkCalls();
            long db = opener.open(copies.getLast(), OsPath.in(scratch, path), count, names.address(),
                    options.address(), handles.address(), Native.error(scratch));
            if (db == 0) {
                checkOpened(path, scratch);
            }
            try {
                // What a callback has thrown, although the database was opened.
                checkOpened(path, scratch);
                Map<String, Long> opened = new LinkedHashMap<>();
                for (String family : request.families()) {
                    opened.put(family, handles.getAtIndex(ValueLayout.JAVA_LONG, opened.size()));
                }
                MergeGuard.requireNoMerges(path, db, opened, request::options);
                return new OpenedHandles(db, kind, request.options(), opened, request.familyOptions(), order);
            } catch (Throwable e) {
                // Without new objects: memory may have run out.
                for (i = 0; i < count; i++) {
                    NativeFamilies.close(handles.getAtIndex(ValueLayout.JAVA_LONG, i));
                }
                kind.close(db);
                CallbackFailures.forget();
                throw e;
            }
        } finally {
            copies.forEach(NativeDbOptions::destroy);
        }
    }

    /**
     * Looks whether all of the log is in the database. When RocksDB cannot apply a record, it leaves that out with all that follow, and
     * tells only its info log.
     */
    private static OpenedHandles requireLogged(Path path, Options options, long logged, OpenedHandles opened) {
        // With these, RocksDB is to take less, or counts batches.
        if (options.hasWalFilter() || options.bestEffortsRecovery() || !opened.kind().numbersEntries()) {
            return opened;
        }
        long reached = NativeLog.latestSequenceNumber(opened.db());
        if (reached < logged) {
            opened.close();
            throw fail(path, Status.Code.CORRUPTION, Status.SubCode.NONE,
                    "RocksDB has skipped records of the log: the log ends at the sequence number " + logged
                            + ", the database at " + reached
                            + ". The info log gives the reason after the word"
                            + " \"dropping\". If the database was opened for writing, the records may be gone from its"
                            + " log: restore it from a backup, or from a copy of its files");
        }
        return opened;
    }

    /** Looks for what would make opening fail; returns whether there is a database. */
    private static boolean check(Path path, Options options) {
        SafeOptions.require(path, options);
        requireDirectory(path);
        if (Files.exists(path.resolve(CURRENT))) {
            if (options.errorIfExists()) {
                throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "a database exists there already, and error_if_exists is set");
            }
            String problem = FileLocks.problem(path);
            if (problem != null) {
                throw fail(path, Status.Code.IO_ERROR, Status.SubCode.NONE, problem);
            }
            return true;
        }
        if (!options.createIfMissing()) {
            requireDatabase(path, "; to create one, open it with new Options().createIfMissing(true)");
        }
        requireNoData(path);
        return false;
    }

    private static void requireDirectory(Path path) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "it is a file, not a directory");
        }
    }

    static void requireDatabase(Path path, String hint) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.PATH_NOT_FOUND,
                    "there is no such directory" + hint);
        }
        if (!Files.exists(path.resolve(CURRENT))) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "the directory holds no database: it has no file " + CURRENT + hint);
        }
    }

    /** RocksDB would start a new database beside files that only a database has, and delete these as not belonging to it. */
    private static void requireNoData(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        if (Files.exists(path.resolve("queue")) && Files.isDirectory(path.resolve("groups"))) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "the directory holds a queue; use one of its own for the database");
        }
        try (Stream<Path> files = Files.list(path)) {
            List<String> data = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d+\\.(log|sst|ldb|blob)")).sorted().limit(3).toList();
            if (!data.isEmpty()) {
                throw fail(path, Status.Code.CORRUPTION, Status.SubCode.NONE, "it has no file " + CURRENT
                        + ", but data files (" + String.join(", ", data) + "), which creating a database would delete."
                        + " If this is a database, restore its " + CURRENT + "; if not, use an empty directory");
            }
        } catch (IOException e) {
            throw fail(path, Status.Code.IO_ERROR, Status.SubCode.NONE, "it cannot be listed: " + e);
        }
    }

    /** The column families of a database, read from its manifest, which RocksDB can do without changing anything. */
    static Set<String> families(Path path, Options options) {
        Set<String> families = new LinkedHashSet<>();
        LogChecks.requireManifest(path);
        long nativeOptions = options.copyNative();
        try (Scratch scratch = Native.scratch()) {
            List<byte[]> names = NativeFamilies.names(scratch, nativeOptions, OsPath.in(scratch, path));
            checkOpened(path, scratch);
            names.forEach(name -> families.add(NativeText.string(name)));
            requireNamesWithoutNul(path, families, names.size());
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
        return families;
    }

    /** The C API cuts names of column families where they have a zero byte, which others can give them. */
    private static void requireNamesWithoutNul(Path path, Set<String> families, int count) {
        String name = OptionsFile.ofFamiliesIfAny(path).keySet().stream().filter(each -> each.indexOf('\0') >= 0)
                .findFirst().orElse(null);
        if (name != null || families.size() < count) {
            throw fail(path, Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, (name == null
                    ? "two of its column families have the same name up to a zero byte: " + families
                    : "the name of its column family \"" + name + "\" has a zero byte")
                    + ", at which RocksDB's C API cuts names. Open it with org.rocksdb, for which names are bytes");
        }
    }

    private static void checkOpened(Path path, Scratch scratch) {
        try {
            Native.check(scratch);
        } catch (RocksDBException e) {
            Status status = e.status();
            Matcher mismatch = OTHER_COMPARATOR.matcher(status.message());
            throw new RocksDBException(status, "Cannot open the database " + path + ": "
                    + (mismatch.matches() ? otherComparator(path, mismatch.group(1), mismatch.group(2)) : status));
        }
    }

    private static String otherComparator(Path path, String given, String existing) {
        List<String> families = new ArrayList<>();
        OptionsFile.ofFamiliesIfAny(path).forEach((family, options) -> {
            if (existing.equals(options.get("comparator"))) {
                families.add(family);
            }
        });
        return "it was created with the comparator " + existing
                + (families.isEmpty() ? "" : " (column families: " + String.join(", ", families) + ")")
                + ", but the options have " + given + ". The order of the keys cannot be changed; open it with "
                + (ObjectNames.isKnown("comparator", existing)
                        ? "new Options().set(\"comparator=" + existing + "\")"
                        : "new Options().comparator(…), of that name");
    }

    static RocksDBException fail(Path path, Status.Code code, Status.SubCode subCode, String reason) {
        return RocksDBException.of(code, subCode, "Cannot open the database " + path + ": " + reason);
    }

    /** The path as messages and RocksDB know it. */
    static Path normalize(Path path) {
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "RocksDB reaches only the files of the operating system, not those of "
                            + path.getFileSystem().provider());
        }
        try {
            return Files.exists(path) ? path.toRealPath() : path.toAbsolutePath().normalize();
        } catch (IOException e) {
            // Not readable: RocksDB will say so, with its reason.
            return path.toAbsolutePath().normalize();
        }
    }
}
