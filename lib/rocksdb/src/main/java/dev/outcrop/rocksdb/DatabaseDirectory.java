package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.DirectoryUse;
import dev.outcrop.rocksdb.engine.FileLocks;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.ObjectNames;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.batch.LogChecks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The directory of a database that is not open: its content, and the operations on its files. */
final class DatabaseDirectory {
    static final String DEFAULT_FAMILY = "default";
    /** The file that names the manifest; a directory with one is a database. */
    static final String CURRENT = "CURRENT";
    private static final Pattern OTHER_COMPARATOR = Pattern.compile("(.+): does not match existing comparator (.+)");
    /** Files that only a database has, even without its CURRENT. */
    private static final Pattern OWN = Pattern.compile("CURRENT|MANIFEST-\\d+|\\d+\\.(log|sst|ldb|blob)");

    private DatabaseDirectory() {
    }

    /** Returns the path for messages and for RocksDB. */
    static Path normalize(Path path) {
        if (!path.getFileSystem().equals(FileSystems.getDefault())) {
            throw fail(path, Status.Code.INVALID_ARGUMENT,
                    "RocksDB reaches only the files of the operating system, not those of "
                            + path.getFileSystem().provider());
        }
        try {
            return Files.exists(path) ? path.toRealPath() : path.toAbsolutePath().normalize();
        } catch (IOException e) {
            // Not readable: RocksDB reports that with its reason.
            return path.toAbsolutePath().normalize();
        }
    }

    static RocksDBException fail(Path path, Status.Code code, String reason) {
        return fail(path, code, Status.SubCode.NONE, reason);
    }

    static RocksDBException fail(Path path, Status.Code code, Status.SubCode subCode, String reason) {
        return RocksDBException.of(code, subCode, "Cannot open the database " + path + ": " + reason);
    }

