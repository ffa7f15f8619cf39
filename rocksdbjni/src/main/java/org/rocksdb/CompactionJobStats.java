package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.util.EnumMap;
import java.util.Map;
import org.rocksdb.CompactionCounts.Count;

/** What was counted in a compaction, or in several. Thread-safe. */
public class CompactionJobStats extends RocksObject {

    private final Map<Count, Long> counts = new EnumMap<>(Count.class);

    /** All zero. */
    public CompactionJobStats() {
        super(0);
    }

    @Override
    protected void disposeInternal(long handle) {
        // There is no native object.
    }

    private synchronized long count(Count count) {
        try (Scratch _ = use()) {
            return counts.getOrDefault(count, 0L);
        }
    }

    synchronized void add(CompactionCounts other) {
        other.counts().forEach((count, number) -> counts.merge(count, number, Long::sum));
    }

    /** Sets all to zero. */
    public synchronized void reset() {
        try (Scratch _ = use()) {
            counts.clear();
        }
    }

    /**
     * Adds what was counted elsewhere.
     *
     * @param compactionJobStats are not changed
     */
    public void add(CompactionJobStats compactionJobStats) {
        Map<Count, Long> others = compactionJobStats.copy();
        try (Scratch _ = use()) {
            synchronized (this) {
                others.forEach((count, number) -> counts.merge(count, number, Long::sum));
            }
        }
    }

    private synchronized Map<Count, Long> copy() {
        try (Scratch _ = use()) {
            return new EnumMap<>(counts);
        }
    }

    /**
     * How long it took.
     *
     * @return microseconds
     */
    public long elapsedMicros() {
        return count(Count.ELAPSED_MICROS);
    }

    /**
     * Entries that were read.
     *
     * @return their number
     */
    public long numInputRecords() {
        return count(Count.INPUT_RECORDS);
    }

    /**
     * Files that were read.
     *
     * @return their number
     */
    public long numInputFiles() {
        return count(Count.INPUT_FILES);
    }

    /**
     * Files of the output level that were read.
     *
     * @return their number
     */
    public long numInputFilesAtOutputLevel() {
        return count(Count.INPUT_FILES_AT_OUTPUT_LEVEL);
    }

    /**
     * Entries that were written.
     *
     * @return their number
     */
    public long numOutputRecords() {
        return count(Count.OUTPUT_RECORDS);
    }

    /**
     * Files that were written.
     *
     * @return their number
     */
    public long numOutputFiles() {
        return count(Count.OUTPUT_FILES);
    }

    /**
     * Size of the files that were read.
     *
     * @return bytes
     */
    public long totalInputBytes() {
        return count(Count.INPUT_BYTES);
    }

    /**
     * Size of the files that were written.
     *
     * @return bytes
     */
    public long totalOutputBytes() {
        return count(Count.OUTPUT_BYTES);
    }

    /**
     * Entries that newer ones of the same key have replaced.
     *
     * @return their number
     */
    public long numRecordsReplaced() {
        return count(Count.RECORDS_REPLACED);
    }

    /**
     * Size of the keys that were read, without compression.
     *
     * @return bytes
     */
    public long totalInputRawKeyBytes() {
        return count(Count.INPUT_RAW_KEY_BYTES);
    }

    /**
     * Size of the values that were read, without compression.
     *
     * @return bytes
     */
    public long totalInputRawValueBytes() {
        return count(Count.INPUT_RAW_VALUE_BYTES);
    }

    /**
     * Deletions that were read.
     *
     * @return their number
     */
    public long numInputDeletionRecords() {
        return count(Count.INPUT_DELETION_RECORDS);
    }

    /**
     * Deletions that were dropped because they had nothing left to delete.
     *
     * @return their number
     */
    public long numExpiredDeletionRecords() {
        return count(Count.EXPIRED_DELETION_RECORDS);
    }

    /**
     * Keys that could not be read.
     *
     * @return their number
     */
    public long numCorruptKeys() {
        return count(Count.CORRUPT_KEYS);
    }

    /**
     * Time in writes to files, if the perf level counts it.
     *
     * @return nanoseconds
     */
    public long fileWriteNanos() {
        return count(Count.FILE_WRITE_NANOS);
    }

    /**
     * Time in syncs of parts of files, if the perf level counts it.
     *
     * @return nanoseconds
     */
    public long fileRangeSyncNanos() {
        return count(Count.FILE_RANGE_SYNC_NANOS);
    }

    /**
     * Time in syncs of files, if the perf level counts it.
     *
     * @return nanoseconds
     */
    public long fileFsyncNanos() {
        return count(Count.FILE_FSYNC_NANOS);
    }

    /**
     * Time in reserving room for files, if the perf level counts it.
     *
     * @return nanoseconds
     */
    public long filePrepareWriteNanos() {
        return count(Count.FILE_PREPARE_WRITE_NANOS);
    }

    /**
     * Single deletions that met no entry.
     *
     * @return their number
     */
    public long numSingleDelFallthru() {
        return count(Count.SINGLE_DELETE_FALLTHROUGHS);
    }

    /**
     * Single deletions that met something other than a put.
     *
     * @return their number
     */
    public long numSingleDelMismatch() {
        return count(Count.SINGLE_DELETE_MISMATCHES);
    }

    /**
     * Whether a program asked for it: sums do not say.
     *
     * @return false
     */
    public boolean isManualCompaction() {
        try (Scratch _ = use()) {
            return false;
        }
    }

    /**
     * The beginning of the smallest key: sums do not say.
     *
     * @return no bytes
     */
    public byte[] smallestOutputKeyPrefix() {
        try (Scratch _ = use()) {
            return new byte[0];
        }
    }

    /**
     * The beginning of the largest key: sums do not say.
     *
     * @return no bytes
     */
    public byte[] largestOutputKeyPrefix() {
        return smallestOutputKeyPrefix();
    }
}
