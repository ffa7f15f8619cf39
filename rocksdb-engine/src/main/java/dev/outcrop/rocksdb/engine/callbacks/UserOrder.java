package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.foreign.MemorySegment;

/** The order that a user has given, through whichever API. */
public interface UserOrder {
    /** Compares keys without timestamps. */
    int compare(MemorySegment a, MemorySegment b);

    /** Compares timestamps. */
    int compareTimestamps(MemorySegment a, MemorySegment b);
}
