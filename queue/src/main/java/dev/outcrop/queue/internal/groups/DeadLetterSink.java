package dev.outcrop.queue.internal.groups;

import java.lang.foreign.MemorySegment;

/** Takes the records that nobody could handle. */
@FunctionalInterface
public interface DeadLetterSink {
    /**
     * Takes one. When this returns, it is acknowledged; if this throws, it stays.
     *
     * @param millis when it was appended
     */
    void take(String group, long offset, int deliveries, long millis, String reason, MemorySegment payload)
            throws Exception;
}
