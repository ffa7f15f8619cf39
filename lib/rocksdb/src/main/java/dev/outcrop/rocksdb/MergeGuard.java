package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Keeps a database with merges from being opened without a merge operator: RocksDB 11.8.1 would forget the merges that are still in its
 * write-ahead log, and end the process when it reads other merges.
 */
final class MergeGuard {
    /** Finds the number of merges in the property of all table files. */
    private static final Pattern MERGES = Pattern.compile("# merge operands=0*[1-9]");
    private static final String NONE = "nullptr";
    private static final String FOUND = "holds merges";
    private static final String CANNOT_BE_READ = ", and cannot be read without its operator;"
            + " open it with new Options().mergeOperator(…)";
    /** {@code kTolerateCorruptedTailRecords}: nothing may be wrong except a record that was not written to its end. */
    private static final int STRICTLY = WalRecoveryMode.TOLERATE_CORRUPTED_TAIL_RECORDS.value();

    private MergeGuard() {
    }

    /**
     * Called before opening. Looks at the options that the families were last opened with.
     *
     * @return whether there are stored options; if not, only the content shows whether there are merges, see {@link #isAboutMerges}
     */
    static boolean requireOperators(Path path, Function<String, Options> options) {
        Map<String, String> stored = storedOperators(path);
        stored.forEach((family, operator) -> {
            if (!operator.equals(NONE) && !options.apply(family).hasMergeOperator()) {
                throw fail(path, family, "was last opened with the merge operator " + operator);
            }
        });
        return !stored.isEmpty();
    }

    /**
     * Changes native options so that opening for reading, which changes nothing on the disk, reports a merge in the log instead of leaving
     * it out.
     */
    static void readStrictly(long options) {
        CApi.rocksdb_options_set_paranoid_checks(options, (byte) 1);
        CApi.rocksdb_options_set_wal_recovery_mode(options, STRICTLY);
    }

    /** Returns whether opening failed because of merges, in the log or in the table files. */
    static boolean isAboutMerges(RocksDBException e) {
        return e.status().message().contains("merge_operator") || e.status().message().contains(FOUND);
    }

    /** Called after opening. Looks for merges in the table files. */
    static void requireNoMerges(Path path, long db, Map<String, Long> handles, Function<String, Options> options) {
        handles.forEach((family, handle) -> {
            if (!options.apply(family).hasMergeOperator() && hasMerges(db, handle)) {
                throw fail(path, family, FOUND);
            }
        });
    }

    private static boolean hasMerges(long db, long handle) {
        try (Scratch scratch = ApiCall.scratch()) {
            String properties = NativeFamilies.property(db, handle,
                    ApiCall.in(scratch, "rocksdb.aggregated-table-properties"));
            return properties != null && MERGES.matcher(properties).find();
        }
    }

    private static RocksDBException fail(Path path, String family, String reason) {
        boolean isDefault = family.equals(DatabaseDirectory.DEFAULT_FAMILY);
        return DatabaseDirectory.fail(path, Status.Code.INVALID_ARGUMENT,
                (isDefault ? "it " : "its column family " + family + " ") + reason + CANNOT_BE_READ
                        + (isDefault ? "" : " for this column family"));
    }

    /** The exception for merges in the log, of any family. */
    static RocksDBException foundInLog(Path path) {
        return DatabaseDirectory.fail(path, Status.Code.INVALID_ARGUMENT, "it " + FOUND + CANNOT_BE_READ);
    }

    /** The merge operator of each family, as the newest file of options names it. */
    private static Map<String, String> storedOperators(Path path) {
        Map<String, String> operators = new LinkedHashMap<>();
        try {
            OptionsFile.ofFamilies(path)
                    .forEach((family, options) -> operators.put(family, options.getOrDefault("merge_operator", NONE)));
        } catch (IOException e) {
            // No database yet, or another process has just replaced the file, or it is unreadable; the table files are checked later.
        }
        return operators;
    }
}
