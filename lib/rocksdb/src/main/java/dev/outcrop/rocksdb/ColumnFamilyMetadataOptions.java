package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects the table files of a column family to describe: all files, the files of a level, or the files with keys of a range. Cannot be
 * changed once in use. There is nothing to close. Thread-safe.
 */
public final class ColumnFamilyMetadataOptions extends ColumnFamilyMetadataOptionsSetters {
    /** Makes RocksDB's default options. */
    public ColumnFamilyMetadataOptions() {
        super(CApi::rocksdb_column_family_metadata_options_create,
                CApi::rocksdb_column_family_metadata_options_destroy);
    }

    /**
     * Leaves out files that end before a key.
     *
     * @param key where the range starts; copied
     * @return this object
     */
    public ColumnFamilyMetadataOptions startKey(byte[] key) {
        Objects.requireNonNull(key, "key");
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment copy = ApiCall.key(scratch, key);
            synchronized (this) {
                CApi.rocksdb_column_family_metadata_options_set_start_key(changing(), copy, key.length);
            }
        }
        return this;
    }

    /**
     * Returns the start of the range.
     *
     * @return a copy of the key, or null if the range has no start
     */
    public byte @Nullable [] startKey() {
        try (Scratch scratch = ApiCall.scratch()) {
            synchronized (this) {
                return OptionValues.bytes(CApi.rocksdb_column_family_metadata_options_get_start_key(reading(),
                        scratch.wordAddress(0)), scratch.word(0));
            }
        }
    }

    /**
     * Leaves out files that start after a key.
     *
     * @param key where the range ends; copied
     * @return this object
     */
    public ColumnFamilyMetadataOptions endKey(byte[] key) {
        Objects.requireNonNull(key, "key");
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment copy = ApiCall.key(scratch, key);
            synchronized (this) {
                CApi.rocksdb_column_family_metadata_options_set_end_key(changing(), copy, key.length);
            }
        }
        return this;
    }

    /**
     * Returns the end of the range.
     *
     * @return a copy of the key, or null if the range has no end
     */
    public byte @Nullable [] endKey() {
        try (Scratch scratch = ApiCall.scratch()) {
            synchronized (this) {
                return OptionValues.bytes(CApi.rocksdb_column_family_metadata_options_get_end_key(reading(),
                        scratch.wordAddress(0)), scratch.word(0));
            }
        }
    }
}
