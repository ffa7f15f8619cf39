package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CConstants;
import java.util.Collection;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits of options that RocksDB does not check itself; see decision 9. The check methods return the first limit that is broken, with
 * the option and its value, or null. Options are {@code rocksdb_options_t *}.
 */
public final class OptionLimits {
    /** RocksDB allocates memory for each level. */
    public static final int MOST_LEVELS = 1000;
    /** With some more levels, opening a database takes minutes. */
    public static final int MANY_LEVELS = 10_000;
    /** RocksDB allocates the read-ahead buffer in one piece. */
    public static final long MOST_READAHEAD = 1L << 30;
    private static final int MOST_THREADS = 1024;
    /** A process may have 65,530 mappings of memory, and each thread takes two. */
    public static final int THREADS_OF_A_PROCESS = 16_384;
    private static final long MOST_LOCKS = 1L << 20;
    private static final long MOST_SECONDS = 100L * 366 * 24 * 60 * 60;

    /**
     * The least limit at which writes may wait. A memtable takes a mebibyte at a time, and a memtable without writes does so too, but is
     * never flushed.
     */
    public static final long LEAST_STALLING_BYTES = 4 << 20;
    private static final String MEMTABLES = "max_write_buffer_number";
    private static final int LEAST_MEMTABLES = 2;
    private static final String DELAYED_RATE = "delayed_write_rate";
    private static final String PURGING = "experimental_mempurge_threshold";
    /** RocksDB divides by a quarter of the rate. Negative values are unsigned. */
    private static final long LEAST_DELAYED_RATE = 4;
    private static final String STOP = "level0_stop_writes_trigger";
    private static final Set<String> STOPPING = Set.of(STOP,
            "level0_file_num_compaction_trigger", "disable_auto_compactions");

    private final long options;
    private @Nullable String broken;

    private OptionLimits(long options) {
        this.options = options;
    }

    /**
     * Checks the limits beyond which RocksDB 11.8.1 ends the process, because it runs out of memory or uses a cache that it could not
     * create.
     */
    public static @Nullable String fatal(long options) {
        OptionLimits limits = new OptionLimits(options);
        limits.checkNumbers(MOST_LEVELS);
        limits.checkLocks();
        limits.checkThreads(MOST_THREADS);
        limits.checkTimes();
        limits.checkMapping();
        limits.checkPurging();
        return limits.broken;
    }

    /**
     * Does the same as {@link #fatal}, for an API that accepts every number with which RocksDB can go on. Replaces numbers that only advise
     * RocksDB by the nearest ones that it can follow.
     *
     * @param options are changed; no other code may use them
     */
    public static @Nullable String correct(long options) {
        CApi.rocksdb_options_set_log_readahead_size(options,
                readahead(CApi.rocksdb_options_get_log_readahead_size(options)));
        CApi.rocksdb_options_compaction_readahead_size(options,
                readahead(CApi.rocksdb_options_get_compaction_readahead_size(options)));
        CApi.rocksdb_options_set_blob_compaction_readahead_size(options,
                readahead(CApi.rocksdb_options_get_blob_compaction_readahead_size(options)));
        CApi.rocksdb_options_set_sample_for_compression(options,
                most(CApi.rocksdb_options_get_sample_for_compression(options), Integer.MAX_VALUE));
        if (CApi.rocksdb_options_get_inplace_update_support(options) != 0) {
            CApi.rocksdb_options_set_inplace_update_num_locks(options,
                    locks(CApi.rocksdb_options_get_inplace_update_num_locks(options)));
        }
        CApi.rocksdb_options_set_delayed_write_rate(options,
                delayedRate(CApi.rocksdb_options_get_delayed_write_rate(options)));
        // Below -1 they mean the same as -1, or overflow.
        NativeDbOptions.setBackgroundJobs(options,
                Math.max(-1, CApi.rocksdb_options_get_max_background_jobs(options)));
        CApi.rocksdb_options_set_max_background_compactions(options,
                Math.max(-1, CApi.rocksdb_options_get_max_background_compactions(options)));
        CApi.rocksdb_options_set_max_background_flushes(options,
                Math.max(-1, CApi.rocksdb_options_get_max_background_flushes(options)));
        CApi.rocksdb_options_set_max_file_opening_threads(options,
                Math.max(-1, CApi.rocksdb_options_get_max_file_opening_threads(options)));
        CApi.rocksdb_options_set_table_cache_numshardbits(options,
                Math.max(-1, CApi.rocksdb_options_get_table_cache_numshardbits(options)));
        OptionLimits limits = new OptionLimits(options);
        limits.checkNumbers(MANY_LEVELS);
        limits.checkThreads(THREADS_OF_A_PROCESS);
        limits.checkTimes();
        limits.checkMapping();
        return limits.broken;
    }

