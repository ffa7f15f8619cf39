package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** Presets of options for a purpose. */
final class OptionPresets {

    static final long DEFAULT_MEMTABLE_BUDGET = 512L << 20;

    private OptionPresets() {
    }

    static void optimizeForSmallDb(DBOptions options) {
        try (Scratch _ = options.use()) {
            DBOptions.jniOptimizeForSmallDb(options.nativeHandle_);
        }
    }

    static void optimizeForSmallDb(RocksObject options) {
        try (Scratch _ = options.use()) {
            Options.jniOptimizeForSmallDb(options.nativeHandle_);
        }
    }

    static void optimizeForSmallDb(RocksObject options, Cache cache) {
        try (Scratch _ = options.use(); Scratch _ = cache.use()) {
            Options.jniOptimizeForSmallDb(options.nativeHandle_, cache.nativeHandle_);
        }
    }

    static void setMaxTableFilesSizeFIFO(RocksObject options, long bytes) {
        assert bytes > 0;
        try (Scratch _ = options.use()) {
            Options.jniSetMaxTableFilesSizeFIFO(options.nativeHandle_, bytes);
        }
    }

    static void optimizeLevelStyleCompaction(RocksObject options, long memtableBudget) {
        state(options).withLevels(_ -> CApi.rocksdb_options_optimize_level_style_compaction(options.nativeHandle_,
                memtableBudget));
    }

    static void optimizeUniversalStyleCompaction(RocksObject options, long memtableBudget) {
        state(options).withLevels(_ -> CApi.rocksdb_options_optimize_universal_style_compaction(options.nativeHandle_,
                memtableBudget));
    }

    private static OptionsState state(RocksObject options) {
        return options instanceof ColumnFamilyOptions family ? family.state_ : ((Options) options).state_;
    }
}
