package dev.outcrop.pipeline;

import dev.outcrop.queue.Queue;
import java.util.Objects;

/** The queue and the group of a pipeline that has no mapper yet; see {@link Pipeline#from}. */
public final class PipelineSource {
    private final Queue queue;
    private final String group;

    PipelineSource(Queue queue, String group) {
        this.queue = Objects.requireNonNull(queue, "queue");
        this.group = Objects.requireNonNull(group, "group");
    }

    /**
     * Sets the mapper.
     *
     * @param mapper called by the pipeline's thread
     * @return the builder
     */
    public PipelineBuilder map(RecordMapper mapper) {
        Objects.requireNonNull(mapper, "mapper");
        return map((record, writes) -> mapper.map(record.offset(), record.segment(), writes));
    }

    /**
     * Sets a mapper that allocates no object for a record.
     *
     * @param mapper called by the pipeline's thread
     * @return the builder
     */
    public PipelineBuilder map(RecordViewMapper mapper) {
        return new PipelineBuilder(queue, group, mapper);
    }
}
