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
        return new PipelineBuilder(queue, group, mapper);
    }
}
