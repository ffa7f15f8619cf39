package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.OsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** A database that follows what another process, its primary, writes. */
final class SecondaryInstance {
    private SecondaryInstance() {
    }

    static OpenedHandles open(Path path, Path secondaryPath, Options options, Map<String, Options> families) {
        Path own = DatabaseOpener.normalize(secondaryPath);
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(families, "families");
        if (own.equals(path)) {
            throw new IllegalArgumentException("A secondary instance needs a directory of its own for its log,"
                    + " not that of the database, " + path);
        }
        // Looked at before the directory is made.
        DatabaseOpener.requireDatabase(path, "");
        FollowedPrimary primary = new FollowedPrimary(path, options);
        primary.look();
        try {
            Files.createDirectories(own);
        } catch (IOException e) {
            throw DatabaseOpener.fail(path, Status.Code.IO_ERROR, Status.SubCode.NONE,
                    "the directory " + own + " for the secondary instance cannot be made: " + e);
        }
        try {
            return DatabaseOpener.openExisting(path, options, families, LimitedKind.following(primary),
                    (native_, name, count, names, familyOptions, handles, error) -> {
                        OptionLimits.forReading(native_);
                        try (Scratch scratch = Native.scratch()) {
                            return NativeOpening.openSecondary(native_, name,
                                    OsPath.in(scratch, own),
                                    count, names, familyOptions, handles, error);
                        }
                    });
        } catch (RocksDBException e) {
            throw primary.named(e);
        }
    }

    static void tryCatchUpWithPrimary(Store store) {
        try (Scratch _ = store.enterToWork()) {
            FollowedPrimary primary = store.kind().followed();
            if (primary == null) {
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
            primary.catchUp(store.db);
        }
    }
}