    /** Does the same as {@link #correct}, for the new number of an option of an open database. Returns other texts unchanged. */
    public static String corrected(String option, String value) {
        try {
            return switch (option.strip()) {
                case "compaction_readahead_size", "blob_compaction_readahead_size" ->
                    Long.toString(readahead(Long.parseLong(value)));
                case "inplace_update_num_locks" -> Long.toString(locks(Long.parseLong(value)));
                case MEMTABLES -> Integer.parseInt(value) == 1 ? Integer.toString(LEAST_MEMTABLES) : value;
                case DELAYED_RATE -> Long.toUnsignedString(delayedRate(Long.parseLong(value)));
                case "max_background_jobs", "max_background_compactions" ->
                    Integer.toString(Math.max(-1, Integer.parseInt(value)));
                default -> value;
            };
        } catch (NumberFormatException e) {
            return value;
        }
    }

    /** Returns a read-ahead that can be allocated. */
    public static long readahead(long bytes) {
        return most(bytes, MOST_READAHEAD);
    }

    /** Returns the lesser of two unsigned numbers. */
    private static long most(long number, long most) {
        return Long.compareUnsigned(number, most) > 0 ? most : number;
    }

    private static long locks(long number) {
        return Math.max(1, most(number, MOST_LOCKS));
    }

    private static long delayedRate(long rate) {
        return rate == 0 || Long.compareUnsigned(rate, LEAST_DELAYED_RATE) >= 0 ? rate : LEAST_DELAYED_RATE;
    }

    /**
     * Corrects the rate that RocksDB takes from a rate limiter when it opens a database, if there is no other rate.
     *
     * @param options        are changed; no other code may use them
     * @param bytesPerSecond the limiter's rate
     */
    public static void correctLimited(long options, long bytesPerSecond) {
        long corrected = delayedRate(bytesPerSecond);
        if (corrected != bytesPerSecond && CApi.rocksdb_options_get_delayed_write_rate(options) == 0) {
            CApi.rocksdb_options_set_delayed_write_rate(options, corrected);
        }
    }

    /** Checks the decimals with which RocksDB can make a database, but cannot store its options. */
    public static @Nullable String unstorable(long options) {
        OptionLimits limits = new OptionLimits(options);
        double multiplier = CApi.rocksdb_options_get_max_bytes_for_level_multiplier(options);
        if (multiplier != Double.NEGATIVE_INFINITY) {
            limits.finite("max_bytes_for_level_multiplier", multiplier);
        }
        double bloom = CApi.rocksdb_options_get_memtable_prefix_bloom_size_ratio(options);
        if (!Double.isInfinite(bloom)) {
            limits.finite("memtable_prefix_bloom_size_ratio", bloom);
        }
        limits.finite("blob_garbage_collection_age_cutoff", CApi.rocksdb_options_get_blob_gc_age_cutoff(options));
        limits.finite("blob_garbage_collection_force_threshold",
                CApi.rocksdb_options_get_blob_gc_force_threshold(options));
        limits.finite(PURGING, CApi.rocksdb_options_get_experimental_mempurge_threshold(options));
        return limits.broken;
    }

    /** Returns whether full memtables are sampled. If so, they must hold more than deletions of ranges. */
    public static boolean purges(long options) {
        return CApi.rocksdb_options_get_experimental_mempurge_threshold(options) > 0;
    }

    /** Checks the limits that RocksDB checks itself, but late or not everywhere. */
    public static @Nullable String refused(long options) {
        OptionLimits limits = new OptionLimits(options);
        limits.checkFractions();
        limits.checkBuffer();
        return limits.broken;
    }

    /** Checks that direct writes have a buffer. */
    public static @Nullable String withoutBuffer(long options) {
        OptionLimits limits = new OptionLimits(options);
        limits.checkBuffer();
        return limits.broken;
    }

    /**
     * Prepares options for a database without a log: if flushes of the log are manual, RocksDB looks for the current log before it lists or
     * copies the files of the database, and crashes.
     */
    public static void forReading(long options) {
        CApi.rocksdb_options_set_manual_wal_flush(options, (byte) 0);
    }

    /**
     * Prepares options for a database that a comparator in Java orders. If the comparator throws, the order of a memtable may change, and a
     * write to it fails. If several threads write to the memtable at that time, RocksDB locks a mutex that may not exist
     * (WriteThread::CompleteParallelMemTableWriter): the process ends, or waits without end.
     */
    public static void forComparatorInJava(long options) {
        // RocksDB opens no database for unordered writes without concurrent ones. Unordered writes do not use that mutex.
        if (CApi.rocksdb_options_get_unordered_write(options) == 0) {
            CApi.rocksdb_options_set_allow_concurrent_memtable_write(options, (byte) 0);
        }
    }

