package dev.outcrop.pipeline;

import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueException;
import dev.outcrop.queue.RecordView;
import java.time.Instant;

/** Appends records that cannot be mapped to a dead letter queue. */
record DeadLetterWriter(Queue queue, String group) {
    /** Appends a record, durably. */
    void put(RecordView record, Exception reason) {
        long offset = record.offset();
        DeadLetter letter = new DeadLetter(group, offset, record.deliveries(), Instant.ofEpochMilli(record.time()),
                Instant.ofEpochMilli(System.currentTimeMillis()), reason.toString(), record.segment());
        try {
            long _ = queue.with(Durability.SYNCED).append(letter.size(), letter::writeTo);
        } catch (QueueException | IllegalStateException | IllegalArgumentException e) {
            PipelineException failure = new PipelineException("Record " + offset + " cannot be mapped (" + reason
                    + "), and cannot be put away in " + queue + ": " + e.getMessage(), e);
            failure.addSuppressed(reason);
            throw failure;
        }
    }
}
