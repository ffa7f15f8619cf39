package dev.outcrop.generator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An enum of RocksDB that becomes a public Java enum, because options take its values.
 *
 * @param javaName the Java enum
 * @param name RocksDB's enum
 * @param description the first sentence of the Java enum's documentation
 * @param constants RocksDB's constants and their names in Java; those that only mark an end or a range are left out
 * @param options the options that take it
 */
record OptionEnum(String javaName, String name, String description, Map<String, String> constants,
        List<String> options) {

    /** All of them. */
    static final List<OptionEnum> ALL = List.of(
            new OptionEnum("CacheTier", "CacheTier", "Tiers of the block cache.",
                    names("kVolatileTier", "VOLATILE", "kVolatileCompressedTier", "VOLATILE_COMPRESSED",
                            "kNonVolatileBlockTier", "NON_VOLATILE_BLOCK"),
                    List.of("lowest_used_cache_tier")),
            new OptionEnum("CompactionPriority", "CompactionPri",
                    "Which file of a level a level compaction takes first.",
                    names("kByCompensatedSize", "BY_COMPENSATED_SIZE", "kOldestLargestSeqFirst",
                            "OLDEST_LARGEST_SEQ_FIRST", "kOldestSmallestSeqFirst", "OLDEST_SMALLEST_SEQ_FIRST",
                            "kMinOverlappingRatio", "MIN_OVERLAPPING_RATIO", "kRoundRobin", "ROUND_ROBIN"),
                    List.of("compaction_pri")),
            new OptionEnum("CompactionStyle", "CompactionStyle", "How compaction organises the files.",
                    names("kCompactionStyleLevel", "LEVEL", "kCompactionStyleUniversal", "UNIVERSAL",
                            "kCompactionStyleFIFO", "FIFO", "kCompactionStyleNone", "NONE"),
                    List.of("compaction_style", "calculate_sst_write_lifetime_hint_set_add",
                            "calculate_sst_write_lifetime_hint_set_remove")),
            new OptionEnum("CompressionType", "CompressionType", "How blocks of data are compressed.",
                    names("kNoCompression", "NONE", "kSnappyCompression", "SNAPPY", "kZlibCompression", "ZLIB",
                            "kBZip2Compression", "BZIP2", "kLZ4Compression", "LZ4", "kLZ4HCCompression", "LZ4HC",
                            "kXpressCompression", "XPRESS", "kZSTD", "ZSTD", "kDisableCompressionOption",
                            "DISABLE_COMPRESSION_OPTION"),
                    List.of("compression", "bottommost_compression", "blob_compression_type", "wal_compression")),
            new OptionEnum("InfoLogLevel", "InfoLogLevel", "How much RocksDB writes to its LOG file.",
                    names("DEBUG_LEVEL", "DEBUG", "INFO_LEVEL", "INFO", "WARN_LEVEL", "WARN", "ERROR_LEVEL", "ERROR",
                            "FATAL_LEVEL", "FATAL", "HEADER_LEVEL", "HEADER"),
                    List.of("info_log_level")),
            new OptionEnum("IoPriority", "Env::IOPriority", "What the rate limiter counts an operation's I/O as.",
                    names("IO_LOW", "LOW", "IO_MID", "MID", "IO_HIGH", "HIGH", "IO_USER", "USER", "IO_TOTAL", "NONE"),
                    List.of("rate_limiter_priority")),
            new OptionEnum("PrepopulateBlobCache", "PrepopulateBlobCache",
                    "When blobs go into the blob cache before anyone reads them.",
                    names("kDisable", "DISABLE", "kFlushOnly", "FLUSH_ONLY"), List.of("prepopulate_blob_cache")),
            new OptionEnum("ReadTier", "ReadTier", "Where a read may look.",
                    names("kReadAllTier", "READ_ALL", "kBlockCacheTier", "BLOCK_CACHE", "kPersistedTier", "PERSISTED",
                            "kMemtableTier", "MEMTABLE"),
                    List.of("read_tier")),
            new OptionEnum("StatsLevel", "StatsLevel", "How much statistics are collected.",
                    names("kDisableAll", "DISABLE_ALL", "kExceptHistogramOrTimers", "EXCEPT_HISTOGRAM_OR_TIMERS",
                            "kExceptTimers", "EXCEPT_TIMERS", "kExceptDetailedTimers", "EXCEPT_DETAILED_TIMERS",
                            "kExceptTimeForMutex", "EXCEPT_TIME_FOR_MUTEX", "kAll", "ALL"),
                    List.of("statistics_level")),
            new OptionEnum("Temperature", "Temperature", "How often a file is expected to be read.",
                    names("kUnknown", "UNKNOWN", "kHot", "HOT", "kWarm", "WARM", "kCool", "COOL", "kCold", "COLD",
                            "kIce", "ICE"),
                    List.of("metadata_write_temperature", "wal_write_temperature", "last_level_temperature",
                            "default_write_temperature", "default_temperature")),
            new OptionEnum("WalRecoveryMode", "WALRecoveryMode",
                    "What opening a database does with a write-ahead log that is damaged.",
                    names("kTolerateCorruptedTailRecords", "TOLERATE_CORRUPTED_TAIL_RECORDS", "kAbsoluteConsistency",
                            "ABSOLUTE_CONSISTENCY", "kPointInTimeRecovery", "POINT_IN_TIME",
                            "kSkipAnyCorruptedRecords", "SKIP_ANY_CORRUPTED_RECORDS"),
                    List.of("wal_recovery_mode")));

    private static Map<String, String> names(String... pairs) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            names.put(pairs[i], pairs[i + 1]);
        }
        return names;
    }
}
