package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What {@code Options}, {@code DBOptions} and {@code ColumnFamilyOptions} were given besides plain values; it lives as long as they do. */
final class OptionParts {

    private final RocksObject options;
    private TableFormatConfig tableFormat;
    private RateLimiter rateLimiter;
    private WriteBufferManager writeBufferManager;
    private Cache rowCache;
    private CompactionOptionsUniversal universal;
    private CompactionOptionsFIFO fifo;
    private List<CompressionType> compressionPerLevel = List.of();

    OptionParts(RocksObject options) {
        this.options = options;
    }

    /** Takes the parts of options that the native ones were copied from, or half of them. */
    void takeFrom(OptionParts other) {
        if (other.rateLimiter != null) {
            setRateLimiter(other.rateLimiter);
        }
        if (other.writeBufferManager != null) {
            setWriteBufferManager(other.writeBufferManager);
        }
        if (other.rowCache != null) {
            setRowCache(other.rowCache);
        }
        tableFormat = other.tableFormat != null ? other.tableFormat : tableFormat;
        universal = other.universal != null ? other.universal : universal;
        fifo = other.fifo != null ? other.fifo : fifo;
        compressionPerLevel = other.compressionPerLevel.isEmpty() ? compressionPerLevel : other.compressionPerLevel;
    }

    void setTableFormatConfig(TableFormatConfig config) {
        try (Scratch scratch = options.use()) {
            TableFormats.set(scratch, options.nativeHandle_, config);
        }
        tableFormat = config;
    }

    TableFormatConfig tableFormatConfig() {
        return tableFormat;
    }

    void setRateLimiter(RateLimiter limiter) {
        try (Scratch _ = options.use(); Scratch _ = limiter.use()) {
            CApi.rocksdb_options_set_ratelimiter(options.nativeHandle_, limiter.nativeHandle_);
        }
        rateLimiter = limiter;
    }

    void setWriteBufferManager(WriteBufferManager manager) {
        try (Scratch _ = options.use(); Scratch _ = manager.use()) {
            CApi.rocksdb_options_set_write_buffer_manager(options.nativeHandle_, manager.nativeHandle_);
        }
        writeBufferManager = manager;
    }

    WriteBufferManager writeBufferManager() {
        return writeBufferManager;
    }

    void setRowCache(Cache cache) {
        try (Scratch _ = options.use(); Scratch _ = cache.use()) {
            CApi.rocksdb_options_set_row_cache(options.nativeHandle_, cache.nativeHandle_);
        }
        rowCache = cache;
    }

    Cache rowCache() {
        return rowCache;
    }

    void setCompactionOptionsUniversal(CompactionOptionsUniversal universal) {
        try (Scratch _ = options.use(); Scratch _ = universal.use()) {
            CApi.rocksdb_options_set_universal_compaction_options(options.nativeHandle_, universal.nativeHandle_);
        }
        this.universal = universal;
    }

    CompactionOptionsUniversal compactionOptionsUniversal() {
        return universal;
    }

    void setCompactionOptionsFIFO(CompactionOptionsFIFO fifo) {
        try (Scratch _ = options.use(); Scratch _ = fifo.use()) {
            CApi.rocksdb_options_set_fifo_compaction_options(options.nativeHandle_, fifo.nativeHandle_);
        }
        this.fifo = fifo;
    }

    CompactionOptionsFIFO compactionOptionsFIFO() {
        return fifo;
    }

    void setCompressionPerLevel(List<CompressionType> levels) {
        int[] numbers = levels.stream().mapToInt(CompressionType::toNative).toArray();
        try (Scratch scratch = options.use()) {
            CApi.rocksdb_options_set_compression_per_level(options.nativeHandle_, ints(scratch, numbers),
                    numbers.length);
        }
        compressionPerLevel = List.copyOf(levels);
    }

    List<CompressionType> compressionPerLevel() {
        return new ArrayList<>(compressionPerLevel);
    }

    void setMaxBytesForLevelMultiplierAdditional(int[] multipliers) {
        try (Scratch scratch = options.use()) {
            CApi.rocksdb_options_set_max_bytes_for_level_multiplier_additional(options.nativeHandle_,
                    ints(scratch, multipliers),
                    multipliers.length);
        }
    }

    void useFixedLengthPrefixExtractor(int length) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_options_set_prefix_extractor(options.nativeHandle_,
                    CApi.rocksdb_slicetransform_create_fixed_prefix(length));
        }
    }

    void useCappedPrefixExtractor(int length) {
        fromText("prefix_extractor=rocksdb.CappedPrefix." + length);
    }

    void setComparator(BuiltinComparator comparator) {
        fromText("comparator=" + switch (comparator) {
            case BYTEWISE_COMPARATOR -> "leveldb.BytewiseComparator";
            case REVERSE_BYTEWISE_COMPARATOR -> "rocksdb.ReverseBytewiseComparator";
        });
    }

    /** Changes options as a text says. Only for texts that RocksDB is known to understand: it drops names of objects that it does not know. */
    private void fromText(String text) {
        try (Scratch scratch = options.use()) {
            CApi.rocksdb_get_options_from_string(options.nativeHandle_, scratch.allocateFrom(text),
                    options.nativeHandle_,
                    Errors.place(scratch));
            Errors.check(scratch);
        } catch (RocksDBException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static long ints(Scratch scratch, int[] numbers) {
        Objects.requireNonNull(numbers, "numbers");
        MemorySegment memory = scratch.allocate(Integer.BYTES * (long) Math.max(1, numbers.length), Integer.BYTES);
        MemorySegment.copy(numbers, 0, memory, ValueLayout.JAVA_INT, 0, numbers.length);
        return memory.address();
    }
}
