package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that a database consists of, as records. */
final class LiveFiles {
    private LiveFiles() {
    }

    static List<LiveFile> of(Store store) {
        try (Scratch scratch = store.enterToLook()) {
            return of(NativeFiles.tables(scratch, store.db));
        }
    }

    static List<LiveFile> of(List<NativeFiles.Table> tables) {
        return tables.stream().map(table -> new LiveFile(table.family(), path(table.directory(), table.name()),
                table.level(), table.size(), table.smallestKey(), table.largestKey(),
                table.smallestSequence(), table.largestSequence(), table.entries(), table.deletions())).toList();
    }

    /** Makes a {@code rocksdb_livefiles_t *}. */
    static long make(Scratch scratch, List<LiveFile> files) {
        long list = CApi.rocksdb_livefiles_create();
        try {
            files.forEach(file -> add(scratch, list, file));
            return list;
        } catch (Throwable e) {
            // A key in memory that is gone, for example.
            NativeFiles.destroyTables(list);
            throw e;
        }
    }

    private static void add(Scratch scratch, long list, LiveFile file) {
        long made = CApi.rocksdb_livefile_create();
        try {
            String path = OsPath.text(OsPath.require(file.path()));
            int name = path.lastIndexOf('/');
            CApi.rocksdb_livefile_set_column_family_name(made, Native.in(scratch, file.columnFamily()));
            CApi.rocksdb_livefile_set_directory(made, Native.in(scratch, path.substring(0, name)));
            CApi.rocksdb_livefile_set_name(made, Native.in(scratch, path.substring(name)));
            CApi.rocksdb_livefile_set_level(made, file.level());
            CApi.rocksdb_livefile_set_size(made, file.size());
            CApi.rocksdb_livefile_set_smallest_key(made, Native.in(scratch, file.smallestKey()),
                    file.smallestKey().byteSize());
            CApi.rocksdb_livefile_set_largest_key(made, Native.in(scratch, file.largestKey()),
                    file.largestKey().byteSize());
            CApi.rocksdb_livefile_set_smallest_seqno(made, file.smallestSequenceNumber());
            CApi.rocksdb_livefile_set_largest_seqno(made, file.largestSequenceNumber());
            CApi.rocksdb_livefile_set_num_entries(made, file.entries());
            CApi.rocksdb_livefile_set_num_deletions(made, file.deletions());
        } catch (Throwable e) {
            CApi.rocksdb_livefile_destroy(made);
            throw e;
        }
        CApi.rocksdb_livefiles_add(list, made);
    }

    static List<LiveFileStorageInfo> storageInfo(Store store, LiveFilesStorageInfoOptions options) {
        try (Scratch scratch = store.enterToWait()) {
            if (options.atomicFlush()) {
                store.forcedFlushes.beforeForced(store);
            }
            List<NativeFiles.Stored> files = NativeFiles.stored(scratch, store.db, options.use());
            Native.check(scratch, "Cannot list the files of the " + store);
            return files.stream().map(file -> new LiveFileStorageInfo(path(file.directory(), file.name()),
                    file.number(), FileType.of(file.type()), file.size(), Temperature.of(file.temperature()),
                    file.checksum(), file.checksumFunction(), file.replacement(), file.isTrimmed())).toList();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    static ColumnFamilyMetadata metadata(Family family) {
        try (Scratch scratch = family.enterToLook()) {
            return takeMetadata(scratch,
                    CApi.rocksdb_get_column_family_metadata_cf(family.store.db, family.handle));
        }
    }

    static ColumnFamilyMetadata metadata(Family family, ColumnFamilyMetadataOptions options) {
        try (Scratch scratch = family.enterToLook()) {
            requireTimestamp(family, options.startKey());
            requireTimestamp(family, options.endKey());
            return takeMetadata(scratch, CApi.rocksdb_get_column_family_metadata_cf_with_options(family.store.db,
                    family.handle, options.use()));
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** RocksDB looks for a timestamp at the end of such a key, before its first byte if it is too short for one. */
    private static void requireTimestamp(Family family, byte @Nullable [] key) {
        if (key != null && key.length < family.timestampSize) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "Keys of the " + family
                    + " end with a timestamp of " + family.timestampSize + " bytes, and this one has only "
                    + key.length);
        }
    }

    /** Reads a {@code rocksdb_column_family_metadata_t *} and frees it. */
    private static ColumnFamilyMetadata takeMetadata(Scratch scratch, long metadata) {
        try {
            List<LevelMetadata> levels = new ArrayList<>();
            long count = CApi.rocksdb_column_family_metadata_get_level_count(metadata);
            for (long i = 0; i < count; i++) {
                levels.add(level(scratch, CApi.rocksdb_column_family_metadata_get_level_metadata(metadata, i)));
            }
            return new ColumnFamilyMetadata(
                    Native.takeString(CApi.rocksdb_column_family_metadata_get_name(metadata)),
                    CApi.rocksdb_column_family_metadata_get_size(metadata),
                    CApi.rocksdb_column_family_metadata_get_file_count(metadata), levels);
        } finally {
            CApi.rocksdb_column_family_metadata_destroy(metadata);
        }
    }

    private static LevelMetadata level(Scratch scratch, long level) {
        List<SstFileMetadata> files = new ArrayList<>();
        long count = CApi.rocksdb_level_metadata_get_file_count(level);
        for (long i = 0; i < count; i++) {
            files.add(file(scratch, CApi.rocksdb_level_metadata_get_sst_file_metadata(level, i)));
        }
        LevelMetadata metadata = new LevelMetadata(CApi.rocksdb_level_metadata_get_level(level),
                CApi.rocksdb_level_metadata_get_size(level), files);
        CApi.rocksdb_level_metadata_destroy(level);
        return metadata;
    }

    private static SstFileMetadata file(Scratch scratch, long file) {
        SstFileMetadata metadata = new SstFileMetadata(
                path(Native.takeString(CApi.rocksdb_sst_file_metadata_get_directory(file)),
                        Native.takeString(CApi.rocksdb_sst_file_metadata_get_relative_filename(file))),
                CApi.rocksdb_sst_file_metadata_get_size(file),
                takeKey(CApi.rocksdb_sst_file_metadata_get_smallestkey(file, scratch.wordAddress(1)), scratch.word(1)),
                takeKey(CApi.rocksdb_sst_file_metadata_get_largestkey(file, scratch.wordAddress(1)), scratch.word(1)));
        CApi.rocksdb_sst_file_metadata_destroy(file);
        return metadata;
    }

    /** RocksDB has a slash in front of some names, and not of others. */
    private static Path path(String directory, String name) {
        return OsPath.of(name.startsWith("/") || directory.isEmpty() ? directory + name : directory + "/" + name);
    }

    private static MemorySegment takeKey(long address, long length) {
        return MemorySegment.ofArray(Native.takeBytes(address, length)).asReadOnly();
    }
}
