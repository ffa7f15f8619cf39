package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;

/** Is shown records by {@link Consumer#poll(int, RecordHandler)}, one after the other. */
@FunctionalInterface
public interface RecordHandler {
    /**
     * Does something with a record. To say that it is done, call {@link Consumer#acknowledge(long)}, here or later: returning does not.
     *
     * @param offset     of the record
     * @param payload    the bytes where they lie in the mapped file, read-only and without a copy. It ends when the poll does, and may end
     *                   when this method returns: accessing it later throws {@link IllegalStateException}. Only for this thread
     * @param deliveries how often the record was delivered since the queue was opened, with this time; at most 65,535
     */
    void handle(long offset, MemorySegment payload, int deliveries);
}
