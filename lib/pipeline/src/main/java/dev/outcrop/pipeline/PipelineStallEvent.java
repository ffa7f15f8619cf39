package dev.outcrop.pipeline;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.outcrop.PipelineStall")
@Label("Pipeline Stall")
@Category("Outcrop")
@Description("A pipeline waits for its database for longer than its limit")
@StackTrace(false)
final class PipelineStallEvent extends Event {
    @Label("Pipeline")
    @Description("Its group, queue and database")
    String pipeline = "";
    @Label("First Offset")
    @Description("Offset of the first record in the batch")
    long firstOffset;

    /** Ends the event, and records it if it is enabled and the batch has stalled. */
    void commit(String pipeline, Batch batch) {
        end();
        if (batch.isStall && shouldCommit()) {
            this.pipeline = pipeline;
            this.firstOffset = batch.start;
            commit();
        }
    }
}
