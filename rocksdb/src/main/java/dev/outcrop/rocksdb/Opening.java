package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Opens databases, after looking for what would make RocksDB fail: it would start by creating the directory and by moving its own
 * log aside, and a database that cannot be opened is to be left as it was.
 */
final class Opening {
    /** The file that names the manifest; a directory with one is a database. */
    private static final String CURRENT = "CURRENT";
    private static final int MOST_THREADS = 1024;
    private static final long MOST_SECONDS = 100L * 366 * 24 * 60 * 60;

    private Opening() {
    }

    static long open(Path path, Options options) {
        NativeCalls.requireAccess();
        synchronized (options) {
            boolean isCreating = check(path, options);
            InfoLog log = InfoLog.of(path, options);
            NewFiles files = NewFiles.of(path, isCreating, options);
            try (Scratch scratch = Native.scratch()) {
                long error = Native.error(scratch);
                long db = CApi.rocksdb_open(options.reading(), Native.in(scratch, path.toString()), error);
                checkOpened(path, scratch);
                MergeGuard.requireNoMerges(path, db, options);
                return db;
            } catch (RocksDBException e) {
                log.restore();
                files.remove();
                throw e;
            }
        }
    }

    static long openReadOnly(Path path, Options options) {
        NativeCalls.requireAccess();
        synchronized (options) {
            requireSafe(path, options);
            requireDirectory(path);
            requireDatabase(path, "");
            requireFamilies(path, options);
            MergeGuard.requireOperator(path, options);
            try (Scratch scratch = Native.scratch()) {
                long error = Native.error(scratch);
                byte evenIfLogExists = 0;
                long db = CApi.rocksdb_open_for_read_only(options.reading(), Native.in(scratch, path.toString()),
                        evenIfLogExists,
                        error);
                checkOpened(path, scratch);
                MergeGuard.requireNoMerges(path, db, options);
                return db;
            }
        }
    }

    /** Returns whether a new database is to be created. */
    private static boolean check(Path path, Options options) {
        requireSafe(path, options);
        requireDirectory(path);
        if (Files.exists(path.resolve(CURRENT))) {
            if (options.errorIfExists()) {
                throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "a database exists there already, and error_if_exists is set");
            }
            FileLocks.requireUnlocked(path);
            requireFamilies(path, options);
            MergeGuard.requireOperator(path, options);
            return false;
        }
        if (!options.createIfMissing()) {
            requireDatabase(path, "; to create one, open it with new Options().createIfMissing(true)");
        }
        requireNoData(path);
        return true;
    }

    /** What is outside these limits ends the process in RocksDB 11.8.1: it runs out of memory or uses a cache that it did not get. */
    private static void requireSafe(Path path, Options options) {
        requireInRange(path, "num_levels", options.numLevels(), 0, 1000);
        requireInRange(path, "table_cache_numshardbits", options.tableCacheNumshardbits(), -1, 19);
        requireInRange(path, "log_readahead_size", options.logReadaheadSize(), 0, 1L << 30);
        // Threads: one that cannot be started ends the process.
        requireInRange(path, "max_background_jobs", options.maxBackgroundJobs(), -1, MOST_THREADS);
        requireInRange(path, "max_background_compactions", options.maxBackgroundCompactions(), -1, MOST_THREADS);
        requireInRange(path, "max_background_flushes", options.maxBackgroundFlushes(), -1, MOST_THREADS);
        requireInRange(path, "max_file_opening_threads", options.maxFileOpeningThreads(), -1, MOST_THREADS);
        // Cut to 32 bits, where it may become a 0 to divide by.
        requireInRange(path, "sample_for_compression", options.sampleForCompression(), 0, Integer.MAX_VALUE);
        requireInRange(path, "inplace_update_num_locks", options.inplaceUpdateNumLocks(),
                options.inplaceUpdateSupport() ? 1 : 0, 1L << 20);
        // Times that far back overflow; 100 years are enough.
        requireInRange(path, "preclude_last_level_data_seconds", options.precludeLastLevelDataSeconds(), 0,
                MOST_SECONDS);
        requireInRange(path, "preserve_internal_time_seconds", options.preserveInternalTimeSeconds(), 0, MOST_SECONDS);
        // Found out only when the database is there and its options are to be stored.
        requireFinite(path, "max_bytes_for_level_multiplier", options.maxBytesForLevelMultiplier());
        requireFinite(path, "memtable_prefix_bloom_size_ratio", options.memtablePrefixBloomSizeRatio());
        requireFinite(path, "blob_garbage_collection_age_cutoff", options.blobGcAgeCutoff());
        requireFinite(path, "blob_garbage_collection_force_threshold", options.blobGcForceThreshold());
        requireFinite(path, "experimental_mempurge_threshold", options.experimentalMempurgeThreshold());
    }

    private static void requireFinite(Path path, String option, double value) {
        if (!Double.isFinite(value)) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    option + " must be a finite number, but is " + value);
        }
    }

    private static void requireInRange(Path path, String option, long value, long least, long most) {
        if (value < least || value > most) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    option + " must be from " + least + " to " + most + ", but is " + value);
        }
    }

    private static void requireDirectory(Path path) {
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "it is a file, not a directory");
        }
    }

    private static void requireDatabase(Path path, String hint) {
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

    /** Reads the manifest, which RocksDB can do without changing anything: it shows whether the database can be opened here. */
    private static void requireFamilies(Path path, Options options) {
        List<String> families = new ArrayList<>();
        try (Scratch scratch = Native.scratch()) {
            long error = Native.error(scratch);
            long names = CApi.rocksdb_list_column_families(options.reading(), Native.in(scratch, path.toString()),
                    scratch.wordAddress(1), error);
            long n = scratch.word(1);
            MemorySegment array = NativeCalls.view(names, n * 8);
            for (long i = 0; i < n; i++) {
                families.add(NativeCalls.view(array.getAtIndex(ValueLayout.JAVA_LONG, i), Long.MAX_VALUE).getString(0));
            }
            CApi.rocksdb_list_column_families_destroy(names, n);
            checkOpened(path, scratch);
        }
        families.remove("default");
        if (!families.isEmpty()) {
            throw fail(path, Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                    "it has other column families than the default one, which this version cannot open yet: "
                            + families);
        }
    }

    private static void checkOpened(Path path, Scratch scratch) {
        try {
            Native.check(scratch);
        } catch (RocksDBException e) {
            Status status = e.status();
            throw new RocksDBException(status, "Cannot open the database " + path + ": " + status);
        }
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
