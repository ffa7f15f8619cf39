package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;

/** Writes a record in place. */
@FunctionalInterface
public interface RecordWriter {
    /**
     * Writes the payload. Meanwhile, records that other producers append later cannot be read, so do not wait for anything here. The writer
     * may append to the queue, but not durably, and must not sync or close it; other queues are not concerned. If the writer throws, the
     * record is withdrawn: it has an offset, but is never delivered.
     *
     * @param payload the memory to write to, exactly as long as was asked for; it holds old bytes of the file, and is not valid after this
     *                method returns
     */
    void write(MemorySegment payload);
}
