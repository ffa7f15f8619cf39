package dev.outcrop.pipeline;

import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueException;
import dev.outcrop.queue.QueueFullException;
import dev.outcrop.queue.RecordView;
import dev.outcrop.queue.RecordVisitor;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteBatch;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Maps records into a batch, adds the position, and hands over full batches to be written. For one thread. */
final class RecordBatcher implements RecordVisitor {
    private final Queue queue;
    private final RecordViewMapper mapper;
    private final PositionStore positions;
    private final BatchOutput output;
    private final Acknowledger acknowledger;
    private final WorkerControl control;
    private final PipelineStatistics statistics;
    private final String group;
    private final @Nullable Queue deadLetters;
    private final Batches batches;
    private final RecordWrites writes;
    private final long batchBytes;
    /** The first record that is not in a batch; all records before it are in a batch, or were skipped. */
    private long next;
    private long last;
    private long lastTime;
    private long lastSize;
    private long lastChecksum;
    /** The first record of the batch that is filled. */
    private long batchStart;

    RecordBatcher(PipelineBuilder options, RocksDB db, Position start, PositionStore positions, BatchOutput output,
            Acknowledger acknowledger, WorkerControl control, PipelineStatistics statistics) {
        this.queue = options.queue;
        this.mapper = options.mapper;
        this.positions = positions;
        this.output = output;
        this.acknowledger = acknowledger;
        this.control = control;
        this.statistics = statistics;
        this.group = options.group;
        this.deadLetters = options.deadLetters;
        this.batchBytes = options.batchBytes;
        this.batches = new Batches(() -> positions.newBatch(batchBytes));
        this.writes = new RecordWrites(batches, db.defaultColumnFamily());
        this.next = start.next();
        this.last = start.last();
        this.lastTime = start.lastTime();
        this.lastSize = start.lastSize();
        this.lastChecksum = start.lastChecksum();
        this.batchStart = next;
    }

    long next() {
        return next;
    }

    boolean isEmpty() {
        return batches.filling().records == 0;
    }

    /** Returns the nanoseconds since the first record of the batch came. */
    long age() {
        return System.nanoTime() - batches.filling().begun;
    }

    @Override
    public void visit(RecordView record) {
        long offset = record.offset();
        if (offset != next) {
            requireOnlyWithdrawnBefore(offset);
            // Before anything may stop the pipeline: the group does not show the withdrawn records again.
            next = offset;
        }
        if (control.isClosing() || control.isPausing()) {
            throw stopped();
        }
        Batch batch = batches.filling();
        if (batch.records == 0) {
            batch.begun = System.nanoTime();
        }
        Exception refusal = map(record, batch.writes);
        if (refusal != null) {
            refuse(record, refusal);
        }
        next = offset + 1;
        last = offset;
        lastTime = record.time();
        lastSize = record.size();
        lastChecksum = Integer.toUnsignedLong(record.checksum());
        batch.records++;
        batch.payloadBytes += lastSize;
        if (acknowledger.isFull(next)) {
            writeAll();
        } else if (batch.writes.byteSize() >= batchBytes) {
            handOver();
        }
    }

    /** Hands over the batch that is filled, to be written by the other thread. */
    void handOver() {
        output.handOver(complete());
        batches.next();
    }

    /**
     * Maps a record. If that fails, nothing of the record stays in the batch.
     *
     * @return why the record cannot be mapped; null if it was mapped
     * @throws PipelineException if the mapper was interrupted, which says nothing about the record
     */
    private @Nullable Exception map(RecordView record, WriteBatch batch) {
        batch.setSavePoint();
        Exception refusal = null;
        writes.begin();
        try {
            mapper.map(record, writes);
        } catch (InterruptedException e) {
            throw interrupted(record, e);
        } catch (Exception e) {
            if (Thread.interrupted()) {
                throw interrupted(record, e);
            }
            refusal = e;
        } finally {
            writes.end();
        }
        if (refusal == null) {
            batch.popSavePoint();
        } else {
            batch.rollbackToSavePoint();
        }
        return refusal;
    }

