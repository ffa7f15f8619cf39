package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Calls of options, of a database and of a column family in one. What options are given is an address. */
public final class NativeDbOptions {
    private NativeDbOptions() {
    }

    public static long create() {
        return CApi.rocksdb_options_create();
    }

    public static long copy(long options) {
        return CApi.rocksdb_options_create_copy(options);
    }

    public static void destroy(long options) {
        CApi.rocksdb_options_destroy(options);
    }

    /**
     * Changes a copy of options as a text says.
     *
     * @param base options that stay as they are
     * @param text a C string
     * @param into takes the result; may be the same
     */
    public static void parse(long base, MemorySegment text, long into, long error) {
        CApi.rocksdb_get_options_from_string(base, text, into, error);
    }

    /** The options that a database has stored last. To be closed. */
    public record Stored(long database, long count, long names, long families) implements AutoCloseable {
        /** The name of a column family. */
        public byte[] name(long index) {
            return NativeText.bytes(word(names, index));
        }

        /** The options of a column family. */
        public long family(long index) {
            return word(families, index);
        }

        private long word(long array, long index) {
            return NativeCalls.view(array, count * Long.BYTES).getAtIndex(ValueLayout.JAVA_LONG, index);
        }

        @Override
        public void close() {
            CApi.rocksdb_load_latest_options_destroy(database, names, families, count);
        }
    }

    /**
     * Loads the options that a database has stored last.
     *
     * @param path          a C string
     * @param ignoreUnknown whether options are passed over that this RocksDB does not know
     * @param cache         for the blocks of all column families; 0 for none
     * @return null if there is an error
     */
    public static @Nullable Stored loadLatest(Scratch scratch, MemorySegment path, long env, boolean ignoreUnknown,
            long cache) {
        CApi.rocksdb_load_latest_options(path, env, ignoreUnknown, cache, scratch.wordAddress(1),
                scratch.wordAddress(2), scratch.wordAddress(3), scratch.wordAddress(4), NativeCall.error(scratch));
        return scratch.word(NativeCall.ERROR) != 0
                ? null
                : new Stored(scratch.word(1), scratch.word(2), scratch.word(3), scratch.word(4));
    }

    public static int levels(long options) {
        return CApi.rocksdb_options_get_num_levels(options);
    }

    /** Makes a prefix extractor, which the options own that it is given to. */
    public static long newFixedPrefix(long length) {
        return CApi.rocksdb_slicetransform_create_fixed_prefix(length);
    }

    public static void setComparator(long options, long comparator) {
        CApi.rocksdb_options_set_comparator(options, comparator);
    }

    public static void setCompactionFilterFactory(long options, long factory) {
        CApi.rocksdb_options_set_compaction_filter_factory(options, factory);
    }

    public static void setInfoLog(long options, long logger) {
        CApi.rocksdb_options_set_info_log(options, logger);
    }

    public static void addEventListener(long options, long listener) {
        CApi.rocksdb_options_add_eventlistener(options, listener);
    }

    public static void setWalFilter(long options, long filter) {
        CApi.rocksdb_options_set_wal_filter(options, filter);
    }

    public static void setEnv(long options, long env) {
        CApi.rocksdb_options_set_env(options, env);
    }

    public static void setPrefixExtractor(long options, long extractor) {
        CApi.rocksdb_options_set_prefix_extractor(options, extractor);
    }

    public static void setRateLimiter(long options, long limiter) {
        CApi.rocksdb_options_set_ratelimiter(options, limiter);
    }

    public static void setWriteBufferManager(long options, long manager) {
        CApi.rocksdb_options_set_write_buffer_manager(options, manager);
    }

    public static void setFileManager(long options, long manager) {
        CApi.rocksdb_options_set_sst_file_manager(options, manager);
    }

    public static void setRowCache(long options, long cache) {
        CApi.rocksdb_options_set_row_cache(options, cache);
    }

    public static void setUniversalCompaction(long options, long universal) {
        CApi.rocksdb_options_set_universal_compaction_options(options, universal);
    }

    public static void setFifoCompaction(long options, long fifo) {
        CApi.rocksdb_options_set_fifo_compaction_options(options, fifo);
    }

    public static void setDatabasePaths(long options, long paths, long count) {
        CApi.rocksdb_options_set_db_paths(options, paths, count);
    }

    public static void setFamilyPaths(long options, long paths, long count) {
        CApi.rocksdb_options_set_cf_paths(options, paths, count);
    }

    public static void setCompressionPerLevel(long options, long levels, long count) {
        CApi.rocksdb_options_set_compression_per_level(options, levels, count);
    }

    public static void setLevelMultipliers(long options, long multipliers, long count) {
        CApi.rocksdb_options_set_max_bytes_for_level_multiplier_additional(options, multipliers, count);
    }
}
