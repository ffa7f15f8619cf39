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
     * Says what each record writes.
     *
     * @param mapper called by the pipeline's thread
     * @return what the pipeline is built with
     */
    public PipelineBuilder map(RecordMapper mapper) {
        Objects.requireNonNull(mapper, "mapper");
        return map((record, writes) -> mapper.map(record.offset(), record.segment(), writes));
    }

    /**
     * Says what each record writes, for those who need it without any object for a record.
     *
     * @param mapper called by the pipeline's thread
     * @return what the pipeline is built with
     */
    public PipelineBuilder map(RecordViewMapper mapper) {
        return new PipelineBuilder(queue, group, mapper);
    }
}