    /**
     * Checks the limits beyond which writes wait endlessly for flushes and compactions that are not due. RocksDB corrects such options when
     * it opens a database, but not when they are changed in an open database.
     *
     * @param options with the changes
     */
    public static @Nullable String stalling(long options, Collection<String> changed) {
        OptionLimits limits = new OptionLimits(options);
        if (changed.contains(MEMTABLES)) {
            limits.inRange(MEMTABLES, CApi.rocksdb_options_get_max_write_buffer_number(options),
                    Math.max(1, CApi.rocksdb_options_get_min_write_buffer_number_to_merge(options)) + 1,
                    Integer.MAX_VALUE);
        }
        if (changed.contains(DELAYED_RATE)) {
            // Only opening replaces 0 by a rate.
            limits.require(CApi.rocksdb_options_get_delayed_write_rate(options) != 0,
                    () -> DELAYED_RATE + " must be at least " + LEAST_DELAYED_RATE + ", but is 0");
        }
        if (changed.stream().anyMatch(STOPPING::contains)
                && CApi.rocksdb_options_get_disable_auto_compactions(options) == 0) {
            limits.inRange(STOP, CApi.rocksdb_options_get_level0_stop_writes_trigger(options),
                    Math.max(1, CApi.rocksdb_options_get_level0_file_num_compaction_trigger(options)),
                    Integer.MAX_VALUE);
        }
        return limits.broken;
    }

    /**
     * Checks that universal compaction can merge the files for which writes wait.
     *
     * @param options as in the open database
     */
    public static @Nullable String unmergeable(long options, MergeWidths widths) {
        OptionLimits limits = new OptionLimits(options);
        if (CApi.rocksdb_options_get_compaction_style(options) == CConstants.rocksdb_universal_compaction
                && CApi.rocksdb_options_get_disable_auto_compactions(options) == 0) {
            limits.inRange("max_merge_width", widths.most(), 2, MergeWidths.DEFAULT.most());
            // The last resort merges runs until as many are left as the number at which compaction begins. A flush waits for it one run
            // earlier than writes do.
            long beyond = (long) CApi.rocksdb_options_get_level0_stop_writes_trigger(options)
                    - CApi.rocksdb_options_get_level0_file_num_compaction_trigger(options);
            long most = Math.max(MergeWidths.DEFAULT.least(), Math.min(widths.most(), beyond));
            limits.require(widths.least() <= most, () -> "min_merge_width must be at most " + most + ", but is "
                    + widths.least() + ": writes would wait forever for a merge of so many files. It must not be more"
                    + " than max_merge_width, nor than " + STOP + " without level0_file_num_compaction_trigger");
        }
        return limits.broken;
    }

    /**
     * Makes the corrections that RocksDB makes when it opens a column family (SanitizeCfOptions in column_family.cc), to the options on
     * which {@link #stalling} and {@link #unmergeable} look. RocksDB does not make them when options are changed.
     *
     * @param options         are changed; no other code may use them
     * @param flushesAtomically whether the database has {@code atomic_flush}
     */
    public static void correctOpened(long options, boolean flushesAtomically) {
        int memtables = Math.max(LEAST_MEMTABLES, CApi.rocksdb_options_get_max_write_buffer_number(options));
        CApi.rocksdb_options_set_max_write_buffer_number(options, memtables);
        CApi.rocksdb_options_set_min_write_buffer_number_to_merge(options, Math.clamp(
                CApi.rocksdb_options_get_min_write_buffer_number_to_merge(options), 1,
                flushesAtomically ? 1 : memtables - 1));
        int begin = CApi.rocksdb_options_get_level0_file_num_compaction_trigger(options);
        begin = begin == 0 ? 1 : begin;
        int slow = Math.max(begin, CApi.rocksdb_options_get_level0_slowdown_writes_trigger(options));
        int stop = Math.max(slow, CApi.rocksdb_options_get_level0_stop_writes_trigger(options));
        CApi.rocksdb_options_set_level0_file_num_compaction_trigger(options, begin);
        CApi.rocksdb_options_set_level0_slowdown_writes_trigger(options, slow);
        CApi.rocksdb_options_set_level0_stop_writes_trigger(options, stop);
    }

    /** Returns whether {@link #stalling} compares any of these options with other ones, which the caller must then fill in. */
    public static boolean mayStall(Collection<String> changed) {
        return changed.stream().anyMatch(name -> name.equals(MEMTABLES) || STOPPING.contains(name));
    }

