package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;

/** Writes a record in place. */
@FunctionalInterface
public interface RecordWriter {
    /**
     * Writes the payload. Other producers' records are not readable meanwhile if they were appended later, so do not wait for anything
     * here. It may append to the queue, but not durably, nor sync or close it; other queues are not concerned.
     * If it throws, the record is withdrawn: it has an offset, but is never delivered.
     *
     * @param payload what to write to, exactly as long as was asked for; it holds what was in the file before, and ends when this returns
     */
    void write(MemorySegment payload);
}
