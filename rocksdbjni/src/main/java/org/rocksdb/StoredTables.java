package org.rocksdb;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** The table formats and the use of prefixes of the families in a file of options. RocksDB reads them, but does not report them. */
final class StoredTables {

    private static final String FAMILY = "[CFOptions ";
    private static final String TABLE = "[TableOptions/BlockBasedTable ";
    private static final String BLOOM = "bloomfilter:";

    /** The options of block based tables for each family; null if it has other tables. */
    private final List<Map<String, String>> tables = new ArrayList<>();
    private final List<PrefixUse> prefixes = new ArrayList<>();
    private final List<byte[]> names = new ArrayList<>();

    /**
     * Parses a file, in which the section of a table follows that of its family.
     *
     * @param text a character for each byte
     */
    StoredTables(String text) {
        Map<String, String> section = null;
        boolean isFamily = false;
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith("[")) {
                section = null;
                isFamily = line.startsWith(FAMILY);
                if (isFamily) {
                    names.add(name(line));
                    tables.add(null);
                    prefixes.add(PrefixUse.NONE);
                } else if (line.startsWith(TABLE) && !tables.isEmpty()) {
                    section = new HashMap<>();
                    tables.set(tables.size() - 1, section);
                }
            } else if (section != null && line.indexOf('=') > 0) {
                section.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            } else if (isFamily) {
                prefixes.add(prefixes.removeLast().withStored(line));
            }
        }
    }

    /** Parses the name in the first line of a family, a character for each byte. RocksDB escapes some with backslashes. */
    private static byte[] name(String line) {
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        int end = line.lastIndexOf('"');
        for (int i = FAMILY.length() + 1; i < end; i++) {
            char c = line.charAt(i);
            if (c == '\\' && i + 1 < end) {
                i++;
                c = switch (line.charAt(i)) {
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    default -> line.charAt(i);
                };
            }
            name.write(c);
        }
        return name.toByteArray();
    }

    /** Returns the index of a family by its name; -1 if there is none. */
    int indexOf(byte[] name) {
        return IntStream.range(0, names.size()).filter(i -> Arrays.equals(names.get(i), name)).findFirst().orElse(-1);
    }

    /** Returns the name of a family, which C cuts at a zero. */
    byte[] name(int family, byte[] told) {
        byte[] name = family < names.size() ? names.get(family) : told;
        return Arrays.mismatch(name, told) == told.length && name[told.length] == 0 ? name : told;
    }

    /** Returns the use of prefixes of a family. */
    PrefixUse prefixes(int family) {
        return family < prefixes.size() ? prefixes.get(family) : PrefixUse.UNKNOWN;
    }

    /** Returns the table format of a family; null if it is not block based. */
    TableFormatConfig config(int family) {
        Map<String, String> table = family < tables.size() ? tables.get(family) : null;
        if (table == null) {
            return null;
        }
        BlockBasedTableConfig config = new BlockBasedTableConfig();
        // As published: the native tables have the cache of their own, if any.
        config.blockCacheSize = 0;
        flags(table, config);
        numbers(table, config);
        kinds(table, config);
        return config;
    }

    private static void flags(Map<String, String> table, BlockBasedTableConfig config) {
        flag(table, "block_align", value -> config.blockAlign = value);
        flag(table, "cache_index_and_filter_blocks", value -> config.cacheIndexAndFilterBlocks = value);
        flag(table, "cache_index_and_filter_blocks_with_high_priority",
                value -> config.cacheIndexAndFilterBlocksWithHighPriority = value);
        flag(table, "enable_index_compression", value -> config.enableIndexCompression = value);
        flag(table, "no_block_cache", value -> config.noBlockCache = value);
        flag(table, "optimize_filters_for_memory", value -> config.optimizeFiltersForMemory = value);
        flag(table, "partition_filters", value -> config.partitionFilters = value);
        flag(table, "pin_l0_filter_and_index_blocks_in_cache",
                value -> config.pinL0FilterAndIndexBlocksInCache = value);
        flag(table, "pin_top_level_index_and_filter", value -> config.pinTopLevelIndexAndFilter = value);
        flag(table, "separate_key_value_in_data_block", value -> config.separateKeyValueInDataBlock = value);
        flag(table, "use_delta_encoding", value -> config.useDeltaEncoding = value);
        flag(table, "verify_compression", value -> config.verifyCompression = value);
        flag(table, "whole_key_filtering", value -> config.wholeKeyFiltering = value);
    }

    private static void numbers(Map<String, String> table, BlockBasedTableConfig config) {
        number(table, "block_restart_interval", value -> config.blockRestartInterval = (int) value);
        number(table, "block_size", value -> config.blockSize = value);
        number(table, "block_size_deviation", value -> config.blockSizeDeviation = (int) value);
        number(table, "format_version", value -> config.formatVersion = (int) value);
        number(table, "index_block_restart_interval", value -> config.indexBlockRestartInterval = (int) value);
        number(table, "metadata_block_size", value -> config.metadataBlockSize = value);
        number(table, "read_amp_bytes_per_bit", value -> config.readAmpBytesPerBit = (int) value);
        number(table, "super_block_alignment_size", value -> config.superBlockAlignmentSize = value);
        number(table, "super_block_alignment_space_overhead_ratio",
                value -> config.superBlockAlignmentSpaceOverheadRatio = value);
        text(table, "data_block_hash_table_util_ratio",
                value -> config.dataBlockHashTableUtilRatio = Double.parseDouble(value));
        text(table, "uniform_cv_threshold", value -> config.uniformCvThreshold = Double.parseDouble(value));
    }

    private static void kinds(Map<String, String> table, BlockBasedTableConfig config) {
        text(table, "checksum", value -> config.checksumType = ChecksumType.valueOf(value));
        text(table, "data_block_index_type", value -> config.dataBlockIndexType = DataBlockIndexType.valueOf(value));
        text(table, "index_block_search_type", value -> config.indexSearchType = IndexSearchType.valueOf(value));
        text(table, "index_shortening", value -> config.indexShortening = IndexShorteningMode.valueOf(value));
        text(table, "index_type", value -> config.indexType = IndexType.valueOf(value));
        text(table, "filter_policy", value -> {
            if (value.startsWith(BLOOM)) {
                config.filterPolicy = new BloomFilter(Double.parseDouble(value.split(":", -1)[1]));
            }
        });
    }

    private static void flag(Map<String, String> table, String option, Consumer<Boolean> field) {
        text(table, option, value -> field.accept(Boolean.valueOf(value)));
    }

    private static void number(Map<String, String> table, String option, LongConsumer field) {
        text(table, option, value -> field.accept(Long.parseLong(value)));
    }

    /** Sets a field; a value that RocksDB would not write, or an unknown constant, leaves its default. */
    private static void text(Map<String, String> table, String option, Consumer<String> field) {
        String value = table.get(option);
        if (value != null) {
            try {
                field.accept(value);
            } catch (IllegalArgumentException e) {
                // RocksDB has understood it, and the native tables have it.
            }
        }
    }
}
