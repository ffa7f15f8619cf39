package dev.outcrop.rocksdb;

import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link CompactionFilter} for each compaction, or for each subcompaction on its own thread; so these filters are called by one
 * thread only. Set it with {@link Options#compactionFilterFactory(CompactionFilterFactory)}. It is itself called from any thread, from
 * several at the same time. If it throws, the exception is logged and the compaction keeps everything; a {@link RocksDB#compact()} that
 * waits for it throws, see {@link CompactionFilter}.
 *
 * <p>From inside, the database that is compacted can be read, but not changed, as from a {@link CompactionFilter}.
 */
@FunctionalInterface
public interface CompactionFilterFactory {
    /**
     * Makes the filter for a compaction.
     *
     * @param context facts about the compaction
     * @return the filter, or null to keep all entries
     */
    @Nullable
    CompactionFilter createCompactionFilter(Context context);

    /**
     * Its name, which RocksDB writes to its log and to the stored options.
     *
     * @return always the same; the name of the class if not overridden
     */
    default String name() {
        return getClass().getName();
    }

    /**
     * Facts about the compaction that a filter is made for.
     *
     * @param isFullCompaction   whether it compacts all files
     * @param isManualCompaction whether a program asked for it
     */
    record Context(boolean isFullCompaction, boolean isManualCompaction) {
    }
}
