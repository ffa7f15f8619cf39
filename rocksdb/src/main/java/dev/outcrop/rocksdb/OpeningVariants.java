package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Databases that follow another process's writes, and such that are opened without their last changes. */
final class OpeningVariants {
    private OpeningVariants() {
    }

    static Opened openSecondary(Path path, Path secondaryPath, Options options, Map<String, Options> families) {
        Path own = Opening.normalize(secondaryPath);
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(families, "families");
        if (own.equals(path)) {
            throw new IllegalArgumentException("A secondary instance needs a directory of its own for its log,"
                    + " not that of the database, " + path);
        }
        // Looked at before the directory is made.
        Opening.requireDatabase(path, "");
        new FollowedLogs().require(path, options);
        try {
            Files.createDirectories(own);
        } catch (IOException e) {
            throw Opening.fail(path, Status.Code.IO_ERROR, Status.SubCode.NONE,
                    "the directory " + own + " for the secondary instance cannot be made: " + e);
        }
        return Opening.openExisting(path, options, families, LimitedKind.SECONDARY,
                (native_, name, count, names, familyOptions, handles, error) -> {
                    try (Scratch scratch = Native.scratch()) {
                        return CApi.rocksdb_open_as_secondary_column_families(native_, name, OsPath.in(scratch, own),
                                count, names, familyOptions, handles, error);
                    }
                });
    }

    static void tryCatchUpWithPrimary(Store store) {
        try (Scratch scratch = store.enterToWork()) {
            if (!store.kind().follows()) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                        "The " + store + " was not opened with openSecondary, and has nothing to catch up with");
            }
            // The primary may have got a merge operator meanwhile; it stored that before it merged anything.
            MergeGuard.requireOperators(store.path, family -> {
                ColumnFamily known = store.family(family);
                return known == null
                        ? new Options().mergeOperator(MergeOperator.STRING_APPEND)
                        : known.family().options;
            });
            store.followedLogs.require(store.path, store.options);
            CApi.rocksdb_try_catch_up_with_primary(store.db, Native.error(scratch));
            Native.check(scratch, "Cannot catch up with the primary instance of the " + store);
        }
    }

    static Opened openTrimmed(Path path, Options options, Map<String, Options> families, byte[] timestamp) {
        byte[] copy = timestamp.clone();
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(families, "families");
        Opening.requireDatabase(path, "");
        for (String family : Opening.families(path, options)) {
            int size = families.getOrDefault(family, options).timestampSize();
            if (copy.length == 0 || (size != 0 && size != copy.length)) {
                throw Opening.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "the timestamp has "
                        + copy.length + " bytes, but those of the column family " + family + " have " + size);
            }
        }
        return Opening.open(path, options, families, DatabaseKind.PLAIN,
                (native_, name, count, names, familyOptions, handles, error) -> {
                    try (Scratch scratch = Native.scratch()) {
                        MemorySegment bytes = scratch.allocate(copy.length, 1);
                        MemorySegment.copy(copy, 0, bytes, ValueLayout.JAVA_BYTE, 0, copy.length);
                        return CApi.rocksdb_open_and_trim_history(native_, name, count, names, familyOptions, handles,
                                bytes, copy.length, error);
                    }
                });
    }
}
