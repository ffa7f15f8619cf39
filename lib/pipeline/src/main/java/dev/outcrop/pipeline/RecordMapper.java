package dev.outcrop.pipeline;

import java.lang.foreign.MemorySegment;

/** Turns a record of a queue into writes to a database. */
@FunctionalInterface
public interface RecordMapper {
    /**
     * Adds the writes of a record, any number of them or none. Called by the thread of one pipeline, with one record after the other
     * in the order of their offsets. After a crash or a failure it is called again with records whose writes are not in the database; so it
     * should depend on nothing but the record.
     *
     * @param offset  of the record
     * @param payload the bytes where they lie in the mapped file, read-only; ends when this method returns, or soon after
     * @param writes  to be added to, until this method returns. Other column families than the default one are those of the database, see
     *                {@link RecordWrites#in}
     * @throws Exception if the record cannot be mapped; then nothing that was added for it is written, and the pipeline goes on or stops as
     *                   {@link PipelineBuilder#deadLetters} says. An {@link Error} or {@link InterruptedException} says nothing about the
     *                   record, and always stops the pipeline
     */
    void map(long offset, MemorySegment payload, RecordWrites writes) throws Exception;
}
