package org.rocksdb;

import dev.outcrop.memory.Scratch;

/** What {@code CompactRangeOptions} were given besides plain values. */
final class CompactRangeParts {

    private final CompactRangeOptions options;
    private CompactRangeOptions.Timestamp historyLow;

    CompactRangeParts(CompactRangeOptions options) {
        this.options = options;
    }

    /** The native object is JNI's, which begins as C's does and has what C cannot set. */
    static long make() {
        return Exports.COMPACT_RANGE_OPTIONS_NEW_COMPACT_RANGE_OPTIONS.call();
    }

    static void dispose(CompactRangeOptions options, long handle) {
        Exports.COMPACT_RANGE_OPTIONS_DISPOSE_INTERNAL_JNI.call(handle);
    }

    void setFullHistoryTSLow(CompactRangeOptions.Timestamp low) {
        try (Scratch _ = options.use()) {
            Exports.COMPACT_RANGE_OPTIONS_SET_FULL_HISTORY_TS_LOW.call(options.nativeHandle_, low.start, low.range);
        }
        historyLow = new CompactRangeOptions.Timestamp(low.start, low.range);
    }

    CompactRangeOptions.Timestamp fullHistoryTSLow() {
        try (Scratch _ = options.use()) {
            return historyLow;
        }
    }
}
