package dev.outcrop.pipeline;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.outcrop.PipelineBatch")
@Label("Pipeline Batch")
@Category("Outcrop")
@Description("A pipeline writes a batch to its database")
@StackTrace(false)
final class PipelineBatchEvent extends Event {
    @Label("Pipeline")
    @Description("Its group, queue and database")
    String pipeline = "";
    @Label("First Offset")
    @Description("Offset of the first record in the batch")
    long firstOffset;
    @Label("Records")
    @Description("Records in the batch")
    long records;
    @Label("Bytes")
    @Description("Bytes of their payloads")
    long bytes;

    /** Ends the event, and records it if it is enabled. */
    void commit(String pipeline, Batch batch) {
        end();
        if (shouldCommit()) {
            this.pipeline = pipeline;
            this.firstOffset = batch.start;
            this.records = batch.records;
            this.bytes = batch.payloadBytes;
            commit();
        }
    }
}
