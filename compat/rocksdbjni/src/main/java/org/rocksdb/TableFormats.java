package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.Unsupported;

/** Creates the native table factories and memtable factories of configurations. */
final class TableFormats {

    /** Each list of a hash skip list allocates 8 bytes for each level. */
    private static final int MOST_HEIGHT = 100_000;
    /** RocksDB truncates the branching factor to these 16 bits, and divides by it. */
    private static final int BRANCHING_BITS = 0xffff;
    /** A memtable allocates 8 bytes for each pointer, in one piece. */
    private static final int MOST_POINTERS = 1 << 27;
    private static final double LEAST_HASH_RATIO = 1e-6;
    private static final int MOST_KEY = 1 << 16;

    private TableFormats() {
    }

    /** Returns the problem of a table format; null if there is none. With a problem, nothing can be opened. */
    static String problem(TableFormatConfig config) {
        return problem(() -> check(config));
    }

    /** Returns the problem of memtables; null if there is none. With a problem, nothing can be opened. */
    static String problem(MemTableConfig config) {
        return problem(() -> check(config));
    }

    private static String problem(Runnable check) {
        try {
            check.run();
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static void check(TableFormatConfig config) {
        switch (config) {
            case BlockBasedTableConfig blocks -> {
                if (blocks.blockAlign && blocks.blockSize == 0) {
                    throw new IllegalArgumentException("blockSize must not be 0 with blockAlign: no block would ever"
                            + " be full");
                }
            }
            case PlainTableConfig plain -> {
                // RocksDB allocates the number of prefixes divided by the ratio, in one piece. 0 means no hash table.
                OptionChecks.check("bloomBitsPerKey", plain.bloomBitsPerKey, 0, Integer.MAX_VALUE);
                if (plain.hashTableRatio != 0 && plain.hashTableRatio < LEAST_HASH_RATIO
                        && Double.isFinite(plain.hashTableRatio)) {
                    throw new IllegalArgumentException("hashTableRatio must be 0 or at least " + LEAST_HASH_RATIO
                            + ", not " + plain.hashTableRatio);
                }
                // If keys have a fixed length, the file does not store their lengths.
                OptionChecks.check("keySize", plain.keySize, 0, MOST_KEY);
            }
            default -> {
                // No number of another one ends the process.
            }
        }
    }

    private static void check(MemTableConfig config) {
        switch (config) {
            case HashSkipListMemTableConfig lists -> {
                checkBuckets(lists.bucketCount);
                OptionChecks.check("height", lists.height, 1, MOST_HEIGHT);
                if ((lists.branchingFactor & BRANCHING_BITS) == 0) {
                    throw new IllegalArgumentException("branchingFactor must have one of its lower 16 bits set,"
                            + " by which RocksDB divides, unlike " + lists.branchingFactor);
                }
            }
            case HashLinkedListMemTableConfig lists -> checkBuckets(lists.bucketCount);
            case VectorMemTableConfig vector ->
                OptionChecks.check("reservedSize", vector.reservedSize, 0, MOST_POINTERS);
            default -> {
                // No number of another one ends the process.
            }
        }
    }

    /** Checks the number of buckets, by which RocksDB divides. */
    private static void checkBuckets(long count) {
        OptionChecks.check("bucketCount", count, 1, MOST_POINTERS);
    }

    static void set(long options, TableFormatConfig config) {
        Options.jniSetTableFactory(options, config.newTableFactoryHandle());
    }

    /** Creates a table factory with JNI's function. C's function would write a filter to the options file without its bits per key. */
    static long blocks(BlockBasedTableConfig config) {
        Cache cache = config.blockCache;
        long filter = config.filterPolicy == null ? 0 : newFilter(config.filterPolicy);
        PersistentCache files = config.persistentCache;
        try (Scratch _ = cache == null ? null : cache.use(); Scratch _ = files == null ? null : files.use()) {
            return blocks(config, cache == null ? 0 : cache.nativeHandle_, files == null ? 0 : files.nativeHandle_,
                    filter);
        } finally {
            if (filter != 0) {
                Filter.jniDisposeInternalJni(filter);
            }
        }
    }

    /** Returns a {@code shared_ptr} to a new filter. The caller owns it. */
    private static long newFilter(Filter filter) {
        if (filter instanceof BloomFilter bloom) {
            return BloomFilter.jniCreateNewBloomFilter(bloom.bitsPerKey());
        }
        throw Unsupported.method("BlockBasedTableConfig.setFilterPolicy(" + filter.getClass().getSimpleName() + ")");
    }

    static Filter createFilter(FilterPolicyType type, long handle, double bitsPerKey) {
        return type == FilterPolicyType.kBloomFilterPolicy ? new BloomFilter(bitsPerKey) : null;
    }

    private static long blocks(BlockBasedTableConfig config, long cache, long persistentCache, long filter) {
        return BlockBasedTableConfig.jniNewTableFactoryHandle(
                config.cacheIndexAndFilterBlocks,
                config.cacheIndexAndFilterBlocksWithHighPriority,
                config.pinL0FilterAndIndexBlocksInCache,
                config.pinTopLevelIndexAndFilter, config.indexType.getValue(),
                (byte) config.dataBlockIndexType.toNative(), config.dataBlockHashTableUtilRatio,
                config.checksumType.getValue(), config.noBlockCache, cache, persistentCache,
                config.blockSize, config.blockSizeDeviation, config.blockRestartInterval,
                config.indexBlockRestartInterval, config.metadataBlockSize, config.partitionFilters,
                config.optimizeFiltersForMemory, config.useDeltaEncoding, filter,
                config.wholeKeyFiltering, config.verifyCompression,
                config.readAmpBytesPerBit, config.formatVersion, config.separateKeyValueInDataBlock,
                config.uniformCvThreshold, config.enableIndexCompression,
                config.blockAlign, config.superBlockAlignmentSize,
                config.superBlockAlignmentSpaceOverheadRatio, (byte) config.indexShortening.toNative(),
                (byte) config.indexSearchType.toNative(), config.blockCacheSize, config.cacheNumShardBits);
    }

    static long plain(PlainTableConfig config) {
        return PlainTableConfig.jniNewTableFactoryHandle(config.keySize, config.bloomBitsPerKey,
                config.hashTableRatio, config.indexSparseness, config.hugePageTlbSize,
                config.encodingType.getValue(), config.fullScanMode,
                config.storeIndexInFile);
    }

    static long memTable(HashSkipListMemTableConfig config) {
        return HashSkipListMemTableConfig.jniNewMemTableFactoryHandle(config.bucketCount,
                config.height, config.branchingFactor);
    }

    static long memTable(HashLinkedListMemTableConfig config) {
        return HashLinkedListMemTableConfig.jniNewMemTableFactoryHandle(config.bucketCount,
                config.hugePageTlbSize, config.bucketEntriesLoggingThreshold,
                config.ifLogBucketDistWhenFlush, config.thresholdUseSkiplist);
    }

    static long memTable(VectorMemTableConfig config) {
        return VectorMemTableConfig.jniNewMemTableFactoryHandle(config.reservedSize);
    }

    static long memTable(SkipListMemTableConfig config) {
        return SkipListMemTableConfig.jniNewMemTableFactoryHandle0(config.lookahead);
    }
}
