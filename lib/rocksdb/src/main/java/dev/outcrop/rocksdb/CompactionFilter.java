package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;

/**
 * A filter that is called for each entry in a compaction, and may remove it or change its value: for data that expires, for example. Set it
 * with {@link Options#compactionFilter(CompactionFilter)}, which one object then serves all compactions, on several threads at the same
 * time; or with {@link Options#compactionFilterFactory(CompactionFilterFactory)}, which makes one for each.
 *
 * <p>It is shown the newest value of each key that a compaction meets, also one that a snapshot still reads. It is not shown merge
 * operands, deletions and wide columns. When an entry is compacted is up to RocksDB, so readers must cope with those that could have
 * been removed.
 *
 * <p>The segments are read-only, and usable only by the calling thread until the method returns; afterwards they throw. If the
 * filter throws, the exception is logged and the entry kept as it is; a {@link RocksDB#compact()} that waits for the compaction throws an
 * {@link IllegalStateException} with the first exception as its cause when all is done.
 *
 * <p>A filter can read the database that is compacted, but not change it; that throws {@link IllegalStateException}. So does waiting for
 * flushes and compactions, of other databases too, in RocksDB's own threads. A filter that waits for another thread that does any of this
 * may deadlock.
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
     * Its name, which RocksDB writes to its log and to the stored options.
     *
     * @return always the same; the name of the class if not overridden
     */
    default String name() {
        return getClass().getName();
    }
}
