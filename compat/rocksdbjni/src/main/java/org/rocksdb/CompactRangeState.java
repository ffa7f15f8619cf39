package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** The state of {@code CompactRangeOptions} in Java. */
final class CompactRangeState {

    private final CompactRangeOptions options;
    private CompactRangeOptions.Timestamp historyLow;
    /** The number of compactions that use the native options. RocksDB reads the options again long after it has checked them. */
    private int readers;

    CompactRangeState(CompactRangeOptions options) {
        this.options = options;
    }

    /** Makes JNI's native object. It begins like C's object, and has fields that C cannot set. */
    static long make() {
        return CompactRangeOptions.jniNewCompactRangeOptions();
    }

    static void dispose(CompactRangeOptions options, long handle) {
        CompactRangeOptions.jniDisposeInternalJni(handle);
    }

    synchronized void begin() {
        readers++;
    }

    synchronized void end() {
        readers--;
    }

    /** Changes an option that must not change during a compaction. Other options may change at any time. */
    private synchronized void change(Runnable setter) {
        if (readers != 0) {
            throw new IllegalStateException("A compaction is using the options: give it some of its own, or wait");
        }
        try (Scratch _ = options.use()) {
            setter.run();
        }
    }

    void setTargetLevel(int level) {
        change(() -> CApi.rocksdb_compactoptions_set_target_level(options.nativeHandle_, level));
    }

    void setTargetPathId(int id) {
        change(() -> CApi.rocksdb_compactoptions_set_target_path_id(options.nativeHandle_, id));
    }

    void setFullHistoryTSLow(CompactRangeOptions.Timestamp low) {
        change(() -> {
            CompactRangeOptions.jniSetFullHistoryTSLow(options.nativeHandle_, low.start, low.range);
            historyLow = new CompactRangeOptions.Timestamp(low.start, low.range);
        });
    }

    CompactRangeOptions.Timestamp fullHistoryTSLow() {
        try (Scratch _ = options.use()) {
            return historyLow;
        }
    }
}