    static void requireDirectory(Path path) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, "it is a file, not a directory");
        }
    }

    static void requireDatabase(Path path, String hint) {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.PATH_NOT_FOUND,
                    "there is no such directory" + hint);
        }
        if (!Files.exists(path.resolve(CURRENT))) {
            throw fail(path, Status.Code.INVALID_ARGUMENT,
                    "the directory holds no database: it has no file " + CURRENT + hint);
        }
    }

    /** Refuses a directory in which opening would fail; returns whether it holds a database. */
    static boolean isThere(Path path, Options options) {
        OptionChecks.requireToOpen(path, options);
        requireDirectory(path);
        if (Files.exists(path.resolve(CURRENT))) {
            if (options.errorIfExists()) {
                throw fail(path, Status.Code.INVALID_ARGUMENT,
                        "a database exists there already, and error_if_exists is set");
            }
            String problem = FileLocks.problem(path);
            if (problem != null) {
                throw fail(path, Status.Code.IO_ERROR, problem);
            }
            return true;
        }
        if (!options.createIfMissing()) {
            requireDatabase(path, "; to create one, open it with new Options().createIfMissing(true)");
        }
        requireNoData(path);
        return false;
    }

    /** Refuses a directory with files that only a database has: RocksDB would create a database there and delete them as obsolete. */
    private static void requireNoData(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        if (Files.exists(path.resolve("queue")) && Files.isDirectory(path.resolve("groups"))) {
            throw fail(path, Status.Code.INVALID_ARGUMENT,
                    "the directory holds a queue; use one of its own for the database");
        }
        try (Stream<Path> files = Files.list(path)) {
            List<String> data = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d+\\.(log|sst|ldb|blob)")).sorted().limit(3).toList();
            if (!data.isEmpty()) {
                throw fail(path, Status.Code.CORRUPTION, "it has no file " + CURRENT
                        + ", but data files (" + String.join(", ", data) + "), which creating a database would delete."
                        + " If this is a database, restore its " + CURRENT + "; if not, use an empty directory");
            }
        } catch (IOException e) {
            throw fail(path, Status.Code.IO_ERROR, "it cannot be listed: " + e);
        }
    }

    /** The column families of a database, read from its manifest, which RocksDB can do without changing anything. */
    static Set<String> families(Path path, Options options) {
        Set<String> families = new LinkedHashSet<>();
        ApiCall.requireSound(LogChecks.manifestProblem(path));
        long nativeOptions = options.copyNative();
        try (Scratch scratch = ApiCall.scratch()) {
            List<byte[]> names = NativeFamilies.names(scratch, nativeOptions, OsPath.in(scratch, path));
            checkOpened(path, scratch);
            names.forEach(name -> families.add(NativeText.string(name)));
            requireNamesWithoutNul(path, families, names.size());
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
        return families;
    }

    /** Refuses names of column families with a zero byte, which other programs can use: the C API cuts such names there. */
    private static void requireNamesWithoutNul(Path path, Set<String> families, int count) {
        String name = OptionsFile.ofFamiliesIfAny(path).keySet().stream().filter(each -> each.indexOf('\0') >= 0)
                .findFirst().orElse(null);
        if (name != null || families.size() < count) {
            throw fail(path, Status.Code.NOT_SUPPORTED, (name == null
                    ? "two of its column families have the same name up to a zero byte: " + families
                    : "the name of its column family \"" + name + "\" has a zero byte")
                    + ", at which RocksDB's C API cuts names. Open it with org.rocksdb, for which names are bytes");
        }
    }

    static void checkOpened(Path path, Scratch scratch) {
        try {
            ApiCall.check(scratch);
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

    /** Refuses a database that some process has open for writing. */
    static void requireClosed(String attempt, Path path) {
        Long holder = FileLocks.ofDatabase(path);
        if (holder != null) {
            throw RocksDBException.of(Status.Code.BUSY, "Cannot " + attempt + " " + path + ": "
                    + (holder == ProcessHandle.current().pid() ? "this process" : "process " + holder)
                    + " has the database open; close it there first");
        }
    }

    static void destroy(Path path, Options options) {
        if (options.hasOwnEnv()) {
            run("destroy the database", path, options, NativeOpening::destroy);
            return;
        }
        try (DirectoryUse use = DirectoryUse.destroy(OsPath.text(path))) {
            if (use == null) {
                requireClosed("destroy the database", path);
                throw RocksDBException.of(Status.Code.BUSY, "Cannot destroy the database " + path + ": this process is"
                        + " opening or destroying it, or a secondary instance has its info log there; close it first");
            }
            run("destroy the database", path, options, NativeOpening::destroy);
        }
    }

    static void repair(Path path, Options options) {
        NativeCalls.requireAccess();
        OptionsFile.ofFamiliesIfAny(path).forEach((family, stored) -> {
            String comparator = stored.getOrDefault("comparator", options.comparatorName());
            if (!comparator.equals(options.comparatorName())) {
                // RocksDB would put tables of another order aside as lost.
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        "Cannot repair the database " + path + ": the keys of its column family " + family
                                + " have the order of " + comparator + ", but the options say "
                                + options.comparatorName());
            }
        });
        ApiCall.requireSound(LogChecks.repairProblem(options.logDirectory(path)));
        MergeGuard.requireOperators(path, _ -> options);
        DatabaseOpener.requireComparatorsToRepair(path, options);
        OptionChecks.requireToWrite("Cannot repair the database " + path, options);
        try (DirectoryUse use = DirectoryUse.begin(OsPath.text(path))) {
            if (use == null) {
                throw RocksDBException.of(Status.Code.BUSY, "Cannot repair the database " + path
                        + ": another thread of this process is destroying it");
            }
            run("repair the database", path, options, CApi::rocksdb_repair_db);
        }
    }

    /** The shape of the C functions that do something to a whole database. */
    private interface Operation {
        void call(long options, MemorySegment path, long error);
    }

    private static void run(String attempt, Path path, Options options, Operation operation) {
        NativeCalls.requireAccess();
        OptionChecks.require("Cannot " + attempt + " " + path, options);
        requireFiles(attempt, path, options);
        requireClosed(attempt, path);
        long nativeOptions = options.copyNative();
        try (Scratch scratch = ApiCall.scratch()) {
            operation.call(nativeOptions, OsPath.in(scratch, path), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot " + attempt + " " + path);
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    /** Refuses a directory without such files: RocksDB would silently do nothing, or make a database of any directory. */
    private static void requireFiles(String attempt, Path path, Options options) {
        if (options.hasOwnEnv()) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            if (files.noneMatch(file -> OWN.matcher(file.getFileName().toString()).matches())) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        "Cannot " + attempt + " " + path + ": the directory has no file of a database");
            }
        } catch (IOException e) {
            boolean isMissing = !Files.exists(path);
            throw RocksDBException.of(isMissing ? Status.Code.INVALID_ARGUMENT : Status.Code.IO_ERROR,
                    isMissing ? Status.SubCode.PATH_NOT_FOUND : Status.SubCode.NONE, "Cannot " + attempt + " " + path
                            + ": " + (isMissing ? "there is no such directory" : "it cannot be listed: " + e));
        }
    }
}
