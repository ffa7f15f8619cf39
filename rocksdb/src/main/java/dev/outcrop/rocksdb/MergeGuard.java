package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Keeps a database with merges from being opened without a merge operator: RocksDB 11.8.1 would forget those that are still in its
 * write-ahead log, and end the process when it reads the others.
 */
final class MergeGuard {
    /** Each time it opens a database, RocksDB stores the options in such a file. */
    private static final Pattern FILE = Pattern.compile("OPTIONS-(\\d+)");
    private static final Pattern OPERATOR = Pattern.compile("\\s*merge_operator=(.*)");
    /** How the property words the number of merges in all table files. */
    private static final Pattern MERGES = Pattern.compile("# merge operands=0*[1-9]");
    private static final String NONE = "nullptr";
    private static final String FOUND = "it holds merges";
    /** {@code kTolerateCorruptedTailRecords}: a record that was not written to its end is all that may be wrong. */
    private static final int STRICTLY = WalRecoveryMode.TOLERATE_CORRUPTED_TAIL_RECORDS.value();

    private MergeGuard() {
    }

    /**
     * Before opening: looks at the options that the database was last opened with, or at its content if these are not there any
     * more.
     */
    static void requireOperator(Path path, Options options) {
        if (options.hasMergeOperator()) {
            return;
        }
        Optional<String> stored = storedOperator(path);
        if (stored.isEmpty()) {
            if (holdsMerges(path, options)) {
                throw fail(path, FOUND);
            }
        } else if (!stored.get().equals(NONE)) {
            throw fail(path, "it was last opened with the merge operator " + stored.get());
        }
    }

    /**
     * Whether there are merges in the write-ahead log or in the table files. Opening a database for reading changes nothing on the
     * disk, and when it reads the log strictly, RocksDB reports a merge that it would leave out.
     */
    private static boolean holdsMerges(Path path, Options options) {
        long strict = CApi.rocksdb_options_create_copy(options.reading());
        try (Scratch scratch = Native.scratch()) {
            CApi.rocksdb_options_set_paranoid_checks(strict, (byte) 1);
            CApi.rocksdb_options_set_wal_recovery_mode(strict, STRICTLY);
            long error = Native.error(scratch);
            byte evenIfLogExists = 0;
            long db = CApi.rocksdb_open_for_read_only(strict, Native.in(scratch, path.toString()), evenIfLogExists,
                    error);
            Native.check(scratch);
            boolean isInTables = isInTables(db, scratch);
            CApi.rocksdb_close(db);
            return isInTables;
        } catch (RocksDBException e) {
            // Any other error comes again when the database is opened as the caller wants it, or is none then.
            return e.status().message().contains("merge_operator");
        } finally {
            CApi.rocksdb_options_destroy(strict);
        }
    }

    /** After opening: looks for merges in the table files. */
    static void requireNoMerges(Path path, long db, Options options) {
        if (options.hasMergeOperator()) {
            return;
        }
        try (Scratch scratch = Native.scratch()) {
            if (isInTables(db, scratch)) {
                CApi.rocksdb_close(db);
                throw fail(path, FOUND);
            }
        }
    }

    private static boolean isInTables(long db, Scratch scratch) {
        long properties = CApi.rocksdb_property_value(db,
                Native.in(scratch, "rocksdb.aggregated-table-properties"));
        return properties != 0 && MERGES.matcher(Native.takeString(properties)).find();
    }

    private static RocksDBException fail(Path path, String reason) {
        return Opening.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, reason
                + ", and cannot be read without its operator; open it with new Options().mergeOperator(…)");
    }

    private static Optional<String> storedOperator(Path path) {
        try (Stream<Path> files = Files.list(path)) {
            Optional<Path> newest = files.filter(file -> number(file) >= 0)
                    .max(Comparator.comparingLong(MergeGuard::number));
            if (newest.isEmpty()) {
                return Optional.empty();
            }
            return Files.readAllLines(newest.get()).stream().map(OPERATOR::matcher).filter(Matcher::matches)
                    .map(line -> line.group(1).strip()).findFirst();
        } catch (IOException e) {
            // Another process has just replaced the file, or it is unreadable; the table files will tell.
            return Optional.empty();
        }
    }

    private static long number(Path file) {
        Matcher name = FILE.matcher(file.getFileName().toString());
        return name.matches() && name.group(1).length() <= 18 ? Long.parseLong(name.group(1)) : -1;
    }
}
