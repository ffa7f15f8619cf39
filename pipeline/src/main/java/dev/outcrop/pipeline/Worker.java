package dev.outcrop.pipeline;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.RecordView;
import dev.outcrop.queue.RecordVisitor;
import dev.outcrop.queue.Tailer;
import dev.outcrop.rocksdb.RocksDBException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a pipeline: takes records, has them mapped, has full batches written meanwhile and writes the others, and acknowledges what
 * is on the database's disk.
 *
 * <p>The position in the database is the truth, and goes there with the records' effects. The group only keeps the queue from giving up
 * what the database could still lose: its acknowledgements come behind a flush of the database's log.
 */
final class Worker implements Runnable {
    /** How many records at most are taken before it is looked whether something else is to be done. */
    private static final int POLL = 4096;
    /** A group tells apart some 65,505 records that are not acknowledged, and delivers no more. */
    private static final long MOST_UNACKNOWLEDGED = 56_000;
    private static final long MOST_UNACKNOWLEDGED_BYTES = 64 << 20;
    /** From a half on, the log is brought to the disk, so that hardly ever anything waits for that. */
    private static final int PARTS = 2;
    /** How long at most an acknowledgement waits for others, so that they share a flush of the log. */
    private static final long ACKNOWLEDGE_NANOS = 1_000_000_000;
    private static final Duration WHILE_LINGERING = Duration.ofMillis(1);

    private final Queue queue;
    private final Consumer consumer;
    private final Target target;
    private final Mapping mapping;
    private final @Nullable DeadLetters deadLetters;
    private final Controls controls;
    private final Measurements measurements;
    private final BatchEvents events;
    private final long batchBytes;
    private final long lingerNanos;
    private final long stallNanos;
    private final boolean isSynced;
    private final RecordVisitor visitor = this::take;
    private final WriteBehind behind;

    /** The first record that is not in the batch; all before are, or are written. */
    private long next;
    private long last;
    private long lastTime;
    private long lastSize;
    private long lastChecksum;
    /** All before it are in batches that are written, or about to be. */
    private long handedOver;
    private long written;
    private long acknowledged;
    private long bytesSinceAcknowledged;
    private long lastAcknowledgement = System.nanoTime();
    private long fullWaits;
    /** On its way, or done and not acknowledged yet. */
    private @Nullable LogSync sync;

    Worker(PipelineBuilder options, String name, Consumer consumer, Target target, Position start, Controls controls,
            Measurements measurements) {
        this.queue = options.queue;
        this.consumer = consumer;
        this.target = target;
        this.mapping = new Mapping(options.mapper, target.batches, target.db.defaultColumnFamily());
        Queue letters = options.deadLetters;
        this.deadLetters = letters == null ? null : new DeadLetters(letters, options.group);
        this.controls = controls;
        this.measurements = measurements;
        this.behind = new WriteBehind("outcrop-pipeline-write-" + options.group, this::writeOut);
        this.events = new BatchEvents(name);
        this.batchBytes = options.batchBytes;
        this.lingerNanos = nanos(options.linger);
        this.stallNanos = nanos(options.stallLimit);
        this.isSynced = options.isSynced;
        this.next = start.next();
        this.last = start.last();
        this.lastTime = start.lastTime();
        this.lastSize = start.lastSize();
        this.lastChecksum = start.lastChecksum();
        this.handedOver = next;
        this.written = next;
        this.acknowledged = next;
    }

    private static long nanos(Duration time) {
        return time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? time.toNanos() : Long.MAX_VALUE;
    }

    @Override
    public void run() {
        controls.run(this::work, this::failure, this::end);
    }

    private void end() {
        try {
            // Again, if that could not be done before: nobody may believe that this has ended, and go on elsewhere, while a batch is on its
            // way.
            settle();
        } finally {
            behind.end();
            consumer.close();
        }
    }

    private PipelineException failure(Throwable e) {
        String place = written == 0
                ? "It cannot go on: no record's effect is in the database yet (it had"
                : "It cannot go on behind record " + (written - 1) + ", the last one in the database (it had";
        return new PipelineException(place + " taken those before " + next + "): " + Controls.text(e)
                + (e instanceof RocksDBException ? target.tried() : "")
                + ". Start it again when that is mended: it goes on with record " + written, e);
    }

