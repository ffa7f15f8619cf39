package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that a database consists of, as records. */
final class LiveFiles {
    private static final String CRC32C = "FileChecksumCrc32c";

    private LiveFiles() {
    }

    static List<LiveFile> of(Store store) {
        try (Scratch scratch = store.enterToLook()) {
            return take(scratch, CApi.rocksdb_livefiles(store.db));
        }
    }

    /** Reads a {@code rocksdb_livefiles_t *} and frees it. */
    static List<LiveFile> take(Scratch scratch, long list) {
        try {
            List<LiveFile> files = new ArrayList<>();
            int count = CApi.rocksdb_livefiles_count(list);
            for (int i = 0; i < count; i++) {
                files.add(new LiveFile(text(CApi.rocksdb_livefiles_column_family_name(list, i)),
                        path(text(CApi.rocksdb_livefiles_directory(list, i)),
                                text(CApi.rocksdb_livefiles_name(list, i))),
                        CApi.rocksdb_livefiles_level(list, i), CApi.rocksdb_livefiles_size(list, i),
                        key(CApi.rocksdb_livefiles_smallestkey(list, i, scratch.wordAddress(1)), scratch.word(1)),
                        key(CApi.rocksdb_livefiles_largestkey(list, i, scratch.wordAddress(1)), scratch.word(1)),
                        CApi.rocksdb_livefiles_smallest_seqno(list, i), CApi.rocksdb_livefiles_largest_seqno(list, i),
                        CApi.rocksdb_livefiles_entries(list, i), CApi.rocksdb_livefiles_deletions(list, i)));
            }
            return List.copyOf(files);
        } finally {
            CApi.rocksdb_livefiles_destroy(list);
        }
    }

    /** Makes a {@code rocksdb_livefiles_t *}. */
    static long make(Scratch scratch, List<LiveFile> files) {
        long list = CApi.rocksdb_livefiles_create();
        try {
            files.forEach(file -> add(scratch, list, file));
            return list;
        } catch (Throwable e) {
            // A key in memory that is gone, for example.
            CApi.rocksdb_livefiles_destroy(list);
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
            long list = CApi.rocksdb_get_livefiles_storage_info(store.db, options.use(), Native.error(scratch));
            Native.check(scratch, "Cannot list the files of the " + store, list,
                    CApi::rocksdb_livefiles_storage_info_destroy);
            try {
                List<LiveFileStorageInfo> files = new ArrayList<>();
                long count = CApi.rocksdb_livefiles_storage_info_count(list);
                for (long i = 0; i < count; i++) {
                    files.add(storageInfo(scratch, list, i));
                }
                return List.copyOf(files);
            } finally {
                CApi.rocksdb_livefiles_storage_info_destroy(list);
            }
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private static LiveFileStorageInfo storageInfo(Scratch scratch, long list, long i) {
        long replacement = CApi.rocksdb_livefiles_storage_info_replacement_contents(list, i, scratch.wordAddress(1));
        long length = scratch.word(1);
        String function = text(CApi.rocksdb_livefiles_storage_info_file_checksum_func_name(list, i));
        return new LiveFileStorageInfo(
                path(text(CApi.rocksdb_livefiles_storage_info_directory(list, i)),
                        text(CApi.rocksdb_livefiles_storage_info_relative_filename(list, i))),
                CApi.rocksdb_livefiles_storage_info_file_number(list, i),
                FileType.of(CApi.rocksdb_livefiles_storage_info_file_type(list, i)),
                CApi.rocksdb_livefiles_storage_info_size(list, i),
                Temperature.of(CApi.rocksdb_livefiles_storage_info_temperature(list, i)),
                checksum(CApi.rocksdb_livefiles_storage_info_file_checksum(list, i), function),
                function,
                length == 0
                        ? null
                        : new String(NativeCalls.view(replacement, length).toArray(ValueLayout.JAVA_BYTE),
                                StandardCharsets.UTF_8),
                CApi.rocksdb_livefiles_storage_info_trim_to_size(list, i) != 0);
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
        MemorySegment key = key(address, length);
        CApi.rocksdb_free(address);
        return key;
    }

    private static MemorySegment key(long address, long length) {
        return MemorySegment.ofArray(NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE)).asReadOnly();
    }

    /**
     * A checksum is a string of any bytes, of which the C API tells no length. That of RocksDB's own function is known; one of another
     * function, which only C++ programs have, ends at its first zero byte.
     */
    private static String checksum(long address, String function) {
        MemorySegment bytes = NativeCalls.view(address, Long.MAX_VALUE);
        return function.equals(CRC32C)
                ? new String(bytes.asSlice(0, Integer.BYTES).toArray(ValueLayout.JAVA_BYTE),
                        StandardCharsets.ISO_8859_1)
                : bytes.getString(0, StandardCharsets.ISO_8859_1);
    }

    private static String text(long address) {
        return NativeText.string(address);
    }
}
