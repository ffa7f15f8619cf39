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
 * log, and end the process when it reads the others.
 */
final class MergeGuard {
    /** Each time it opens a database, RocksDB stores the options in such a file. */
    private static final Pattern FILE = Pattern.compile("OPTIONS-(\\d+)");
    private static final Pattern OPERATOR = Pattern.compile("\\s*merge_operator=(.*)");
    /** How the property words the number of merges in all table files. */
    private static final Pattern MERGES = Pattern.compile("# merge operands=0*[1-9]");

    private MergeGuard() {
    }

    /** Before opening: looks at the options that the database was last opened with. */
    static void requireOperator(Path path, Options options) {
        if (options.hasMergeOperator()) {
            return;
        }
        Optional<String> stored = storedOperator(path).filter(name -> !name.equals("nullptr"));
        if (stored.isPresent()) {
            throw fail(path, "it was last opened with the merge operator " + stored.get());
        }
    }

    /** After opening: looks for merges in the table files. */
    static void requireNoMerges(Path path, long db, Options options) {
        if (options.hasMergeOperator()) {
            return;
        }
        try (Scratch scratch = Native.scratch()) {
            long properties = CApi.rocksdb_property_value(db,
                    Native.in(scratch, "rocksdb.aggregated-table-properties"));
            if (properties != 0 && MERGES.matcher(Native.takeString(properties)).find()) {
                CApi.rocksdb_close(db);
                throw fail(path, "it holds merges");
            }
        }
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
