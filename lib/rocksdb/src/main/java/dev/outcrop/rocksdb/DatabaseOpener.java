package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.DatabaseKind.TimeToLive;
import dev.outcrop.rocksdb.engine.CompactionVeto;
import dev.outcrop.rocksdb.engine.ComparatorDryRun;
import dev.outcrop.rocksdb.engine.DirectoryUse;
import dev.outcrop.rocksdb.engine.FileLocks;
import dev.outcrop.rocksdb.engine.FollowedPrimary;
import dev.outcrop.rocksdb.engine.InfoLog;
import dev.outcrop.rocksdb.engine.LiveLogs;
import dev.outcrop.rocksdb.engine.LogFormat;
import dev.outcrop.rocksdb.engine.Manifest;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.OpeningCleanup;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.batch.LogChecks;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens databases, after checking for causes of failure: RocksDB would first create the directory and move its own log aside, and a
 * database that cannot be opened has to stay as it was.
 */
final class DatabaseOpener {
    private DatabaseOpener() {
    }

    /** Opens for reading and writing; families that exist and have no options of their own get those of the database. */
    static OpenedHandles open(Path path, Options options, Map<String, Options> familyOptions, DatabaseKind kind,
            Opener opener) {
        ApiCall.requireEntries("families", familyOptions);
        CallbackGuard.requireToOpen();
        NativeCalls.requireAccess();
        boolean exists = DatabaseDirectory.isThere(path, options);
        long logged = exists ? requireLogs(path, options) : -1;
        Set<String> existing = exists ? DatabaseDirectory.families(path, options) : Set.of();
        Request request = new Request(path, options, familyOptions, existing);
        request.families().forEach(family -> OptionChecks.requireMergesOf(path, request.options(family)));
        if (!existing.isEmpty()) {
            if (!kind.hasTimes()) {
                TimeToLive.requireNoTimes(path);
            }
            requireFamilies(request, existing);
            requireMergeOperators(request);
            requireComparators(path, options, request::options, existing);
        }
        InfoLog log = InfoLog.of(path, options.dbLogDir());
        OpeningCleanup files = new OpeningCleanup(path, existing.isEmpty(), options.walDir(), options.dbLogDir());
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
        // The info log, which names the reason, stays.
        return requireLogged(path, options, logged, opened);
    }

    /** Opens an existing database without changing it. */
    static OpenedHandles openExisting(Path path, Options options, Map<String, Options> familyOptions, DatabaseKind kind,
            Opener opener) {
        ApiCall.requireEntries("families", familyOptions);
        CallbackGuard.requireToOpen();
        NativeCalls.requireAccess();
        OptionChecks.requireToOpen(path, options);
        DatabaseDirectory.requireDirectory(path);
        DatabaseDirectory.requireDatabase(path, "");
        FollowedPrimary primary = kind.followed();
        if (primary != null) {
            return openFollowing(path, options, familyOptions, kind, opener, primary);
        }
        ReadOnlyOpening opening = new ReadOnlyOpening(path, options);
        while (true) {
            opening.begin();
            long logged;
            OpenedHandles opened;
            try {
                logged = requireLogs(path, options);
                opened = openOnce(path, options, familyOptions, kind, opener);
            } catch (RocksDBException e) {
                opening.requireChange(e);
                continue;
            }
            if (!hasTakenAway(opening, opened)) {
                return requireLogged(path, options, logged, opened);
            }
            opened.close();
        }
    }

