package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The files of a column family that was {@linkplain ColumnFamily#export(java.nio.file.Path) exported}, to be imported into any
 * database with {@link RocksDB#createColumnFamilyWithImport}. There is nothing to close. Thread-safe.
 */
public final class ExportedColumnFamily {
    /** RocksDB takes over the largest one and counts on from there, to 2^56 at most; far more than any database comes to. */
    private static final long LAST_SEQUENCE_NUMBER = 1L << 55;

    private final String comparator;
    private final List<LiveFile> files;
    /** What RocksDB itself knows of the export; null if it was put together from its parts. */
    private final @Nullable NativeObject exported;

    /**
     * Puts an export together from its parts, for example in another process than the one that exported.
     *
     * @param comparator the name of the column family's comparator, see {@link #comparator()}
     * @param files      its files, as they were exported; they may have been moved
     * @throws IllegalArgumentException if there is a NUL character in {@code comparator}, a level is negative, or there are no such
     *                                  sequence numbers
     */
    public ExportedColumnFamily(String comparator, List<LiveFile> files) {
        Objects.requireNonNull(comparator, "comparator");
        OptionValues.requireNoNul("The comparator's name", comparator);
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

    /** Takes what {@code rocksdb_checkpoint_export_column_family} returned. */
    ExportedColumnFamily(Scratch scratch, long metadata) {
        this.comparator = Native
                .takeString(CApi.rocksdb_export_import_files_metadata_get_db_comparator_name(metadata));
        this.files = LiveFiles.of(
                NativeFiles.takeTables(scratch, CApi.rocksdb_export_import_files_metadata_get_files(metadata)));
        this.exported = new NativeObject(this, metadata, NativeCheckpoints::destroyExport);
    }

    /**
     * The name of the comparator; the new column family must have the same.
     *
     * @return such as {@code "leveldb.BytewiseComparator"}
     */
    public String comparator() {
        return comparator;
    }

    /**
     * The files.
     *
     * @return an unchangeable list
     */
    public List<LiveFile> files() {
        return files;
    }

    /**
     * Whether everything is known that importing files with deleted ranges takes. The C API does not let that be told in parts: how far
     * a deletion reaches in each of the files that share it.
     */
    boolean isComplete() {
        return exported != null;
    }

    /** Calls a function with the {@code rocksdb_export_import_files_metadata_t *}. */
    <T> T ask(LongFunction<T> call) {
        if (exported != null) {
            try {
                return call.apply(exported.address());
            } finally {
                Reference.reachabilityFence(this);
            }
        }
        long metadata = CApi.rocksdb_export_import_files_metadata_create();
        try (Scratch scratch = Native.scratch()) {
            MemorySegment name = Native.in(scratch, comparator);
            CApi.rocksdb_export_import_files_metadata_set_db_comparator_name(metadata, name);
            CApi.rocksdb_export_import_files_metadata_set_files(metadata, LiveFiles.make(scratch, files));
            return call.apply(metadata);
        } finally {
            NativeCheckpoints.destroyExport(metadata);
        }
    }

    /** The number of files, for messages. */
    @Override
    public String toString() {
        return "exported column family of " + files.size() + " files";
    }
}
