package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Functions that the library exports for JNI and that never touch their {@code JNIEnv}, where the C API lacks something. The file
 * {@code jni-exports.tsv} of the generator holds the same list, and says what becomes of their handles. A wrapper of a {@code
 * shared_ptr} is the same in C and in JNI.
 */
final class Exports {

    /** It makes a cache from numbers. */
    static final Export LRU_CACHE_NEW_LRU_CACHE = new Export("LRUCache_newLRUCache",
            "(JIZDD)J");
    /** It makes a cache from numbers. */
    static final Export CLOCK_CACHE_NEW_CLOCK_CACHE = new Export("ClockCache_newClockCache",
            "(JIZ)J");
    /** It makes a cache from numbers. */
    static final Export HYPER_CLOCK_CACHE_NEW_HYPER_CLOCK_CACHE = new Export("HyperClockCache_newHyperClockCache",
            "(JJIZ)J");
    /** It reads the environment only for the array of histograms, which is null. */
    static final Export STATISTICS_NEW_STATISTICS_ARRAY_BJ = new Export("Statistics_newStatistics___3BJ",
            "(JJ)J");
    /** It deletes the shared_ptr. */
    static final Export STATISTICS_DISPOSE_INTERNAL_JNI = new Export("Statistics_disposeInternalJni",
            "(J)V");
    /** It only calls the object it is given. */
    static final Export STATISTICS_GET_TICKER_COUNT = new Export("Statistics_getTickerCount",
            "(JB)J");
    /** It only calls the object it is given. */
    static final Export STATISTICS_GET_AND_RESET_TICKER_COUNT = new Export("Statistics_getAndResetTickerCount",
            "(JB)J");
    /** It only calls the object it is given. */
    static final Export STATISTICS_STATS_LEVEL = new Export("Statistics_statsLevel",
            "(J)B");
    /** It only calls the object it is given. */
    static final Export STATISTICS_SET_STATS_LEVEL = new Export("Statistics_setStatsLevel",
            "(JB)V");
    /** It throws only if StatisticsImpl::Reset fails, which returns OK always. */
    static final Export STATISTICS_RESET = new Export("Statistics_reset",
            "(J)V");
    /** It copies the shared_ptr. */
    static final Export OPTIONS_SET_STATISTICS = new Export("Options_setStatistics",
            "(JJ)V");
    /** It copies the shared_ptr. */
    static final Export OPTIONS_STATISTICS = new Export("Options_statistics",
            "(J)J");
    /** It copies two C++ objects. */
    static final Export OPTIONS_NEW_OPTIONS_JJ = new Export("Options_newOptions__JJ",
            "(JJ)J");
    /** It copies a C++ object. */
    static final Export COLUMN_FAMILY_OPTIONS_NEW_COLUMN_FAMILY_OPTIONS_FROM_OPTIONS = new Export(
            "ColumnFamilyOptions_newColumnFamilyOptionsFromOptions",
            "(J)J");
    /** It deletes a C++ object. */
    static final Export COLUMN_FAMILY_OPTIONS_DISPOSE_INTERNAL_JNI = new Export(
            "ColumnFamilyOptions_disposeInternalJni",
            "(J)V");
    /** It only calls the object it is given. */
    static final Export OPTIONS_OPTIMIZE_FOR_SMALL_DB_J = new Export("Options_optimizeForSmallDb__J",
            "(J)V");
    /** It copies the shared_ptr. */
    static final Export OPTIONS_OPTIMIZE_FOR_SMALL_DB_JJ = new Export("Options_optimizeForSmallDb__JJ",
            "(JJ)V");
    /** It only calls the object it is given. */
    static final Export DB_OPTIONS_OPTIMIZE_FOR_SMALL_DB = new Export("DBOptions_optimizeForSmallDb",
            "(J)V");
    /** It only calls the object it is given. */
    static final Export OPTIONS_OLD_DEFAULTS = new Export("Options_oldDefaults",
            "(JII)V");
    /** It stores a number. */
    static final Export OPTIONS_SET_MAX_TABLE_FILES_SIZE_FIFO = new Export("Options_setMaxTableFilesSizeFIFO",
            "(JJ)V");
    /** It reads a number. */
    static final Export OPTIONS_MAX_TABLE_FILES_SIZE_FIFO = new Export("Options_maxTableFilesSizeFIFO",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export OPTIONS_OPTIMIZE_LEVEL_STYLE_COMPACTION = new Export("Options_optimizeLevelStyleCompaction",
            "(JJ)V");
    /** It only calls the object it is given. */
    static final Export OPTIONS_OPTIMIZE_UNIVERSAL_STYLE_COMPACTION = new Export(
            "Options_optimizeUniversalStyleCompaction",
            "(JJ)V");
    /** It copies the shared_ptr. */
    static final Export OPTIONS_SET_MERGE_OPERATOR = new Export("Options_setMergeOperator",
            "(JJ)V");
    /** It copies a C++ object. */
    static final Export OPTIONS_SET_COMPRESSION_OPTIONS = new Export("Options_setCompressionOptions",
            "(JJ)V");
    /** It copies a C++ object. */
    static final Export OPTIONS_SET_BOTTOMMOST_COMPRESSION_OPTIONS = new Export(
            "Options_setBottommostCompressionOptions",
            "(JJ)V");
    /** It takes over a pointer. */
    static final Export OPTIONS_SET_MEM_TABLE_FACTORY = new Export("Options_setMemTableFactory",
            "(JJ)V");
    /** It takes over a pointer. */
    static final Export OPTIONS_SET_TABLE_FACTORY = new Export("Options_setTableFactory",
            "(JJ)V");
    /** It copies the shared_ptr. */
    static final Export OPTIONS_SET_SST_PARTITIONER_FACTORY = new Export("Options_setSstPartitionerFactory",
            "(JJ)V");
    /** It stores a pointer. */
    static final Export OPTIONS_SET_COMPACTION_FILTER_HANDLE = new Export("Options_setCompactionFilterHandle",
            "(JJ)V");
    /** It copies the shared_ptr. */
    static final Export OPTIONS_SET_SST_FILE_MANAGER = new Export("Options_setSstFileManager",
            "(JJ)V");
    /** It stores a pointer. */
    static final Export OPTIONS_SET_ENV = new Export("Options_setEnv",
            "(JJ)V");
    /** It deletes a C++ object. */
    static final Export ENV_OPTIONS_DISPOSE_INTERNAL_JNI = new Export("EnvOptions_disposeInternalJni",
            "(J)V");
    /** It copies settings. */
    static final Export ENV_OPTIONS_NEW_ENV_OPTIONS_J = new Export("EnvOptions_newEnvOptions__J",
            "(J)J");
    /** It stores the pointer in a shared_ptr. */
    static final Export ENV_OPTIONS_SET_RATE_LIMITER = new Export("EnvOptions_setRateLimiter",
            "(JJ)V");
    /** It makes a C++ object. */
    static final Export COMPRESSION_OPTIONS_NEW_COMPRESSION_OPTIONS = new Export(
            "CompressionOptions_newCompressionOptions",
            "()J");
    /** It deletes a C++ object. */
    static final Export COMPRESSION_OPTIONS_DISPOSE_INTERNAL_JNI = new Export("CompressionOptions_disposeInternalJni",
            "(J)V");
    /** It reads a field. */
    static final Export COMPRESSION_OPTIONS_LEVEL = new Export("CompressionOptions_level",
            "(J)I");
    /** It stores a field. */
    static final Export COMPRESSION_OPTIONS_SET_LEVEL = new Export("CompressionOptions_setLevel",
            "(JI)V");
    /** It reads a field. */
    static final Export COMPRESSION_OPTIONS_WINDOW_BITS = new Export("CompressionOptions_windowBits",
            "(J)I");
    /** It stores a field. */
    static final Export COMPRESSION_OPTIONS_SET_WINDOW_BITS = new Export("CompressionOptions_setWindowBits",
            "(JI)V");
    /** It reads a field. */
    static final Export COMPRESSION_OPTIONS_STRATEGY = new Export("CompressionOptions_strategy",
            "(J)I");
    /** It stores a field. */
    static final Export COMPRESSION_OPTIONS_SET_STRATEGY = new Export("CompressionOptions_setStrategy",
            "(JI)V");
    /** It reads a field. */
    static final Export COMPRESSION_OPTIONS_MAX_DICT_BYTES = new Export("CompressionOptions_maxDictBytes",
            "(J)I");
    /** It stores a field. */
    static final Export COMPRESSION_OPTIONS_SET_MAX_DICT_BYTES = new Export("CompressionOptions_setMaxDictBytes",
            "(JI)V");
    /** It reads a field. */
    static final Export COMPRESSION_OPTIONS_ZSTD_MAX_TRAIN_BYTES = new Export("CompressionOptions_zstdMaxTrainBytes",
            "(J)I");
    /** It stores a field. */
    static final Export COMPRESSION_OPTIONS_SET_ZSTD_MAX_TRAIN_BYTES = new Export(
            "CompressionOptions_setZstdMaxTrainBytes",
            "(JI)V");
    /** It reads a field. */
    static final Export COMPRESSION_OPTIONS_ENABLED = new Export("CompressionOptions_enabled",
            "(J)Z");
    /** It stores a field. */
    static final Export COMPRESSION_OPTIONS_SET_ENABLED = new Export("CompressionOptions_setEnabled",
            "(JZ)V");
    /** It only calls the object it is given. */
    static final Export RATE_LIMITER_SET_BYTES_PER_SECOND = new Export("RateLimiter_setBytesPerSecond",
            "(JJ)V");
    /** It only calls the object it is given. */
    static final Export RATE_LIMITER_GET_BYTES_PER_SECOND = new Export("RateLimiter_getBytesPerSecond",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export RATE_LIMITER_GET_SINGLE_BURST_BYTES = new Export("RateLimiter_getSingleBurstBytes",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export RATE_LIMITER_GET_TOTAL_BYTES_THROUGH = new Export("RateLimiter_getTotalBytesThrough",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export RATE_LIMITER_GET_TOTAL_REQUESTS = new Export("RateLimiter_getTotalRequests",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export RATE_LIMITER_REQUEST = new Export("RateLimiter_request",
            "(JJ)V");
    /** It makes a C++ object; its check of a number cannot fail where size_t has 64 bits. */
    static final Export HASH_SKIP_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE = new Export(
            "HashSkipListMemTableConfig_newMemTableFactoryHandle",
            "(JII)J");
    /** It makes a C++ object; its check of numbers cannot fail where size_t has 64 bits. */
    static final Export HASH_LINKED_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE = new Export(
            "HashLinkedListMemTableConfig_newMemTableFactoryHandle",
            "(JJIZI)J");
    /** It makes a C++ object; its check of a number cannot fail where size_t has 64 bits. */
    static final Export VECTOR_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE = new Export(
            "VectorMemTableConfig_newMemTableFactoryHandle",
            "(J)J");
    /** It makes a C++ object; its check of a number cannot fail where size_t has 64 bits. */
    static final Export SKIP_LIST_MEM_TABLE_CONFIG_NEW_MEM_TABLE_FACTORY_HANDLE0 = new Export(
            "SkipListMemTableConfig_newMemTableFactoryHandle0",
            "(J)J");
    /** It makes a C++ object, with copies of the shared_ptrs. */
    static final Export BLOCK_BASED_TABLE_CONFIG_NEW_TABLE_FACTORY_HANDLE = new Export(
            "BlockBasedTableConfig_newTableFactoryHandle",
            "(ZZZZBBDBZJJJIIIJZZZJZZIIZDZZJJBBJI)J");
    /** It makes a C++ object from a number. */
    static final Export BLOOM_FILTER_CREATE_NEW_BLOOM_FILTER = new Export("BloomFilter_createNewBloomFilter",
            "(D)J");
    /** It deletes the shared_ptr. */
    static final Export FILTER_DISPOSE_INTERNAL_JNI = new Export("Filter_disposeInternalJni",
            "(J)V");
    /** It makes a C++ object from numbers. */
    static final Export PLAIN_TABLE_CONFIG_NEW_TABLE_FACTORY_HANDLE = new Export(
            "PlainTableConfig_newTableFactoryHandle",
            "(IIDIIBZZ)J");
    /** It makes a C++ object. */
    static final Export STRING_APPEND_OPERATOR_NEW_SHARED_STRING_APPEND_OPERATOR_C = new Export(
            "StringAppendOperator_newSharedStringAppendOperator__C",
            "(C)J");
    /** It deletes the shared_ptr. */
    static final Export STRING_APPEND_OPERATOR_DISPOSE_INTERNAL_JNI = new Export(
            "StringAppendOperator_disposeInternalJni",
            "(J)V");
    /** It makes a C++ object. */
    static final Export U_INT64_ADD_OPERATOR_NEW_SHARED_U_INT64_ADD_OPERATOR = new Export(
            "UInt64AddOperator_newSharedUInt64AddOperator",
            "()J");
    /** It deletes the shared_ptr. */
    static final Export U_INT64_ADD_OPERATOR_DISPOSE_INTERNAL_JNI = new Export("UInt64AddOperator_disposeInternalJni",
            "(J)V");
    /** It makes a C++ object. */
    static final Export CASSANDRA_VALUE_MERGE_OPERATOR_NEW_SHARED_CASSANDRA_VALUE_MERGE_OPERATOR = new Export(
            "CassandraValueMergeOperator_newSharedCassandraValueMergeOperator",
            "(II)J");
    /** It deletes the shared_ptr. */
    static final Export CASSANDRA_VALUE_MERGE_OPERATOR_DISPOSE_INTERNAL_JNI = new Export(
            "CassandraValueMergeOperator_disposeInternalJni",
            "(J)V");
    /** It makes a C++ object. */
    static final Export CASSANDRA_COMPACTION_FILTER_CREATE_NEW_CASSANDRA_COMPACTION_FILTER0 = new Export(
            "CassandraCompactionFilter_createNewCassandraCompactionFilter0",
            "(ZI)J");
    /** It makes a C++ object. */
    static final Export REMOVE_EMPTY_VALUE_COMPACTION_FILTER_CREATE_NEW_REMOVE_EMPTY_VALUE_COMPACTION_FILTER0 = new Export(
            "RemoveEmptyValueCompactionFilter_createNewRemoveEmptyValueCompactionFilter0",
            "()J");
    /** It deletes a C++ object. */
    static final Export ABSTRACT_COMPACTION_FILTER_DISPOSE_INTERNAL = new Export(
            "AbstractCompactionFilter_disposeInternal",
            "(J)V");
    /** It makes a C++ object. */
    static final Export SST_PARTITIONER_FIXED_PREFIX_FACTORY_NEW_SST_PARTITIONER_FIXED_PREFIX_FACTORY0 = new Export(
            "SstPartitionerFixedPrefixFactory_newSstPartitionerFixedPrefixFactory0",
            "(J)J");
    /** It deletes the shared_ptr. */
    static final Export SST_PARTITIONER_FIXED_PREFIX_FACTORY_DISPOSE_INTERNAL_JNI = new Export(
            "SstPartitionerFixedPrefixFactory_disposeInternalJni",
            "(J)V");
    /** It makes a C++ object. */
    static final Export TABLE_PROPERTIES_COLLECTOR_FACTORY_NEW_COMPACT_ON_DELETION_COLLECTOR_FACTORY = new Export(
            "TablePropertiesCollectorFactory_newCompactOnDeletionCollectorFactory",
            "(JJD)J");
    /** It deletes the shared_ptr. */
    static final Export TABLE_PROPERTIES_COLLECTOR_FACTORY_DELETE_COMPACT_ON_DELETION_COLLECTOR_FACTORY = new Export(
            "TablePropertiesCollectorFactory_deleteCompactOnDeletionCollectorFactory",
            "(J)V");
    /** It jumps to Env::Default, which has no parameter. */
    static final Export ENV_GET_DEFAULT_ENV_INTERNAL = new Export("Env_getDefaultEnvInternal",
            "()J");
    /** It only calls the object it is given. */
    static final Export ENV_SET_BACKGROUND_THREADS = new Export("Env_setBackgroundThreads",
            "(JIB)V");
    /** It only calls the object it is given. */
    static final Export ENV_GET_BACKGROUND_THREADS = new Export("Env_getBackgroundThreads",
            "(JB)I");
    /** It only calls the object it is given. */
    static final Export ENV_GET_THREAD_POOL_QUEUE_LEN = new Export("Env_getThreadPoolQueueLen",
            "(JB)I");
    /** It only calls the object it is given. */
    static final Export ENV_INC_BACKGROUND_THREADS_IF_NEEDED = new Export("Env_incBackgroundThreadsIfNeeded",
            "(JIB)V");
    /** It only calls the object it is given. */
    static final Export ENV_LOWER_THREAD_POOL_IO_PRIORITY = new Export("Env_lowerThreadPoolIOPriority",
            "(JB)V");
    /** It only calls the object it is given. */
    static final Export ENV_LOWER_THREAD_POOL_CPU_PRIORITY = new Export("Env_lowerThreadPoolCPUPriority",
            "(JB)V");
    /** It makes a C++ object. */
    static final Export ROCKS_MEM_ENV_CREATE_MEM_ENV = new Export("RocksMemEnv_createMemEnv",
            "(J)J");
    /** It deletes a C++ object. */
    static final Export ROCKS_MEM_ENV_DISPOSE_INTERNAL_JNI = new Export("RocksMemEnv_disposeInternalJni",
            "(J)V");
    /** It makes a C++ object. */
    static final Export TIMED_ENV_CREATE_TIMED_ENV = new Export("TimedEnv_createTimedEnv",
            "(J)J");
    /** It deletes a C++ object. */
    static final Export TIMED_ENV_DISPOSE_INTERNAL_JNI = new Export("TimedEnv_disposeInternalJni",
            "(J)V");
    /** It makes a C++ object. */
    static final Export COMPACT_RANGE_OPTIONS_NEW_COMPACT_RANGE_OPTIONS = new Export(
            "CompactRangeOptions_newCompactRangeOptions",
            "()J");
    /** It deletes a C++ object. */
    static final Export COMPACT_RANGE_OPTIONS_DISPOSE_INTERNAL_JNI = new Export(
            "CompactRangeOptions_disposeInternalJni",
            "(J)V");
    /** It copies two numbers into a text. */
    static final Export COMPACT_RANGE_OPTIONS_SET_FULL_HISTORY_TS_LOW = new Export(
            "CompactRangeOptions_setFullHistoryTSLow",
            "(JJJ)V");
    /** It stores a flag. */
    static final Export COMPACT_RANGE_OPTIONS_SET_CANCELED = new Export("CompactRangeOptions_setCanceled",
            "(JZ)V");
    /** It reads a flag. */
    static final Export COMPACT_RANGE_OPTIONS_CANCELED = new Export("CompactRangeOptions_canceled",
            "(J)Z");
    /** It only calls the object it is given. */
    static final Export PERF_CONTEXT_RESET = new Export("PerfContext_reset",
            "(J)V");
    /** It calls SetPerfLevel with a number. */
    static final Export ROCKS_DB_SET_PERF_LEVEL = new Export("RocksDB_setPerfLevel",
            "(B)V");
    /** It calls GetPerfLevel, which has no parameter. */
    static final Export ROCKS_DB_GET_PERF_LEVEL_NATIVE = new Export("RocksDB_getPerfLevelNative",
            "()B");
    /** It jumps to get_perf_context, which has no parameter. */
    static final Export ROCKS_DB_GET_PERF_CONTEXT_NATIVE = new Export("RocksDB_getPerfContextNative",
            "()J");
    /** It only calls the object it is given. */
    static final Export ROCKS_DB_GET_ENV = new Export("RocksDB_getEnv",
            "(J)J");
    /** It returns a constant. */
    static final Export ROCKS_DB_VERSION = new Export("RocksDB_version",
            "()I");

    /** It stores a pointer. The options point to the slice, as their iterators will; C could only give them one that goes with them. */
    private static final Export READ_OPTIONS_SET_ITERATE_LOWER_BOUND = new Export("ReadOptions_setIterateLowerBound",
            "(JJ)V");
    /** It stores a pointer. The options point to the slice, as their iterators will; C could only give them one that goes with them. */
    private static final Export READ_OPTIONS_SET_ITERATE_UPPER_BOUND = new Export("ReadOptions_setIterateUpperBound",
            "(JJ)V");
    /** It stores a pointer. The options point to the slice, as their iterators will; C could only give them one that goes with them. */
    private static final Export READ_OPTIONS_SET_TIMESTAMP = new Export("ReadOptions_setTimestamp",
            "(JJ)V");
    /** It stores a pointer. The options point to the slice, as their iterators will; C could only give them one that goes with them. */
    private static final Export READ_OPTIONS_SET_ITER_START_TS = new Export("ReadOptions_setIterStartTs",
            "(JJ)V");

    /** It calls a method that returns nothing. */
    private static final Export ROCKS_DB_ABORT_ALL_COMPACTIONS = new Export("RocksDB_abortAllCompactions",
            "(J)V");
    /** It calls a method that returns nothing. */
    private static final Export ROCKS_DB_RESUME_ALL_COMPACTIONS = new Export("RocksDB_resumeAllCompactions",
            "(J)V");

    /** It only calls the object it is given. */
    private static final Export ROCKS_DB_NUMBER_LEVELS = new Export("RocksDB_numberLevels",
            "(JJ)I");
    /** It only calls the object it is given. */
    private static final Export ROCKS_DB_LEVEL0_STOP_WRITE_TRIGGER = new Export("RocksDB_level0StopWriteTrigger",
            "(JJ)I");

    private static final Map<String, Export> COUNTERS = new ConcurrentHashMap<>();

    private Exports() {
    }

    /** A counter of a {@code PerfContext}, by its getter: each of these functions reads a field. */
    static long counter(long context, String getter) {
        return COUNTERS.computeIfAbsent(getter, name -> new Export("PerfContext_" + name, "(J)J")).call(context);
    }

    /** A {@code rocksdb_cache_t}; 0 if RocksDB makes none of such numbers. */
    static long newLruCache(long capacity, int shardBits, boolean strict, double highPriority, double lowPriority) {
        return LRU_CACHE_NEW_LRU_CACHE.call(capacity, shardBits, Natives.flag(strict),
                Double.doubleToRawLongBits(highPriority), Double.doubleToRawLongBits(lowPriority));
    }

    static void setIterateLowerBound(long readOptions, long slice) {
        READ_OPTIONS_SET_ITERATE_LOWER_BOUND.call(readOptions, slice);
    }

    static void setIterateUpperBound(long readOptions, long slice) {
        READ_OPTIONS_SET_ITERATE_UPPER_BOUND.call(readOptions, slice);
    }

    static void setTimestamp(long readOptions, long slice) {
        READ_OPTIONS_SET_TIMESTAMP.call(readOptions, slice);
    }

    static void setIterStartTs(long readOptions, long slice) {
        READ_OPTIONS_SET_ITER_START_TS.call(readOptions, slice);
    }

    static int numberLevels(long database, long family) {
        return (int) ROCKS_DB_NUMBER_LEVELS.call(NativeCalls.readLong(database), NativeCalls.readLong(family));
    }

    static int level0StopWriteTrigger(long database, long family) {
        return (int) ROCKS_DB_LEVEL0_STOP_WRITE_TRIGGER.call(NativeCalls.readLong(database),
                NativeCalls.readLong(family));
    }

    static void abortAllCompactions(long database) {
        ROCKS_DB_ABORT_ALL_COMPACTIONS.call(NativeCalls.readLong(database));
    }

    /** Links it: there may be no memory for that when it must be called. */
    static void prepareResumeAllCompactions() {
        ROCKS_DB_RESUME_ALL_COMPACTIONS.prepare();
    }

    static void resumeAllCompactions(long database) {
        ROCKS_DB_RESUME_ALL_COMPACTIONS.call(NativeCalls.readLong(database));
    }

    static MethodHandle link(String symbol, FunctionDescriptor descriptor) {
        return NativeCalls
                .link(NativeLibraries.rocksdb().find(symbol).orElseThrow(() -> new UnsupportedOperationException(
                        "The RocksDB library has no function " + symbol + ": it was built without JNI")), descriptor);
    }
}
