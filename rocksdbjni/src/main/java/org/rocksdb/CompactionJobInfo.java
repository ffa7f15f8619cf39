package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What happened in a compaction. Listeners get a copy; {@link RocksDB#compactFiles} fills one that the program has made. */
public class CompactionJobInfo extends RocksObject {

    private volatile CompactionValues values;

    /** An empty one, to be filled by a compaction. */
    public CompactionJobInfo() {
        this(CompactionValues.NONE);
    }

    CompactionJobInfo(CompactionValues values) {
        super(0);
        this.values = values;
    }

    @Override
    protected void disposeInternal(long handle) {
        // There is no native object.
    }

    private CompactionValues values() {
        try (Scratch _ = use()) {
            return values;
        }
    }

    void fill(CompactionValues compaction) {
        values = compaction;
    }

    /**
     * The column family.
     *
     * @return its name
     */
    public byte[] columnFamilyName() {
        return values().family().toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Whether it has succeeded.
     *
     * @return the status
     */
    public Status status() {
        return values().status();
    }

    /**
     * The thread that did it.
     *
     * @return RocksDB's number of it
     */
    public long threadId() {
        return values().thread();
    }

    /**
     * The job.
     *
     * @return its number, unique in a database that is open
     */
    public int jobId() {
        return values().job();
    }

    /**
     * The level whose files were compacted.
     *
     * @return the smallest one
     */
    public int baseInputLevel() {
        return values().inputLevel();
    }

    /**
     * The level of the new files.
     *
     * @return the level
     */
    public int outputLevel() {
        return values().outputLevel();
    }

    /**
     * The files that were compacted.
     *
     * @return their paths
     */
    public List<String> inputFiles() {
        return new ArrayList<>(values().inputs());
    }

    /**
     * The new files.
     *
     * @return their paths
     */
    public List<String> outputFiles() {
        return new ArrayList<>(values().outputs());
    }

    /**
     * What the files say of themselves.
     *
     * @return by path
     */
    public Map<String, TableProperties> tableProperties() {
        return new HashMap<>(values().tables());
    }

    /**
     * Why it was begun.
     *
     * @return the reason
     */
    public CompactionReason compactionReason() {
        return CompactionReason.fromNative(values().reason());
    }

    /**
     * How the new files are compressed.
     *
     * @return the kind of compression
     */
    public CompressionType compression() {
        return CompressionType.fromNative(values().compression());
    }

    /**
     * What was counted.
     *
     * @return a new object, which is the caller's
     */
    public CompactionJobStats stats() {
        CompactionJobStats stats = new CompactionJobStats();
        stats.add(values().counts());
        return stats;
    }
}
