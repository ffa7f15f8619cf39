package dev.outcrop.rocksdb.engine;

import java.util.List;
import java.util.Map;

/** The native objects of the process, and the memory that its databases hold. Objects are counted if the leak detector is on. */
public interface NativeObjectsMXBean {
    /** Returns the number of watched objects that are open, by class. */
    Map<String, Long> getOpen();

    /** Returns the number of watched objects that were collected without having been closed, by class. */
    Map<String, Long> getLeaked();

    /** Returns the places of the program that have made the most objects that are open. */
    List<Place> getPlaces();

    /** Returns what each open database holds. */
    List<DatabaseMemory> getMemory();

    /** Returns all of it as tables. */
    String getReport();

    /**
     * A place that makes objects.
     *
     * @param type  the class of the objects
     * @param open  how many of those that were made here are open
     * @param stack the stack, a frame a line
     */
    record Place(String type, long open, String stack) {
    }

    /**
     * The native memory of a database, in bytes.
     *
     * @param database         its directory
     * @param blockCache       what the block cache of its default column family holds; databases may share one
     * @param blockCachePinned the part of it that iterators, values and table readers keep from being evicted
     * @param memTables        all memtables
     * @param memTablesPinned  those of them that are flushed, and kept by iterators and snapshots only
     * @param tableReaders     indexes and filters of open table files, outside of the block cache
     * @param snapshots        how many snapshots are not released
     */
    record DatabaseMemory(String database, long blockCache, long blockCachePinned, long memTables, long memTablesPinned,
            long tableReaders, long snapshots) {
    }
}
