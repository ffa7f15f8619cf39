package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FileLocks;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is done to the files of a database that is not open. */
final class DatabaseFiles {
    /** Files by which a directory is known as a database, even without its CURRENT. */
    private static final Pattern OWN = Pattern.compile("CURRENT|MANIFEST-\\d+|\\d+\\.(log|sst|ldb|blob)");

    private DatabaseFiles() {
    }

    /** Refuses a database that some process has open for writing. */
    static void requireClosed(String attempt, Path path) {
        Long holder = FileLocks.ofDatabase(path);
        if (holder != null) {
            throw RocksDBException.of(Status.Code.BUSY, Status.SubCode.NONE, "Cannot " + attempt + " " + path + ": "
                    + (holder == ProcessHandle.current().pid() ? "this process" : "process " + holder)
                    + " has the database open; close it there first");
        }
    }

    static void destroy(Path path, Options options) {
        run("destroy the database", path, options, NativeOpening::destroy);
    }

    static void repair(Path path, Options options) {
        NativeCalls.requireAccess();
        OptionsFile.ofFamiliesIfAny(path).forEach((family, stored) -> {
            String comparator = stored.getOrDefault("comparator", options.comparatorName());
            if (!comparator.equals(options.comparatorName())) {
                // Tables of another order would be put aside as lost.
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "Cannot repair the database " + path + ": the keys of its column family " + family
                                + " have the order of " + comparator + ", but the options say "
                                + options.comparatorName());
            }
        });
        LogChecks.requireLogsToRepair(path, options);
        MergeGuard.requireOperators(path, _ -> options);
        DatabaseOpener.requireComparatorsToRepair(path, options);
        run("repair the database", path, options, CApi::rocksdb_repair_db);
    }

    /** The shape of the C functions that do something to a whole database. */
    private interface Operation {
        void call(long options, MemorySegment path, long error);
    }

    private static void run(String attempt, Path path, Options options, Operation operation) {
        NativeCalls.requireAccess();
        SafeOptions.require(path, options);
        requireFiles(attempt, path, options);
        requireClosed(attempt, path);
        long nativeOptions = options.copyNative();
        try (Scratch scratch = Native.scratch()) {
            operation.call(nativeOptions, OsPath.in(scratch, path), Native.error(scratch));
            Native.check(scratch, "Cannot " + attempt + " " + path);
        } finally {
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    /** RocksDB would do nothing without a word, or make a database of any directory. */
    private static void requireFiles(String attempt, Path path, Options options) {
        if (options.hasOwnEnv()) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            if (files.noneMatch(file -> OWN.matcher(file.getFileName().toString()).matches())) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
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
