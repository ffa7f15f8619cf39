package dev.outcrop.pipeline;

import java.lang.foreign.MemorySegment;

/** Turns a record of a queue into writes to a database. */
@FunctionalInterface
public interface RecordMapper {
    /**
     * Adds the writes of a record, any number of them or none. The thread of one pipeline calls this method with one record after the
     * other, in the order of their offsets. After a crash or a failure, the pipeline calls it again with the records that do not have their
     * writes in the database. So the result should depend only on the record.
     *
     * @param offset  of the record
     * @param payload the bytes where they lie in the mapped file, read-only; the segment becomes invalid when this method returns, or soon
     *                after
     * @param writes  collects the writes until this method returns; they go to the default column family, see {@link RecordWrites#in} for
     *                the others
     * @throws Exception if the record cannot be mapped. Then the pipeline writes nothing that was added for the record, and goes on or
     *                   stops as {@link PipelineBuilder#deadLetters} says. An {@link Error} or {@link InterruptedException} says nothing
     *                   about the record, and always stops the pipeline
     */
    void map(long offset, MemorySegment payload, RecordWrites writes) throws Exception;
}
