package org.rocksdb;

import static java.lang.Boolean.parseBoolean;
import static java.lang.Double.parseDouble;
import static java.lang.Integer.parseInt;
import static java.lang.Long.parseLong;
import static java.util.Map.entry;

import dev.outcrop.rocksdb.engine.MergeWidths;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * The table formats, the use of prefixes and the widths of universal compaction of the families in an options file. RocksDB reads them, but
 * does not report them.
 */
final class StoredTableFormats {

    private static final String FAMILY = "[CFOptions ";
    private static final String TABLE = "[TableOptions/BlockBasedTable ";
    private static final String BLOOM = "bloomfilter:";

    /** Setters of the options of block based tables. */
    private static final Map<String, BiConsumer<BlockBasedTableConfig, String>> FIELDS = Map.ofEntries(
            entry("block_align", (to, value) -> to.blockAlign = parseBoolean(value)),
            entry("cache_index_and_filter_blocks", (to, value) -> to.cacheIndexAndFilterBlocks = parseBoolean(value)),
            entry("cache_index_and_filter_blocks_with_high_priority",
                    (to, value) -> to.cacheIndexAndFilterBlocksWithHighPriority = parseBoolean(value)),
            entry("enable_index_compression", (to, value) -> to.enableIndexCompression = parseBoolean(value)),
            entry("no_block_cache", (to, value) -> to.noBlockCache = parseBoolean(value)),
            entry("optimize_filters_for_memory", (to, value) -> to.optimizeFiltersForMemory = parseBoolean(value)),
            entry("partition_filters", (to, value) -> to.partitionFilters = parseBoolean(value)),
            entry("pin_l0_filter_and_index_blocks_in_cache",
                    (to, value) -> to.pinL0FilterAndIndexBlocksInCache = parseBoolean(value)),
            entry("pin_top_level_index_and_filter", (to, value) -> to.pinTopLevelIndexAndFilter = parseBoolean(value)),
            entry("separate_key_value_in_data_block",
                    (to, value) -> to.separateKeyValueInDataBlock = parseBoolean(value)),
            entry("use_delta_encoding", (to, value) -> to.useDeltaEncoding = parseBoolean(value)),
            entry("verify_compression", (to, value) -> to.verifyCompression = parseBoolean(value)),
            entry("whole_key_filtering", (to, value) -> to.wholeKeyFiltering = parseBoolean(value)),
            entry("block_restart_interval", (to, value) -> to.blockRestartInterval = parseInt(value)),
            entry("block_size", (to, value) -> to.blockSize = parseLong(value)),
            entry("block_size_deviation", (to, value) -> to.blockSizeDeviation = parseInt(value)),
            entry("format_version", (to, value) -> to.formatVersion = parseInt(value)),
            entry("index_block_restart_interval", (to, value) -> to.indexBlockRestartInterval = parseInt(value)),
            entry("metadata_block_size", (to, value) -> to.metadataBlockSize = parseLong(value)),
            entry("read_amp_bytes_per_bit", (to, value) -> to.readAmpBytesPerBit = parseInt(value)),
            entry("super_block_alignment_size", (to, value) -> to.superBlockAlignmentSize = parseLong(value)),
            entry("super_block_alignment_space_overhead_ratio",
                    (to, value) -> to.superBlockAlignmentSpaceOverheadRatio = parseLong(value)),
            entry("data_block_hash_table_util_ratio",
                    (to, value) -> to.dataBlockHashTableUtilRatio = parseDouble(value)),
            entry("uniform_cv_threshold", (to, value) -> to.uniformCvThreshold = parseDouble(value)),
            entry("checksum", (to, value) -> to.checksumType = ChecksumType.valueOf(value)),
            entry("data_block_index_type", (to, value) -> to.dataBlockIndexType = DataBlockIndexType.valueOf(value)),
            entry("index_block_search_type", (to, value) -> to.indexSearchType = IndexSearchType.valueOf(value)),
            entry("index_shortening", (to, value) -> to.indexShortening = IndexShorteningMode.valueOf(value)),
            entry("index_type", (to, value) -> to.indexType = IndexType.valueOf(value)),
            entry("filter_policy", (to, value) -> {
                if (value.startsWith(BLOOM)) {
                    to.filterPolicy = new BloomFilter(parseDouble(value.split(":", -1)[1]));
                }
            }));

    /** The options of block based tables for each family; null for a family with other tables. */
    private final List<Map<String, String>> tables = new ArrayList<>();
    private final List<PrefixSettings> prefixes = new ArrayList<>();
    private final List<MergeWidths> widths = new ArrayList<>();
    private final List<byte[]> names = new ArrayList<>();

    /**
     * Parses a file. The section of a table follows the section of its family.
     *
     * @param text a character for each byte
     */
    StoredTableFormats(String text) {
        Map<String, String> section = null;
        boolean isFamily = false;
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith("[")) {
                section = null;
                isFamily = line.startsWith(FAMILY);
                if (isFamily) {
                    names.add(name(line));
                    tables.add(null);
                    prefixes.add(PrefixSettings.NONE);
                    widths.add(MergeWidths.DEFAULT);
                } else if (line.startsWith(TABLE) && !tables.isEmpty()) {
                    section = new HashMap<>();
                    tables.set(tables.size() - 1, section);
                }
            } else if (section != null && line.indexOf('=') > 0) {
                section.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            } else if (isFamily) {
                prefixes.add(prefixes.removeLast().withStored(line));
                widths.add(widths.removeLast().with(line));
            }
        }
    }

    /** Parses the name in the first line of a family, a character for each byte. RocksDB escapes some characters with backslashes. */
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

    /** Returns the full name of a family. C cuts names at a zero byte. */
    byte[] name(int family, byte[] told) {
        byte[] name = family < names.size() ? names.get(family) : told;
        return Arrays.mismatch(name, told) == told.length && name[told.length] == 0 ? name : told;
    }

    /** Returns the use of prefixes of a family. */
    PrefixSettings prefixes(int family) {
        return family < prefixes.size() ? prefixes.get(family) : PrefixSettings.UNKNOWN;
    }

    /** Returns the widths of universal compaction of a family. */
    MergeWidths mergeWidths(int family) {
        return family < widths.size() ? widths.get(family) : MergeWidths.DEFAULT;
    }

    /** Returns the table format of a family; null if it is not block based. */
    TableFormatConfig config(int family) {
        Map<String, String> table = family < tables.size() ? tables.get(family) : null;
        if (table == null) {
            return null;
        }
        BlockBasedTableConfig config = new BlockBasedTableConfig();
        // As published: if the native tables have a cache, it is their own.
        config.blockCacheSize = 0;
        table.forEach((option, value) -> set(config, option, value));
        return config;
    }

    /** Sets an option. A value that RocksDB would not write, or an unknown constant, leaves the default. */
    private static void set(BlockBasedTableConfig config, String option, String value) {
        BiConsumer<BlockBasedTableConfig, String> field = FIELDS.get(option);
        if (field != null) {
            try {
                field.accept(config, value);
            } catch (IllegalArgumentException e) {
                // RocksDB has understood the value, and the native tables have it.
            }
        }
    }
}