    private static PipelineException interrupted(RecordView record, Exception e) {
        return new PipelineException("The mapper was interrupted at record " + record.offset()
                + ". Start the pipeline again: nothing of this record was written", e);
    }

    private void refuse(RecordView record, Exception refusal) {
        long offset = record.offset();
        if (deadLetters != null) {
            putAway(record, refusal, deadLetters);
            statistics.deadLetters.increment();
            return;
        }
        writeAll();
        acknowledger.acknowledge();
        throw new PipelineException("The mapper cannot map record " + offset + ": " + refusal
                + ". What comes before it is in the database. Mend the mapper and start the pipeline again, which begins with"
                + " this record; or have such records put away, with deadLetters(queue); or leave this one out with startAt("
                + (offset + 1)
                + ")", refusal);
    }

    /** Appends a record that cannot be mapped to a dead letter queue, durably. */
    private void putAway(RecordView record, Exception refusal, Queue letters) {
        DeadLetter letter = new DeadLetter(group, record.offset(), record.deliveries(),
                Instant.ofEpochMilli(record.time()), Instant.ofEpochMilli(System.currentTimeMillis()),
                refusal.toString(), record.segment());
        // The other queue may be full for long, and the linger has passed before it has room.
        writeAll();
        RuntimeException reason = null;
        boolean isInterrupted = false;
        if (!control.beginAppend()) {
            throw stopped();
        }
        try {
            long _ = letters.with(Durability.SYNCED).append(letter.size(), letter::writeTo);
        } catch (QueueException | IllegalStateException | IllegalArgumentException e) {
            reason = e;
        } finally {
            isInterrupted = control.endAppend();
        }
        if (reason instanceof QueueFullException && isInterrupted) {
            throw stopped();
        }
        if (reason != null) {
            PipelineException failure = new PipelineException("Record " + record.offset() + " cannot be mapped ("
                    + refusal + "), and cannot be put away in " + letters + ": " + reason.getMessage(), reason);
            failure.addSuppressed(refusal);
            throw failure;
        }
    }

    /** Thrown before a record is mapped, if the pipeline is to pause or to end. The consumer then gives the record back. */
    static final class StoppedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoppedException() {
            super(null, null, false, false);
        }
    }

    /** Acknowledges the records of this poll that are mapped, so that the consumer gives back only the others. */
    private StoppedException stopped() {
        writeAll();
        acknowledger.acknowledge();
        return new StoppedException();
    }

    /** Requires that only withdrawn records are missing before a record: otherwise the group was moved. */
    private void requireOnlyWithdrawnBefore(long offset) {
        boolean isMoved = offset < next;
        if (!isMoved) {
            try (Tailer tailer = Tailer.open(queue.directory())) {
                tailer.seek(next);
                // The queue keeps withdrawn records until they are acknowledged. If it has deleted records, the group was moved over them.
                isMoved = tailer.nextOffset() > next || (tailer.poll() && tailer.offset() < offset);
            }
        }
        if (isMoved) {
            throw new PipelineException("Record " + offset + " comes where record " + next
                    + " is due: the consumer group was moved, or has a visibility timeout or dead letters. A pipeline's group"
                    + " belongs to the pipeline: close it before the group is moved, and set neither");
        }
    }

    /** Skips withdrawn records: writes the position after them, and acknowledges them. */
    void skipTo(long offset) {
        requireOnlyWithdrawnBefore(offset);
        next = offset;
        writeAll();
        acknowledger.acknowledge();
    }

    /** Writes everything that is not written yet, and waits for it. */
    void writeAll() {
        output.await();
        if (next != acknowledger.written()) {
            output.write(complete());
        }
    }

    private Batch complete() {
        Batch batch = batches.filling();
        batch.start = batchStart;
        positions.put(batch, next, last, lastTime, lastSize, lastChecksum);
        batchStart = next;
        return batch;
    }
}