    private void work() throws InterruptedException {
        try {
            goOn();
        } catch (Throwable e) {
            behind.interrupt();
            Throwable other = settle();
            if (other != null && !other.equals(e)) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }

    private void goOn() throws InterruptedException {
        while (!controls.isClosing()) {
            if (controls.isPausing()) {
                writeAll();
                acknowledge();
                controls.awaitResumed();
            } else {
                step();
            }
        }
        writeAll();
        acknowledge();
    }

    private void step() throws InterruptedException {
        boolean isWanted = controls.isWanted();
        int taken = consumer.visit(POLL, patience(isWanted), visitor);
        while (behind.isAnyDone()) {
            boolean _ = takeBack();
        }
        boolean mayBeMore = taken == POLL;
        if (isWanted ? taken == 0 : !mayBeMore && System.nanoTime() - filling().begun >= lingerNanos) {
            writeAll();
        }
        if (isWanted ? taken == 0 : isAcknowledgementDue(taken)) {
            acknowledge();
        }
        if (taken == 0 && acknowledged == next) {
            reached(consumer.group().position(), isWanted);
        }
    }

    /** Nothing is left to do before an offset, which may be behind records that were withdrawn. */
    private void reached(long offset, boolean isWanted) {
        if (offset > next) {
            requireNoneBefore(offset);
            // With the position in the database: the queue may give up what is withdrawn before the next record comes.
            next = offset;
            writeAll();
            acknowledge();
        }
        if (isWanted) {
            controls.done(next);
        }
    }

    private Duration patience(boolean isWanted) {
        if (filling().records > 0) {
            return isWanted ? Duration.ZERO : WHILE_LINGERING;
        }
        // Not without any, also when somebody waits: for records that others are still copying, perhaps.
        return isWanted ? WHILE_LINGERING : Controls.LOOK_AGAIN;
    }

    /** When nothing comes, when producers wait for room, and now and then. */
    private boolean isAcknowledgementDue(int taken) {
        if (acknowledged == written) {
            return false;
        }
        long waits = queue.statistics().fullWaits();
        boolean isFull = waits != fullWaits;
        fullWaits = waits;
        return isFull || taken == 0 || System.nanoTime() - lastAcknowledgement >= ACKNOWLEDGE_NANOS;
    }

    // --- A record ---

    private void take(RecordView record) {
        long offset = record.offset();
        Batch batch = filling();
        if (batch.records == 0) {
            batch.begun = System.nanoTime();
        }
        if (offset != next) {
            requireNoneBefore(offset);
        }
        Exception refusal = mapping.map(record);
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
        if (next - acknowledged >= MOST_UNACKNOWLEDGED) {
            writeAll();
        } else if (batch.writes.byteSize() >= batchBytes) {
            handOver();
        }
    }

    /** Only records that were withdrawn may be left out: otherwise somebody has moved the group. */
    private void requireNoneBefore(long offset) {
        boolean isMoved = offset < next;
        if (!isMoved) {
            try (Tailer tailer = Tailer.open(queue.directory())) {
                tailer.seek(next);
                // It goes behind what the queue has given up, which may be the records that are missing.
                isMoved = tailer.nextOffset() > next || (tailer.poll() && tailer.offset() < offset);
            }
        }
        if (isMoved) {
            throw new PipelineException("Somebody has moved the consumer group: record " + offset
                    + " comes where record " + next
                    + " is due. A pipeline's group belongs to the pipeline; close it before the group is moved");
        }
    }

    private void refuse(RecordView record, Exception refusal) {
        long offset = record.offset();
        if (deadLetters != null) {
            deadLetters.put(record, refusal);
            measurements.deadLetters.increment();
            return;
        }
        writeAll();
        acknowledge();
        throw new PipelineException("The mapper cannot map record " + offset + ": " + refusal
                + ". What comes before it is in the database. Mend the mapper and start the pipeline again, which begins with"
                + " this record; or have such records put away, with deadLetters(queue); or leave this one out with startAt("
                + (offset + 1)
                + ")", refusal);
    }

    // --- A batch ---

    private Batch filling() {
        return target.batches.filling();
    }

    /** Has the batch written while the next one is filled. */
    private void handOver() {
        Batch full = complete();
        while (behind.isAnyDone() || !behind.hasRoom()) {
            boolean _ = takeBack();
        }
        behind.handOver(full);
        target.batches.next();
    }

    /** Writes what there is, if there is anything, and waits until it is written. */
    private void writeAll() {
        while (takeBack()) {
            // Before the rest.
        }
        if (next == written) {
            return;
        }
        Batch rest = complete();
        writeOut(rest);
        wrote(rest);
    }

    private Batch complete() {
        Batch batch = filling();
        batch.start = handedOver;
        target.putPosition(batch, next, last, lastTime, lastSize, lastChecksum);
        handedOver = next;
        return batch;
    }

    /** Waits for the next batch that was handed over; false if there is none. */
    private boolean takeBack() {
        Batch batch = behind.takeBack();
        if (batch == null) {
            return false;
        }
        wrote(batch);
        return true;
    }

    /** Waits for all batches that were handed over, after something has failed. Returns why one of them is not written; null if all are. */
    private @Nullable Throwable settle() {
        Throwable reason = null;
        boolean isMore = true;
        while (isMore) {
            try {
                Batch batch = behind.takeBack();
                isMore = batch != null;
                if (batch != null) {
                    count(batch);
                }
            } catch (RuntimeException | Error e) {
                reason = e;
            }
        }
        return reason;
    }

    /** In any thread, one at a time. */
    private void writeOut(Batch batch) {
        if (isSynced && queue.durableOffset() < batch.end) {
            // First: what the database has, the queue must have after a power cut.
            queue.sync();
        }
        controls.writing(Thread.currentThread());
        events.begin();
        long begun = System.nanoTime();
        target.write(batch, controls);
        batch.nanos = System.nanoTime() - begun;
        events.end(batch.start, batch.records, batch.payloadBytes, batch.nanos > stallNanos);
    }

    /** A batch is in the database. */
    private void count(Batch batch) {
        if (batch.records > 0) {
            measurements.wrote(batch.records, batch.payloadBytes, batch.nanos, batch.nanos > stallNanos);
        }
        written = batch.end;
        controls.wrote(written);
    }

    /** A batch is in the database, and can be filled again. */
    private void wrote(Batch batch) {
        count(batch);
        bytesSinceAcknowledged += batch.payloadBytes;
        batch.clear();
        if (isSynced) {
            acknowledge();
        } else {
            acknowledgeMeanwhile();
        }
    }

    /** Lets the queue give up what is written, once the database cannot lose it any more. */
    private void acknowledge() {
        finishSync();
        if (acknowledged == written) {
            return;
        }
        if (!isSynced) {
            target.flush();
        }
        acknowledge(written, bytesSinceAcknowledged);
    }

    /** As {@link #acknowledge()}, but waits only if there is too much. */
    private void acknowledgeMeanwhile() {
        if (sync != null && sync.isDone()) {
            finishSync();
        }
        if (sync == null && isUnacknowledged(PARTS)) {
            sync = new LogSync(target, written, bytesSinceAcknowledged);
        }
        if (isUnacknowledged(1)) {
            finishSync();
        }
    }

    /** Whether there is as much as is allowed at most, divided by a number. */
    private boolean isUnacknowledged(int part) {
        return written - acknowledged >= MOST_UNACKNOWLEDGED / part
                || bytesSinceAcknowledged >= MOST_UNACKNOWLEDGED_BYTES / part;
    }

    private void finishSync() {
        LogSync ended = sync;
        if (ended != null) {
            sync = null;
            ended.await();
            acknowledge(ended.end, ended.bytes);
        }
    }

    private void acknowledge(long end, long bytes) {
        int _ = consumer.acknowledgeUpTo(end - 1);
        acknowledged = end;
        bytesSinceAcknowledged -= bytes;
        lastAcknowledgement = System.nanoTime();
        controls.done(acknowledged);
    }
}
