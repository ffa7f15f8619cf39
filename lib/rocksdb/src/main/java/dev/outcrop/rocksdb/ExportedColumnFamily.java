package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.TableFile;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The files of a column family that was {@linkplain ColumnFamily#export(java.nio.file.Path) exported}, which {@link
 * RocksDB#createColumnFamilyWithImport} can import into any database. There is nothing to close. Thread-safe.
 */
public final class ExportedColumnFamily {
    /** RocksDB takes over the largest sequence number and counts on from there, up to 2^56. This is far more than any database reaches. */
    private static final long LAST_SEQUENCE_NUMBER = 1L << 55;

    private final String comparator;
    private final List<LiveFile> files;
    /**
     * RocksDB's own export; null if this was put together from its parts. Files with deleted ranges cannot be imported then: the C API does
     * not take how far a deletion reaches in each of the files that share it.
     */
    private final @Nullable NativeObject exported;

    /**
     * Puts an export together from its parts, for example in another process than the one that exported.
     *
     * @param comparator the name of the column family's comparator, see {@link #comparator()}
     * @param files      its files, as they were exported; they may have been moved
     * @throws IllegalArgumentException if there is a NUL character in {@code comparator}, a level is negative, or a sequence number is out
     *                                  of range
     */
    public ExportedColumnFamily(String comparator, List<LiveFile> files) {
        Objects.requireNonNull(comparator, "comparator");
        OptionValues.requireNoNul("The comparator's name", comparator);
        ApiCall.requireElements("files", files);
        for (LiveFile file : files) {
            OptionValues.notNegative("The level of " + file.path(), file.level());
            OptionValues.inRange("The largest sequence number of " + file.path(), file.largestSequenceNumber(), 0,
                    LAST_SEQUENCE_NUMBER);
            OptionValues.inRange("The smallest sequence number of " + file.path(), file.smallestSequenceNumber(), 0,
                    file.largestSequenceNumber());
            OptionValues.requireNoNul("The column family's name", file.columnFamily());
            OsPath.require(file.path());
        }
        this.comparator = comparator;
        this.files = List.copyOf(files);
        this.exported = null;
    }

    /** Takes over the result of {@code rocksdb_checkpoint_export_column_family}. */
    ExportedColumnFamily(Scratch scratch, long metadata) {
        this.comparator = ApiCall
                .takeString(CApi.rocksdb_export_import_files_metadata_get_db_comparator_name(metadata));
        this.files = LiveFile.of(
                NativeFiles.takeTables(scratch, CApi.rocksdb_export_import_files_metadata_get_files(metadata)));
        this.exported = new NativeObject(this, metadata, NativeCheckpoints::destroyExport);
    }

    /**
     * Returns the name of the comparator; the new column family must have the same comparator.
     *
     * @return such as {@code "leveldb.BytewiseComparator"}
     */
    public String comparator() {
        return comparator;
    }

    /**
     * Returns the files.
     *
     * @return an unmodifiable list
     */
    public List<LiveFile> files() {
        return files;
    }

    /** Calls a function with the {@code rocksdb_export_import_files_metadata_t *}. */
    private <T> T ask(LongFunction<T> call) {
        if (exported != null) {
            try {
                return call.apply(exported.address());
            } finally {
                Reference.reachabilityFence(this);
            }
        }
        long metadata = CApi.rocksdb_export_import_files_metadata_create();
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment name = ApiCall.in(scratch, comparator);
            CApi.rocksdb_export_import_files_metadata_set_db_comparator_name(metadata, name);
            CApi.rocksdb_export_import_files_metadata_set_files(metadata,
                    NativeFiles.newTables(scratch, files.stream().map(LiveFile::table).toList()));
            return call.apply(metadata);
        } finally {
            NativeCheckpoints.destroyExport(metadata);
        }
    }

    /** Creates a column family from the files. */
    ColumnFamily create(OpenDatabase database, String name, Options options, ImportColumnFamilyOptions importOptions) {
        List<Path> paths = files.stream().map(LiveFile::path).toList();
        Objects.requireNonNull(importOptions, "importOptions");
        long nativeOptions = options.copyNative();
        try (Scratch scratch = database.enterForAdmin()) {
            MemorySegment text = OptionValues.text("A column family's name", name, scratch);
            database.requireWritable("changed");
            database.requireNoTimes("an import");
            if (database.kind().locksKeys()) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                        "RocksDB would not lock the keys of an imported column family of the " + database
                                + "; import it with RocksDB.open(…), then open it with TransactionDB again");
            }
            OptionChecks.requireToCreate("Cannot create the column family " + name + " with an import", options);
            requireImportable(options);
            OptionChecks.requireReadable(paths, "column family " + name, options);
            long handle = ask(metadata -> NativeCheckpoints.createFamily(scratch, database.db, nativeOptions,
                    text, importOptions.use(), metadata));
            ApiCall.requireDone(scratch, "Cannot create the column family " + name + " with an import");
            return CallbackFailures.rethrowAfter(() -> database.adopt(scratch, name, handle, options));
        } finally {
            Reference.reachabilityFence(importOptions);
            NativeDbOptions.destroy(nativeOptions);
        }
    }

    private void requireImportable(Options options) {
        for (LiveFile file : files) {
            if (file.level() >= options.numLevels()) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        "The file " + file.path() + " is of level " + file.level() + ", but num_levels is "
                                + options.numLevels() + " for the new column family");
            }
            if (exported == null && TableFile.hasRangeDeletions(file.path())) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                        "The file " + file.path() + " holds deleted ranges, which can be imported only with the object"
                                + " that export(…) returned. Compact the column family before it is exported,"
                                + " or import it in the same process");
            }
        }
    }

    /** The number of files, for messages. */
    @Override
    public String toString() {
        return "exported column family of " + files.size() + " files";
    }
}
