package dev.outcrop.rocksdb.engine;

import java.util.List;
import java.util.Map;

/** The native objects of the process, and the memory that its databases hold. Objects are counted if the leak detector is on. */
public interface NativeObjectsMXBean {
    /** Returns the number of watched objects that are open, by class. */
    Map<String, Long> getOpen();

    /** Returns the number of watched objects that were garbage-collected but never closed, by class. */
    Map<String, Long> getLeaked();

    /** Returns the places in the program that made the most open objects. */
    List<Place> getPlaces();

    /** Returns what each open database holds. */
    List<DatabaseMemory> getMemory();

    /** Returns all of this as tables. */
    String getReport();

    /**
     * A place that makes objects.
     *
     * @param type  the class of the objects
     * @param open  how many of the objects made here are open
     * @param stack the stack, one frame on each line
     */
    record Place(String type, long open, String stack) {
    }

    /**
     * The native memory of a database, in bytes.
     *
     * @param database         its directory
     * @param blockCache       the content of the block cache of its default column family; databases may share a cache
     * @param blockCachePinned the part of it that iterators, values and table readers keep from being evicted
     * @param memTables        all memtables
     * @param memTablesPinned  the flushed memtables that only iterators and snapshots keep
     * @param tableReaders     indexes and filters of open table files, outside of the block cache
     * @param snapshots        how many snapshots are not released
     */
    record DatabaseMemory(String database, long blockCache, long blockCachePinned, long memTables, long memTablesPinned,
            long tableReaders, long snapshots) {
    }
}
