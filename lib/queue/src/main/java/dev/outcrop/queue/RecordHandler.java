package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;

/** Handles records that {@link Consumer#poll(int, RecordHandler)} shows, one after the other. */
@FunctionalInterface
public interface RecordHandler {
    /**
     * Handles a record. To acknowledge it, call {@link Consumer#acknowledge(long)}, here or later: returning does not.
     *
     * @param offset     of the record
     * @param payload    the bytes where they lie in the mapped file, read-only and without a copy. It ends when the poll does, and may end
     *                   when this method returns: accessing it later throws {@link IllegalStateException}. Only for this thread
     * @param deliveries how often the record was delivered since the queue was opened, with this time; at most 65,535
     */
    void handle(long offset, MemorySegment payload, int deliveries);
}
