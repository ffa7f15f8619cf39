package dev.outcrop.pipeline;

import dev.outcrop.queue.Consumer;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import java.time.Duration;

/**
 * The thread of a pipeline. It polls records and decides when to write and to acknowledge. From here a record goes through
 * {@link RecordBatcher}, {@link BatchOutput}, {@link BatchCommitter} and {@link Acknowledger}.
 *
 * <p>The position in the database is authoritative, and is written with the effects of the records. The consumer group only keeps the queue
 * from deleting records that the database could still lose.
 */
final class Worker implements Runnable {
    private static final int MOST_POLLED = 4096;
    private static final int FIRST_POLLED = 16;
    /**
     * A poll that takes longer is followed by a smaller one: between polls, the worker looks for waiting producers and threads, and for old
     * batches. Longer than the timeout of a poll.
     */
    private static final long LONG_NANOS = 20_000_000;
    private static final Duration LINGER_POLL = Duration.ofMillis(1);

    private final Consumer consumer;
    private final WorkerControl control;
    private final BatchCommitter committer;
    private final Acknowledger acknowledger;
    private final BatchOutput output;
    private final RecordBatcher batcher;
    private final long lingerNanos;
    /** How many records the next poll takes at most. */
    private int polled = FIRST_POLLED;

    Worker(PipelineBuilder options, String name, RocksDB db, Consumer consumer, PositionStore positions, Position start,
            WorkerControl control, PipelineStatistics statistics) {
        this.consumer = consumer;
        this.control = control;
        this.lingerNanos = BatchCommitter.nanos(options.linger);
        this.committer = new BatchCommitter(options, name, db, control);
        this.acknowledger = new Acknowledger(options, consumer, positions, control, start.next());
        this.output = new BatchOutput(options.group, committer, acknowledger, statistics);
        this.batcher = new RecordBatcher(options, db, start, positions, output, acknowledger, control,
                statistics);
    }

    @Override
    public void run() {
        control.run(this::work, this::failure, this::end);
    }

    private void end() {
        try {
            // Called again if it failed before: while a batch is being written, no other code may regard this pipeline as ended and go on
            // elsewhere.
            output.settle();
        } finally {
            output.end();
            consumer.close();
        }
    }

    private PipelineException failure(Throwable e) {
        long written = acknowledger.written();
        String place = written == 0
                ? "It cannot go on: no record's effect is in the database yet (it had"
                : "It cannot go on behind record " + (written - 1) + ", the last one in the database (it had";
        return new PipelineException(
                place + " taken those before " + batcher.next() + "): " + WorkerControl.text(e)
                        + (e instanceof RocksDBException ? committer.tried() : "")
                        + ". Start it again when that is mended: it goes on with record " + written,
                e);
    }

    private void work() throws InterruptedException {
        try {
            loop();
        } catch (Throwable e) {
            output.interrupt();
            Throwable other = output.settle();
            if (other != null && !other.equals(e)) {
                e.addSuppressed(other);
            }
            throw e;
        }
    }

    private void loop() throws InterruptedException {
        while (!control.isClosing()) {
            if (control.isPausing()) {
                finish();
                control.awaitResumed();
            } else {
                step();
            }
        }
        finish();
    }

    private void finish() {
        batcher.writeAll();
        acknowledger.acknowledge();
    }

    private void step() throws InterruptedException {
        boolean isWanted = control.isWanted();
        int most = polled;
        long begun = System.nanoTime();
        int taken;
        try {
            taken = consumer.visit(most, timeout(isWanted), batcher);
        } catch (RecordBatcher.StoppedException _) {
            return;
        }
        output.collect();
        boolean mayBeMore = taken == most;
        long took = System.nanoTime() - begun;
        polled = took > LONG_NANOS ? (int) Math.max(1, taken * LONG_NANOS / took / 2) : Math.min(MOST_POLLED, 2 * most);
        boolean isNeeded = (isWanted && taken == 0) || control.isWantedUpTo(batcher.next())
                || acknowledger.isAwaited(mayBeMore);
        if (isNeeded || (!mayBeMore && batcher.age() >= lingerNanos)) {
            batcher.writeAll();
        } else if (!batcher.isEmpty() && batcher.age() >= Math.max(lingerNanos, LONG_NANOS)) {
            batcher.handOver();
        }
        if (Thread.interrupted()) {
            // By the mapper: checked here too, because the consumer checks it only when it waits.
            throw new InterruptedException();
        }
        if (isNeeded || acknowledger.isDue(taken)) {
            acknowledger.acknowledge();
        }
        if (taken == 0 && acknowledger.acknowledged() == batcher.next()) {
            caughtUp(isWanted);
        }
    }

    private void caughtUp(boolean isWanted) {
        long passed = consumer.nextOffset();
        if (passed > batcher.next()) {
            batcher.skipTo(passed);
        }
        if (isWanted) {
            control.done(batcher.next());
        }
    }

    private Duration timeout(boolean isWanted) {
        if (!batcher.isEmpty()) {
            return isWanted ? Duration.ZERO : LINGER_POLL;
        }
        // Not zero, even when a thread waits in drain: producers may still be copying the records that the thread waits for.
        return isWanted ? LINGER_POLL : WorkerControl.LOOK_AGAIN;
    }
}
