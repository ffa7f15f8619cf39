package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Calls of checkpoints, and of column families that are exported and imported. */
public final class NativeCheckpoints {
    private NativeCheckpoints() {
    }

    /** Makes what the other calls are made with. */
    public static long open(long db, long error) {
        return CApi.rocksdb_checkpoint_object_create(db, error);
    }

    public static void close(long checkpoint) {
        CApi.rocksdb_checkpoint_object_destroy(checkpoint);
    }

    /** Copies the database to a directory. */
    public static void create(Scratch scratch, long checkpoint, MemorySegment directory, long logSizeForFlush) {
        CApi.rocksdb_checkpoint_create(checkpoint, directory, logSizeForFlush, NativeCall.error(scratch));
    }

    /** Copies a column family to a directory; returns the {@code rocksdb_export_import_files_metadata_t *}. */
    public static long export(Scratch scratch, long checkpoint, long family, MemorySegment directory) {
        return CApi.rocksdb_checkpoint_export_column_family(checkpoint, family, directory,
                NativeCall.error(scratch));
    }

    public static void destroyExport(long metadata) {
        CApi.rocksdb_export_import_files_metadata_destroy(metadata);
    }

    /** Makes a column family of an exported one. */
    public static long createFamily(Scratch scratch, long db, long options, MemorySegment name, long importOptions,
            long metadata) {
        return CApi.rocksdb_create_column_family_with_import(db, options, name, importOptions, metadata,
                NativeCall.error(scratch));
    }

    public static long newImportOptions() {
        return CApi.rocksdb_import_column_family_options_create();
    }

    public static void destroyImportOptions(long options) {
        CApi.rocksdb_import_column_family_options_destroy(options);
    }
}
