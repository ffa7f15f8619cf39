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

/** Calls about the files of an open database, without its log. */
public final class NativeFiles extends FileCalls {
    /** The checksum function with binary checksums of four bytes, which C cuts at a zero byte; others give texts. */
    private static final String CRC32C = "FileChecksumCrc32c";

    private NativeFiles() {
    }

    /** A table file that is in use. */
    public record Table(String family, String directory, String name, int level, long size, MemorySegment smallestKey,
            MemorySegment largestKey, long smallestSequence, long largestSequence, long entries, long deletions) {
    }

    /**
     * A file that a copy of the database needs.
     *
     * @param type        RocksDB's number
     * @param temperature RocksDB's number
     * @param checksum    one char for each byte
     * @param replacement the content that a copy must have instead; null if it is the file's own
     * @param isTrimmed   whether only the first {@code size} bytes are to be copied
     */
    public record Stored(String directory, String name, long number, int type, long size, int temperature,
            String checksum, String checksumFunction, @Nullable String replacement, boolean isTrimmed) {
    }

    /** Lists the table files of a database. */
    public static List<Table> tables(Scratch scratch, long db) {
        return takeTables(scratch, CApi.rocksdb_livefiles(db));
    }

    /** Reads a list of table files, and frees it. */
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

    /** Lists the files that a copy of the database needs. */
    public static List<Stored> stored(Scratch scratch, long db, long options) {
        long list = CApi.rocksdb_get_livefiles_storage_info(db, options, NativeCall.error(scratch));
        if (list == 0) {
            return List.of();
        }
        try {
            long count = CApi.rocksdb_livefiles_storage_info_count(list);
            List<Stored> files = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                files.add(read(scratch, list, i));
            }
            return files;
        } finally {
            CApi.rocksdb_livefiles_storage_info_destroy(list);
        }
    }

    private static Stored read(Scratch scratch, long list, long i) {
        long replacement = CApi.rocksdb_livefiles_storage_info_replacement_contents(list, i, scratch.wordAddress(1));
        long length = scratch.word(1);
        String function = NativeText.string(CApi.rocksdb_livefiles_storage_info_file_checksum_func_name(list, i));
        return new Stored(NativeText.string(CApi.rocksdb_livefiles_storage_info_directory(list, i)),
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
}
