package dev.outcrop.rocksdb;

import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link CompactionFilter} for each compaction, or for each subcompaction on its own thread, so only one thread calls each of these
 * filters. Set it with {@link Options#compactionFilterFactory(CompactionFilterFactory)}. RocksDB calls the factory itself from any thread,
 * from several at the same time. If the factory throws, the exception is logged and the compaction keeps all entries; a {@link
 * RocksDB#compact()} that waits for the compaction throws, see {@link CompactionFilter}.
 *
 * <p>Like a {@link CompactionFilter}, it can read the database that is compacted, but not change it.
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
     * Returns the name, which RocksDB writes to its log and to the stored options.
     *
     * @return the name, always the same; by default the name of the class
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