    private static OpenedHandles openFollowing(Path path, Options options, Map<String, Options> familyOptions,
            DatabaseKind kind, Opener opener, FollowedPrimary primary) {
        long logged = requireLogs(path, options);
        OpenedHandles opened = openOnce(path, options, familyOptions, kind, opener);
        try {
            Map<Integer, String> ids = new TreeMap<>();
            opened.families().forEach((name, handle) -> ids.put(NativeFamilies.id(handle), name));
            ApiCall.checkCalls(primary.opened(opened.db(), ids));
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
        // Not before: until then, the content of a log may be in a table that RocksDB has not seen.
        return requireLogged(path, options, logged, opened);
    }

    private static boolean hasTakenAway(ReadOnlyOpening opening, OpenedHandles opened) {
        try {
            return opening.hasTakenAway();
        } catch (Throwable e) {
            opened.close();
            throw e;
        }
    }

    private static OpenedHandles openOnce(Path path, Options options, Map<String, Options> familyOptions,
            DatabaseKind kind, Opener opener) {
        TimeToLive.requireNoTimes(path);
        Request request = new Request(path, options, familyOptions, DatabaseDirectory.families(path, options));
        requireMergeOperators(request);
        return open(request, kind, opener);
    }

    private static void makeParents(Path path, OpeningCleanup files) {
        try {
            files.makeParents();
        } catch (UncheckedIOException e) {
            throw DatabaseDirectory.fail(path, Status.Code.IO_ERROR,
                    "the directories above it cannot be made: " + e.getCause());
        }
    }

    private static void requireFamilies(Request request, Set<String> existing) {
        Set<String> missing = new TreeSet<>(request.familyOptions().keySet());
        missing.removeAll(existing);
        if (!missing.isEmpty() && !request.options().createMissingColumnFamilies()) {
            throw DatabaseDirectory.fail(request.path(), Status.Code.INVALID_ARGUMENT,
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
                // Any other error comes again when the database is opened as the caller wants it, or does not matter then.
            }
        }
    }

    /** Returns whether RocksDB continues behind a record that it cannot apply, so that the last sequence number does not show the loss. */
    private static boolean passesRecords(Options options) {
        return (options.walRecoveryMode() == WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS || !options.paranoidChecks())
                && !options.hasWalFilter();
    }

    /** Throws the exceptions of comparators in Java before anything on the disk is changed. */
    private static void requireComparators(Path path, Options options, Function<String, Options> familyOptions,
            Set<String> existing) {
        // A WAL filter would be shown each record twice.
        if (options.hasWalFilter() || existing.stream().map(familyOptions).noneMatch(Options::hasComparatorInJava)) {
            return;
        }
        List<Long> copies = new ArrayList<>();
        try (ComparatorFailure.Opening order = order(existing, familyOptions); Scratch scratch = ApiCall.scratch()) {
            MemorySegment names = scratch.allocate(ValueLayout.JAVA_LONG, existing.size());
            MemorySegment ofFamilies = scratch.allocate(ValueLayout.JAVA_LONG, existing.size());
            for (String family : existing) {
                int i = copies.size();
                copies.add(familyOptions.apply(family).copyNative());
                names.setAtIndex(ValueLayout.JAVA_LONG, i, ApiCall.in(scratch, family).address());
                ofFamilies.setAtIndex(ValueLayout.JAVA_LONG, i, copies.getLast());
            }
            copies.add(options.copyNative());
            CallbackFailures.forget();
            ComparatorDryRun.run(copies.getLast(), OsPath.in(scratch, path), existing.size(), names.address(),
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

    /** Makes the same check before a repair, as far as the database can be opened. */
    static void requireComparatorsToRepair(Path path, Options options) {
        if (options.hasComparatorInJava() && Files.exists(path.resolve(DatabaseDirectory.CURRENT))) {
            Set<String> existing;
            try {
                existing = DatabaseDirectory.families(path, options);
            } catch (RocksDBException e) {
                // This is the damage to repair.
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
        return NativeOpening.openReadOnly(options, path, count, names, familyOptions, handles, evenIfLogExists, error);
    }

    /** The shape of the C functions that open a database with its column families. */
    @FunctionalInterface
    interface Opener {
        long open(long options, MemorySegment path, int count, long names, long familyOptions, long handles,
                long error);
    }

    /**
     * The native handles of an opened database.
     *
     * @param db            the {@code rocksdb_t *}
     * @param kind          the kind of database
     * @param options       the options that it was opened with
     * @param families      the handles of all its column families, by name
     * @param familyOptions the options of families that have their own, by name
     * @param order         must be closed as soon as the database is registered
     * @param use           of its directory, if it has one
     * @param veto          of its compactions, if there is one
     */
    record OpenedHandles(long db, DatabaseKind kind, Options options, Map<String, Long> families,
            Map<String, Options> familyOptions, ComparatorFailure.Opening order, @Nullable DirectoryUse use,
            @Nullable CompactionVeto veto) {
        /** A constant, because {@link #close()} must do without new objects. */
        private static final BiConsumer<String, Long> DESTROY = OpenedHandles::destroy;

        Options options(String family) {
            return familyOptions.getOrDefault(family, options);
        }

        /** Closes the handles. Allocates nothing, because memory may have run out. */
        void close() {
            families.forEach(DESTROY);
            close(db);
            order.close();
        }

        /** Closes the native database after its families. */
        void close(long handle) {
            kind.close(handle);
            if (veto != null) {
                veto.close();
            }
            if (use != null) {
                use.close();
            }
        }

        private static void destroy(String family, long handle) {
            NativeFamilies.close(handle);
        }
    }

    /** The families to open: those of the database, and those that the caller named. */
    private record Request(Path path, Options options, Map<String, Options> familyOptions, Set<String> families) {
        Request {
            families = new LinkedHashSet<>(families);
            families.add(DatabaseDirectory.DEFAULT_FAMILY);
            families.addAll(familyOptions.keySet());
            familyOptions = Map.copyOf(familyOptions);
            familyOptions.values().forEach(each -> OptionChecks.requireToOpen(path, each));
        }

        Options options(String family) {
            return familyOptions.getOrDefault(family, options);
        }
    }

    private static OpenedHandles open(Request request, DatabaseKind kind, Opener opener) {
        DirectoryUse use = request.options().hasOwnEnv() ? null : use(request.path(), kind);
        ComparatorFailure.Opening order = null;
        CompactionVeto veto = null;
        try {
            order = order(request.families(), request::options);
            if (kind.isWritable()) {
                veto = request.options().compactionVeto();
            }
            return open(request, kind, opener, order, use, veto);
        } catch (Throwable e) {
            if (order != null) {
                order.close();
            }
            if (veto != null) {
                veto.close();
            }
            if (use != null) {
                use.close();
            }
            throw e;
        }
    }

    private static @Nullable DirectoryUse use(Path path, DatabaseKind kind) {
        Path directory = kind.logDirectory(path);
        if (directory == null) {
            return null;
        }
        DirectoryUse use = DirectoryUse.begin(OsPath.text(directory));
        if (use == null) {
            throw DatabaseDirectory.fail(path, Status.Code.BUSY,
                    "another thread of this process is destroying a database in " + directory);
        }
        return use;
    }

    private static ComparatorFailure.Opening order(Set<String> families, Function<String, Options> options) {
        return new ComparatorFailure.Opening(
                families.stream().map(options).map(Options::checkedComparator).filter(Objects::nonNull)
                        .collect(Collectors.toSet()));
    }

    private static OpenedHandles open(Request request, DatabaseKind kind, Opener opener,
            ComparatorFailure.Opening order, @Nullable DirectoryUse use, @Nullable CompactionVeto veto) {
        Path path = request.path();
        int count = request.families().size();
        List<Long> copies = new ArrayList<>();
        try (Scratch scratch = ApiCall.scratch()) {
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
            if (kind.isWritable() && order.hasComparators()) {
                OptionLimits.forComparatorInJava(copies.getLast());
            }
            if (veto != null) {
                veto.addTo(copies.getLast(), order.hasComparators(), order.failure());
            } else {
                order.failure().vetoBy(null, false);
            }
            OpenDatabase.preload();
            kind.linkCalls();
            long db = opener.open(copies.getLast(), OsPath.in(scratch, path), count, names.address(),
                    options.address(), handles.address(), ApiCall.error(scratch));
            if (db == 0) {
                DatabaseDirectory.checkOpened(path, scratch);
            }
            try {
                // Throws the exception of a callback, although the database was opened.
                DatabaseDirectory.checkOpened(path, scratch);
                Map<String, Long> opened = new LinkedHashMap<>();
                for (String family : request.families()) {
                    opened.put(family, handles.getAtIndex(ValueLayout.JAVA_LONG, opened.size()));
                }
                MergeGuard.requireNoMerges(path, db, opened, request::options);
                return new OpenedHandles(db, kind, request.options(), opened, request.familyOptions(), order, use,
                        veto);
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
     * Checks that the database has all changes of the log. When RocksDB cannot apply a record, it skips this record and all later ones, and
     * reports that only in its info log.
     */
    private static OpenedHandles requireLogged(Path path, Options options, long logged, OpenedHandles opened) {
        // In these cases, RocksDB has fewer changes to apply, or counts batches.
        if (options.hasWalFilter() || options.bestEffortsRecovery() || !opened.kind().numbersEntries()) {
            return opened;
        }
        long reached = NativeLog.latestSequenceNumber(opened.db());
        if (reached < logged) {
            opened.close();
            throw DatabaseDirectory.fail(path, Status.Code.CORRUPTION,
                    "RocksDB has skipped records of the log: the log ends at the sequence number " + logged
                            + ", the database at " + reached
                            + ". The info log gives the reason after the word"
                            + " \"dropping\". If the database was opened for writing, the records may be gone from its"
                            + " log: restore it from a backup, or from a copy of its files");
        }
        return opened;
    }

    /** Checks the logs; returns the sequence number that they reach, or -1 if that is not known. */
    private static long requireLogs(Path path, Options options) {
        LogChecks.Logs logs = LogChecks.check(path, options.logDirectory(path),
                options.walRecoveryMode() == WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS);
        ApiCall.requireSound(logs.problem());
        return logs.reached();
    }

    /** Opens a database that follows another process, its primary. */
    static OpenedHandles openSecondary(Path path, Path secondaryPath, Options options, Map<String, Options> families) {
        Path own = DatabaseDirectory.normalize(secondaryPath);
        Objects.requireNonNull(options, "options");
        ApiCall.requireEntries("families", families);
        if (own.equals(path)) {
            throw new IllegalArgumentException("A secondary instance needs a directory of its own for its log,"
                    + " not that of the database, " + path);
        }
        // Checked before the directory is made.
        DatabaseDirectory.requireDatabase(path, "");
        FollowedPrimary primary = new FollowedPrimary(path, options.logDirectory(path));
        ApiCall.check(primary.check());
        try {
            Files.createDirectories(own);
        } catch (IOException e) {
            throw DatabaseDirectory.fail(path, Status.Code.IO_ERROR,
                    "the directory " + own + " for the secondary instance cannot be made: " + e);
        }
        try {
            return openExisting(path, options, families, DatabaseKind.Limited.following(primary, own),
                    (native_, name, count, names, familyOptions, handles, error) -> {
                        OptionLimits.forReading(native_);
                        try (Scratch scratch = ApiCall.scratch()) {
                            return NativeOpening.openSecondary(native_, name,
                                    OsPath.in(scratch, own),
                                    count, names, familyOptions, handles, error);
                        }
                    });
        } catch (RocksDBException e) {
            String damage = primary.damage(e.status().codeNumber(), e.status().message());
            throw damage == null ? e : e.within(damage);
        }
    }

    /** Opens a database with timestamps without its last changes. */
    static OpenedHandles openTrimmed(Path path, Options options, Map<String, Options> families, byte[] timestamp) {
        byte[] copy = timestamp.clone();
        Objects.requireNonNull(options, "options");
        ApiCall.requireEntries("families", families);
        DatabaseDirectory.requireDatabase(path, "");
        for (String family : DatabaseDirectory.families(path, options)) {
            int size = families.getOrDefault(family, options).timestampSize();
            if (copy.length == 0 || (size != 0 && size != copy.length)) {
                throw DatabaseDirectory.fail(path, Status.Code.INVALID_ARGUMENT, "the timestamp has "
                        + copy.length + " bytes, but those of the column family " + family + " have " + size);
            }
        }
        return open(path, options, families, DatabaseKind.PLAIN,
                (native_, name, count, names, familyOptions, handles, error) -> {
                    try (Scratch scratch = ApiCall.scratch()) {
                        MemorySegment bytes = scratch.allocate(copy.length, 1);
                        MemorySegment.copy(copy, 0, bytes, ValueLayout.JAVA_BYTE, 0, copy.length);
                        return CApi.rocksdb_open_and_trim_history(native_, name, count, names, familyOptions, handles,
                                bytes, copy.length, error);
                    }
                });
    }

    /**
     * Opens a database for reading while another process, or this one, writes it. The writer deletes files: tables that RocksDB has just
     * found in the manifest, so that RocksDB calls the manifest corrupted; and logs that RocksDB has not read yet, and would leave out.
     */
    private static final class ReadOnlyOpening {
        private static final int MOST_ATTEMPTS = 20;
        private static final Pattern DATA_FILE = Pattern.compile("\\d+\\.(sst|ldb|blob|log)");

        /** RocksDB's message in such a case, although the manifest is sound. */
        private static final Pattern BLAME = Pattern.compile("\\s*The file \\S*MANIFEST-\\d+ may be corrupted\\.");

        private final Path database;
        private final Options options;
        private @Nullable Manifest manifest;
        private List<Path> logs = List.of();
        private int attempts;

        ReadOnlyOpening(Path database, Options options) {
            this.database = database;
            this.options = options;
        }

        /** Begins an attempt. */
        void begin() {
            attempts++;
            manifest = Manifest.of(database);
            if (manifest != null) {
                boolean _ = readOn(manifest);
            }
            logs = LogFormat.logs(options.logDirectory(database));
        }

        /** Returns whether a log was deleted since the attempt began, so that its changes may be missing in the opened database. */
        boolean hasTakenAway() {
            if (logs.stream().allMatch(Files::exists)) {
                requireLogs();
                return false;
            }
            if (attempts == MOST_ATTEMPTS) {
                throw busy("a log was deleted");
            }
            return true;
        }

        private void requireLogs() {
            Manifest read = manifest;
            if (read != null && read.isKnown()) {
                ApiCall.requireSound(new LiveLogs(database, options.logDirectory(database), false)
                        .missing(read, () -> readOn(read)));
            }
        }

        private void requireLogs(RocksDBException failure) {
            try {
                requireLogs();
            } catch (RocksDBException e) {
                e.addSuppressed(failure);
                throw e;
            }
        }

        /** Throws the failure of opening, unless the writer may have caused it. */
        void requireChange(RocksDBException failure) {
            Long holder = FileLocks.ofDatabase(database);
            if (holder == null) {
                throw failure;
            }
            Matcher file = DATA_FILE.matcher(failure.status().message());
            if (!file.find()) {
                requireLogs(failure);
                throw failure;
            }
            Manifest read = manifest;
            Manifest now = Manifest.of(database);
            boolean hasChanged = read == null || now == null || !now.isSame(read) || readOn(read)
                    || !logs.stream().allMatch(Files::exists);
            if (!hasChanged) {
                Path directory = file.group().endsWith(".log") ? options.logDirectory(database) : database;
                RocksDBException unreadable = DatabaseDirectory.fail(database, failure.status().code(),
                        failure.status().subCode(),
                        FileLocks.writer(holder) + " has it open, and its file " + file.group()
                                + (Files.exists(directory.resolve(file.group()))
                                        ? " has changed since it was written"
                                        : " is missing")
                                + " (" + BLAME.matcher(failure.status().toString()).replaceFirst("")
                                + "). If its tables are in other directories, name them with Options.dbPaths or cfPaths; otherwise"
                                + " restore the database from a backup");
                unreadable.initCause(failure);
                throw unreadable;
            }
            if (attempts == MOST_ATTEMPTS) {
                RocksDBException busy = busy("its file " + file.group() + " was deleted");
                busy.initCause(failure);
                throw busy;
            }
        }

        private static boolean readOn(Manifest manifest) {
            boolean hasGrown = manifest.readOn();
            ApiCall.requireSound(manifest.problem());
            return hasGrown;
        }

        private RocksDBException busy(String change) {
            Long holder = FileLocks.ofDatabase(database);
            return DatabaseDirectory.fail(database, Status.Code.TRY_AGAIN,
                    (holder == null ? "another process" : FileLocks.writer(holder)) + " is writing it, and " + change
                            + " each time it was being opened. Try again, or use openSecondary, which follows the writer");
        }
    }
}
