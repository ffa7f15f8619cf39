package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;

/**
 * A filter that RocksDB calls for each entry in a compaction, and that may remove the entry or change its value, for example because the
 * data has expired. Set it with {@link Options#compactionFilter(CompactionFilter)}: one object then serves all compactions, on several
 * threads at the same time. Or set a factory with {@link Options#compactionFilterFactory(CompactionFilterFactory)}, which makes a filter
 * for each compaction.
 *
 * <p>The filter sees the newest value of each key in a compaction, even if a snapshot still reads it. The filter does not see merge
 * operands, deletions and wide columns. RocksDB decides when it compacts an entry, so readers must cope with entries that could have been
 * removed.
 *
 * <p>The segments are read-only, and usable only by the calling thread until the method returns; afterwards they throw. If the filter
 * throws, the exception is logged and the entry is kept unchanged. A {@link RocksDB#compact()} that waits for the compaction throws an
 * {@link IllegalStateException} at the end, with the first exception as its cause.
 *
 * <p>A filter can read the database that is compacted, but not change it; that throws {@link IllegalStateException}. Waiting for flushes
 * and compactions in RocksDB's own threads, of other databases too, throws it as well. A filter that waits for another thread that does any
 * of this may deadlock.
 */
@FunctionalInterface
public interface CompactionFilter {
    /** The fate of an entry. */
    enum Decision {
        /** It stays as it is. */
        KEEP,
        /** It is removed. An older value of the key stays hidden. */
        REMOVE,
        /** It gets the value that was given to the {@link ValueSink}. */
        CHANGE_VALUE
    }

    /**
     * Decides about an entry.
     *
     * @param level    the level that the compaction reads from
     * @param key      its key
     * @param value    its value
     * @param newValue takes the new value for {@link Decision#CHANGE_VALUE}; with other decisions it is ignored
     * @return the decision
     */
    Decision filter(int level, MemorySegment key, MemorySegment value, ValueSink newValue);

    /**
     * Returns the name, which RocksDB writes to its log and to the stored options.
     *
     * @return the name, always the same; by default the name of the class
     */
    default String name() {
        return getClass().getName();
    }
}
