package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Calls of writers of table files. Each error is the address of an emptied word. */
public final class NativeTableWriter {
    private NativeTableWriter() {
    }

    public static long create(long envOptions, long options) {
        return CApi.rocksdb_sstfilewriter_create(envOptions, options);
    }

    /** Begins a file. The path is a C string. */
    public static void open(long writer, MemorySegment path, long error) {
        CApi.rocksdb_sstfilewriter_open(writer, path, error);
    }

    public static void put(long writer, MemorySegment key, long keyLength, MemorySegment value, long valueLength,
            long error) {
        CApi.rocksdb_sstfilewriter_put(writer, key, keyLength, value, valueLength, error);
    }

    public static void merge(long writer, MemorySegment key, long keyLength, MemorySegment operand,
            long operandLength, long error) {
        CApi.rocksdb_sstfilewriter_merge(writer, key, keyLength, operand, operandLength, error);
    }

    public static void delete(long writer, MemorySegment key, long keyLength, long error) {
        CApi.rocksdb_sstfilewriter_delete(writer, key, keyLength, error);
    }

    public static void finish(long writer, long error) {
        CApi.rocksdb_sstfilewriter_finish(writer, error);
    }

    /** Writes the size of the file so far to a word. */
    public static void fileSize(long writer, long size) {
        CApi.rocksdb_sstfilewriter_file_size(writer, size);
    }

    public static void destroyEnvOptions(long envOptions) {
        CApi.rocksdb_envoptions_destroy(envOptions);
    }
}
