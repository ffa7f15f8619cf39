package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.foreign.ValueLayout;

/** The values of a {@code CompactionJobInfo}. */
final class CompactionJobState {

    private final CompactionJobInfo info;
    private volatile CompactionValues values = CompactionValues.NONE;

    CompactionJobState(CompactionJobInfo info) {
        this.info = info;
    }

    static CompactionJobInfo of(CompactionValues compaction) {
        CompactionJobInfo info = new CompactionJobInfo();
        info.state_.fill(compaction);
        return info;
    }

    void fill(CompactionValues compaction) {
        values = compaction;
    }

    CompactionValues values() {
        try (Scratch _ = info.use()) {
            return values;
        }
    }

    byte[] columnFamilyName() {
        return values().family().toArray(ValueLayout.JAVA_BYTE);
    }

    CompactionJobStats stats() {
        CompactionJobStats stats = new CompactionJobStats();
        stats.state_.add(values().counts());
        return stats;
    }
}
