package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls about the files of an open database, without its logs. */
public final class NativeFiles extends FileCalls {
    /** The checksum function with binary checksums of four bytes. C cuts these at a zero byte. Other functions return texts. */
    private static final String CRC32C = "FileChecksumCrc32c";

    private NativeFiles() {
    }

    /** A live table file. */
    public record Table(String family, String directory, String name, int level, long size, MemorySegment smallestKey,
            MemorySegment largestKey, long smallestSequence, long largestSequence, long entries, long deletions) {
    }

    /**
     * A file that a copy of the database needs.
     *
     * @param type        RocksDB's number
     * @param temperature RocksDB's number
     * @param checksum    one char for each byte
     * @param replacement other content for a copy; null for the file's own
     * @param isTrimmed   whether a copy needs only the first {@code size} bytes
     */
    public record StorageInfo(String directory, String name, long number, int type, long size, int temperature,
            String checksum, String checksumFunction, @Nullable String replacement, boolean isTrimmed) {
    }

    /** Lists the table files of a database. */
    public static List<Table> tables(Scratch scratch, long db) {
        return takeTables(scratch, CApi.rocksdb_livefiles(db));
    }

    /** Reads and frees a list of table files. */
    public static List<Table> takeTables(Scratch scratch, long list) {
        try {
            int count = CApi.rocksdb_livefiles_count(list);
            List<Table> tables = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                tables.add(new Table(NativeText.string(CApi.rocksdb_livefiles_column_family_name(list, i)),
                        NativeText.string(CApi.rocksdb_livefiles_directory(list, i)),
                        NativeText.string(CApi.rocksdb_livefiles_name(list, i)),
                        CApi.rocksdb_livefiles_level(list, i), CApi.rocksdb_livefiles_size(list, i),
                        key(CApi.rocksdb_livefiles_smallestkey(list, i, scratch.wordAddress(1)), scratch.word(1)),
                        key(CApi.rocksdb_livefiles_largestkey(list, i, scratch.wordAddress(1)), scratch.word(1)),
                        CApi.rocksdb_livefiles_smallest_seqno(list, i), CApi.rocksdb_livefiles_largest_seqno(list, i),
                        CApi.rocksdb_livefiles_entries(list, i), CApi.rocksdb_livefiles_deletions(list, i)));
            }
            return tables;
        } finally {
            destroyTables(list);
        }
    }

    /** Makes a {@code rocksdb_livefiles_t *}. */
    public static long newTables(Scratch scratch, List<Table> files) {
        long list = CApi.rocksdb_livefiles_create();
        try {
            files.forEach(file -> add(scratch, list, file));
            return list;
        } catch (Throwable e) {
            // The memory of a key may have been freed.
            destroyTables(list);
            throw e;
        }
    }

    private static void add(Scratch scratch, long list, Table file) {
        long made = CApi.rocksdb_livefile_create();
        try {
            CApi.rocksdb_livefile_set_column_family_name(made, NativeCall.in(scratch, file.family));
            CApi.rocksdb_livefile_set_directory(made, NativeCall.in(scratch, file.directory));
            CApi.rocksdb_livefile_set_name(made, NativeCall.in(scratch, file.name));
            CApi.rocksdb_livefile_set_level(made, file.level);
            CApi.rocksdb_livefile_set_size(made, file.size);
            CApi.rocksdb_livefile_set_smallest_key(made, NativeCall.in(scratch, file.smallestKey),
                    file.smallestKey.byteSize());
            CApi.rocksdb_livefile_set_largest_key(made, NativeCall.in(scratch, file.largestKey),
                    file.largestKey.byteSize());
            CApi.rocksdb_livefile_set_smallest_seqno(made, file.smallestSequence);
            CApi.rocksdb_livefile_set_largest_seqno(made, file.largestSequence);
            CApi.rocksdb_livefile_set_num_entries(made, file.entries);
            CApi.rocksdb_livefile_set_num_deletions(made, file.deletions);
        } catch (Throwable e) {
            CApi.rocksdb_livefile_destroy(made);
            throw e;
        }
        CApi.rocksdb_livefiles_add(list, made);
    }

    /** The table files of a column family. */
    public record FamilyFiles(String name, long size, long fileCount, List<LevelFiles> levels) {
    }

    /** The table files of a level. */
    public record LevelFiles(int level, long size, List<LevelFile> files) {
    }

    /** A table file of a level. */
    public record LevelFile(String directory, String name, long size, MemorySegment smallestKey,
            MemorySegment largestKey) {
    }

    /**
     * Lists the table files of a column family by level.
     *
     * @param options a {@code rocksdb_get_column_family_metadata_options_t *}; 0 for all files
     */
    public static FamilyFiles ofFamily(Scratch scratch, long db, long family, long options) {
        long metadata = options == 0
                ? CApi.rocksdb_get_column_family_metadata_cf(db, family)
                : CApi.rocksdb_get_column_family_metadata_cf_with_options(db, family, options);
        try {
            List<LevelFiles> levels = new ArrayList<>();
            long count = CApi.rocksdb_column_family_metadata_get_level_count(metadata);
            for (long i = 0; i < count; i++) {
                levels.add(level(scratch, CApi.rocksdb_column_family_metadata_get_level_metadata(metadata, i)));
            }
            return new FamilyFiles(NativeCall.takeString(CApi.rocksdb_column_family_metadata_get_name(metadata)),
                    CApi.rocksdb_column_family_metadata_get_size(metadata),
                    CApi.rocksdb_column_family_metadata_get_file_count(metadata), levels);
        } finally {
            CApi.rocksdb_column_family_metadata_destroy(metadata);
        }
    }

    private static LevelFiles level(Scratch scratch, long level) {
        List<LevelFile> files = new ArrayList<>();
        long count = CApi.rocksdb_level_metadata_get_file_count(level);
        for (long i = 0; i < count; i++) {
            files.add(file(scratch, CApi.rocksdb_level_metadata_get_sst_file_metadata(level, i)));
        }
        LevelFiles read = new LevelFiles(CApi.rocksdb_level_metadata_get_level(level),
                CApi.rocksdb_level_metadata_get_size(level), files);
        CApi.rocksdb_level_metadata_destroy(level);
        return read;
    }

    private static LevelFile file(Scratch scratch, long file) {
        LevelFile read = new LevelFile(NativeCall.takeString(CApi.rocksdb_sst_file_metadata_get_directory(file)),
                NativeCall.takeString(CApi.rocksdb_sst_file_metadata_get_relative_filename(file)),
                CApi.rocksdb_sst_file_metadata_get_size(file),
                takeKey(CApi.rocksdb_sst_file_metadata_get_smallestkey(file, scratch.wordAddress(1)), scratch.word(1)),
                takeKey(CApi.rocksdb_sst_file_metadata_get_largestkey(file, scratch.wordAddress(1)), scratch.word(1)));
        CApi.rocksdb_sst_file_metadata_destroy(file);
        return read;
    }

    private static MemorySegment takeKey(long address, long length) {
        return MemorySegment.ofArray(NativeCall.takeBytes(address, length)).asReadOnly();
    }

    /** Lists the files that a copy of the database needs. */
    public static List<StorageInfo> stored(Scratch scratch, long db, long options) {
        long list = CApi.rocksdb_get_livefiles_storage_info(db, options, NativeCall.error(scratch));
        if (list == 0) {
            return List.of();
        }
        try {
            long count = CApi.rocksdb_livefiles_storage_info_count(list);
            List<StorageInfo> files = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                files.add(read(scratch, list, i));
            }
            return files;
        } finally {
            CApi.rocksdb_livefiles_storage_info_destroy(list);
        }
    }

    private static StorageInfo read(Scratch scratch, long list, long i) {
        long replacement = CApi.rocksdb_livefiles_storage_info_replacement_contents(list, i, scratch.wordAddress(1));
        long length = scratch.word(1);
        String function = NativeText.string(CApi.rocksdb_livefiles_storage_info_file_checksum_func_name(list, i));
        return new StorageInfo(NativeText.string(CApi.rocksdb_livefiles_storage_info_directory(list, i)),
                NativeText.string(CApi.rocksdb_livefiles_storage_info_relative_filename(list, i)),
                CApi.rocksdb_livefiles_storage_info_file_number(list, i),
                CApi.rocksdb_livefiles_storage_info_file_type(list, i),
                CApi.rocksdb_livefiles_storage_info_size(list, i),
                CApi.rocksdb_livefiles_storage_info_temperature(list, i),
                checksum(CApi.rocksdb_livefiles_storage_info_file_checksum(list, i), function), function,
                length == 0 ? null : new String(bytes(replacement, length), StandardCharsets.UTF_8),
                CApi.rocksdb_livefiles_storage_info_trim_to_size(list, i) != 0);
    }

    private static String checksum(long address, String function) {
        return function.equals(CRC32C)
                ? new String(bytes(address, Integer.BYTES), StandardCharsets.ISO_8859_1)
                : NativeCalls.view(address, Long.MAX_VALUE).getString(0, StandardCharsets.ISO_8859_1);
    }

    private static MemorySegment key(long address, long length) {
        return MemorySegment.ofArray(bytes(address, length)).asReadOnly();
    }

    private static byte[] bytes(long address, long length) {
        return NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Estimates how many bytes ranges of keys take.
     *
     * @param options a {@code rocksdb_size_approximation_options_t *}; 0 for RocksDB's own
     * @param starts  the first key of each range
     * @param limits  the end of each range, not before its start
     */
    public static long[] approximateSizes(Scratch scratch, long db, long family, long options,
            List<MemorySegment> starts, List<MemorySegment> limits) {
        int count = starts.size();
        long array = (long) Long.BYTES * count;
        // Starts, their lengths, limits, their lengths, sizes.
        MemorySegment words = scratch.allocate(5 * array, Long.BYTES);
        for (int i = 0; i < count; i++) {
            long at = (long) Long.BYTES * i;
            words.set(ValueLayout.JAVA_LONG, at, NativeCall.in(scratch, starts.get(i)).address());
            words.set(ValueLayout.JAVA_LONG, at + array, starts.get(i).byteSize());
            words.set(ValueLayout.JAVA_LONG, at + 2 * array, NativeCall.in(scratch, limits.get(i)).address());
            words.set(ValueLayout.JAVA_LONG, at + 3 * array, limits.get(i).byteSize());
        }
        long address = words.address();
        if (options == 0) {
            CApi.rocksdb_approximate_sizes_cf(db, family, count, address, address + array, address + 2 * array,
                    address + 3 * array, address + 4 * array, NativeCall.error(scratch));
        } else {
            CApi.rocksdb_approximate_sizes_cf_with_options(db, family, options, count, address, address + array,
                    address + 2 * array, address + 3 * array, address + 4 * array, NativeCall.error(scratch));
        }
        return words.asSlice(4 * array).toArray(ValueLayout.JAVA_LONG);
    }
}
