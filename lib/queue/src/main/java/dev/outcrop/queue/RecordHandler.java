package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;

/** Handles records that {@link Consumer#poll(int, RecordHandler)} shows, one after the other. */
@FunctionalInterface
public interface RecordHandler {
    /**
     * Handles a record. Returning does not acknowledge it: call {@link Consumer#acknowledge(long)}, here or later.
     *
     * @param offset     of the record
     * @param payload    the bytes where they lie in the mapped file, read-only and without a copy. Only for this thread. The segment ends
     *                   when the poll ends, or already when this method returns: accessing it later throws {@link IllegalStateException}
     * @param deliveries how often the record was delivered since the queue was opened or the group was last moved, this time
     *                   included; at most 65,535
     */
    void handle(long offset, MemorySegment payload, int deliveries);
}