    private void checkNumbers(int mostLevels) {
        inRange("num_levels", NativeDbOptions.levels(options), 0, mostLevels);
        inRange("table_cache_numshardbits", CApi.rocksdb_options_get_table_cache_numshardbits(options), -1, 19);
        inRange("log_readahead_size", CApi.rocksdb_options_get_log_readahead_size(options), 0, MOST_READAHEAD);
        inRange("compaction_readahead_size", CApi.rocksdb_options_get_compaction_readahead_size(options), 0,
                MOST_READAHEAD);
        inRange("blob_compaction_readahead_size", CApi.rocksdb_options_get_blob_compaction_readahead_size(options), 0,
                MOST_READAHEAD);
        long rate = CApi.rocksdb_options_get_delayed_write_rate(options);
        require(rate <= 0 || rate >= LEAST_DELAYED_RATE, () -> DELAYED_RATE + " must be 0 or at least "
                + LEAST_DELAYED_RATE + ", but is " + rate);
        // RocksDB cuts the value to 32 bits, and divides by it.
        inRange("sample_for_compression", CApi.rocksdb_options_get_sample_for_compression(options), 0,
                Integer.MAX_VALUE);
    }

    private void checkLocks() {
        inRange("inplace_update_num_locks", CApi.rocksdb_options_get_inplace_update_num_locks(options),
                CApi.rocksdb_options_get_inplace_update_support(options) != 0 ? 1 : 0, MOST_LOCKS);
    }

    /** A thread that cannot be started ends the process. */
    private void checkThreads(int most) {
        inRange("max_background_jobs", CApi.rocksdb_options_get_max_background_jobs(options), -1, most);
        inRange("max_background_compactions", CApi.rocksdb_options_get_max_background_compactions(options), -1,
                most);
        inRange("max_background_flushes", CApi.rocksdb_options_get_max_background_flushes(options), -1, most);
        inRange("max_file_opening_threads", CApi.rocksdb_options_get_max_file_opening_threads(options), -1,
                most);
    }

    /** Times that reach back before the epoch overflow; 100 years are enough. */
    private void checkTimes() {
        inRange("preclude_last_level_data_seconds",
                CApi.rocksdb_options_get_preclude_last_level_data_seconds(options), 0, MOST_SECONDS);
        inRange("preserve_internal_time_seconds", CApi.rocksdb_options_get_preserve_internal_time_seconds(options), 0,
                MOST_SECONDS);
    }

    /** RocksDB checks these fractions only when the database exists and its options are stored. */
    private void checkFractions() {
        finite("max_bytes_for_level_multiplier", CApi.rocksdb_options_get_max_bytes_for_level_multiplier(options));
        finite("memtable_prefix_bloom_size_ratio", CApi.rocksdb_options_get_memtable_prefix_bloom_size_ratio(options));
        finite("blob_garbage_collection_age_cutoff", CApi.rocksdb_options_get_blob_gc_age_cutoff(options));
        finite("blob_garbage_collection_force_threshold", CApi.rocksdb_options_get_blob_gc_force_threshold(options));
    }

    /**
     * Does the same as {@link #fatal}, for the one option that RocksDB ignores in a text for new options, but changes in an open database.
     */
    public static @Nullable String fatalChange(String option, String value) {
        if (!option.strip().equals(PURGING)) {
            return null;
        }
        try {
            return Double.parseDouble(value.strip()) <= 0 ? null : purging(value);
        } catch (NumberFormatException e) {
            return purging(value);
        }
    }

    private static String purging(Object threshold) {
        return PURGING + " must be 0, but is " + threshold
                + ": with it RocksDB ends the process when it flushes a memtable of deleted ranges";
    }

    /** Above 0, RocksDB samples full memtables, and reads beyond a memtable that has only deletions of ranges. */
    private void checkPurging() {
        double threshold = CApi.rocksdb_options_get_experimental_mempurge_threshold(options);
        // RocksDB could not read an infinite value that it has stored.
        require(threshold <= 0 && Double.isFinite(threshold), () -> purging(threshold));
    }

    /** Mapped files must be as long as their mapping. */
    private void checkMapping() {
        require(CApi.rocksdb_options_get_allow_mmap_writes(options) == 0
                || CApi.rocksdb_options_get_allow_fallocate(options) != 0,
                () -> "allow_mmap_writes needs allow_fallocate, which makes the files as long as their mapped part");
    }

    /** Direct writes go through a buffer. */
    private void checkBuffer() {
        require(CApi.rocksdb_options_get_use_direct_io_for_flush_and_compaction(options) == 0
                || CApi.rocksdb_options_get_writable_file_max_buffer_size(options) != 0,
                () -> "use_direct_io_for_flush_and_compaction needs a writable_file_max_buffer_size of more than 0");
    }

    private void finite(String option, double value) {
        require(Double.isFinite(value), () -> option + " must be a finite number, but is " + value);
    }

    private void inRange(String option, long value, long least, long most) {
        require(value >= least && value <= most,
                () -> option + " must be from " + least + " to " + most + ", but is " + value);
    }

    private void require(boolean holds, Supplier<String> message) {
        if (!holds && broken == null) {
            broken = message.get();
        }
    }
}
