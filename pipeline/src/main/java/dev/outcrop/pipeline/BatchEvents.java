package dev.outcrop.pipeline;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Emits a pipeline's events for JDK Flight Recorder, while that is in use. For one thread at a time. */
final class BatchEvents {
    private final String pipeline;
    private @Nullable PipelineBatchEvent batch;
    private @Nullable PipelineStallEvent stall;

    BatchEvents(String pipeline) {
        this.pipeline = pipeline;
    }

    /** Before a batch is written. */
    void begin() {
        // Otherwise not, because the first event starts the Recorder, which takes a tenth of a second.
        if (FlightRecorder.isInitialized()) {
            batch = new PipelineBatchEvent();
            stall = new PipelineStallEvent();
            batch.begin();
            stall.begin();
        }
    }

    /** After it was written. */
    void end(long firstOffset, long records, long bytes, boolean isStall) {
        PipelineBatchEvent made = batch;
        PipelineStallEvent stalled = stall;
        if (made == null || stalled == null) {
            return;
        }
        batch = null;
        stall = null;
        made.end();
        if (made.shouldCommit()) {
            made.pipeline = pipeline;
            made.firstOffset = firstOffset;
            made.records = records;
            made.bytes = bytes;
            made.commit();
        }
        stalled.end();
        if (isStall && stalled.shouldCommit()) {
            stalled.pipeline = pipeline;
            stalled.firstOffset = firstOffset;
            stalled.commit();
        }
    }
}
