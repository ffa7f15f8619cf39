package dev.outcrop.pipeline;

import dev.outcrop.queue.RecordView;

/**
 * Turns a record of a queue into writes to a database, like a {@link RecordMapper}, but without any object for the record. So it leaves no
 * garbage, whatever the JIT compiler does.
 *
 * <pre>{@code
 * Pipeline.from(queue, "orders").map((record, writes) -> {
 *     MemorySegment in = record.memory();
 *     writes.put(in, record.at(0, 8), 8, in, record.at(8, 100), 100); // the key, and a value of 100 bytes behind it
 * })
 * }</pre>
 */
@FunctionalInterface
public interface RecordViewMapper {
    /**
     * Adds the writes of a record; see {@link RecordMapper#map}.
     *
     * @param record the record, read where it lies in the mapped file; the same object for all records, valid until this method returns
     * @param writes collects the writes until this method returns
     * @throws Exception if the record cannot be mapped, as with a {@link RecordMapper}
     */
    void map(RecordView record, RecordWrites writes) throws Exception;
}
