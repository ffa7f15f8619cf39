package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of a queue to a database. A {@link RecordMapper} turns each record into writes. The effect of each record is in the
 * database exactly once, in the order of the records, even if the process is killed at any moment and started again.
 *
 * <pre>{@code
 * try (Pipeline pipeline = Pipeline.from(queue, "orders")
 *         .map((offset, payload, writes) -> writes.put(key(payload), value(payload)))
 *         .into(db)) {
 *     serve();
 * }
 * }</pre>
 *
 * <p>The position is in the database, in the column family {@code outcrop.pipelines}, and is written in one batch with the effects. When a
 * pipeline starts, it compares the position with the queue. If the effect of each record cannot be in the database exactly once, the
 * pipeline does not start, and says why. The consumer group follows the position: the pipeline acknowledges a record when its effect is on
 * the database's disk.
 *
 * <p>A pipeline works in its own thread, from {@link PipelineBuilder#into} until it is closed or fails. A second thread writes full batches
 * while the first one maps records for the next batch. The caller still owns the queue and the database, and closes them after the
 * pipeline. Several pipelines may write to one database; each of them has its own consumer group. All methods are thread-safe.
 */
public final class Pipeline implements AutoCloseable {
    /** The running pipelines of this process. */
    private static final Set<Key> RUNNING = ConcurrentHashMap.newKeySet();

    private final Key key;
    private final String name;
    private final Queue queue;
    private final WorkerControl control;
    private final PipelineStatistics statistics;
    private final Thread thread;
    private final AtomicBoolean isRunning = new AtomicBoolean(true);

    private record Key(long queue, String group) {
    }

    private Pipeline(Key key, String name, PipelineBuilder options, RocksDB db) {
        this.key = key;
        this.name = name;
        this.queue = options.queue;
        PositionStore positions = new PositionStore(db, queue, options.group);
        // Checked before anything changes: a pipeline does not start with a group that another consumer uses. A new group is created only
        // after the database has the position, because a pipeline refuses a group without a position.
        ConsumerGroup there = queue.findGroup(options.group);
        Consumer consumer = there == null ? null : alone(there);
        try {
            Position stored = positions.load();
            Position start = new ResumePoint(options, name, stored).position();
            if (!start.equals(stored)) {
                positions.store(start);
            }
            // Flushed before the group moves: the database must not lose the position afterwards.
            positions.flush();
            if (consumer == null) {
                consumer = alone(queue.group(options.group));
            }
            requireReached(consumer.group().seek(start.next()), start.next());
            this.control = new WorkerControl(name, start.next(), options.startsPaused);
            this.statistics = new PipelineStatistics(queue, control);
            this.thread = Thread.ofPlatform().daemon().name("outcrop-pipeline-" + options.group)
                    .unstarted(new Worker(options, name, db, consumer, positions, start, control, statistics));
            thread.start();
        } catch (Throwable e) {
            if (consumer != null) {
                consumer.close();
            }
            throw e;
        }
    }

    /** Requires that the queue has not deleted the record since it was looked up. */
    private void requireReached(long reached, long start) {
        if (reached != start) {
            throw new PipelineException("The " + name + " does not start: record " + start
                    + ", with which it goes on, was deleted from the queue while it started; the queue now begins with record "
                    + reached
                    + ". If the missing records do not matter, begin with startAt(" + reached + ")");
        }
    }

    /**
     * Starts the definition of a pipeline.
     *
     * @param queue the source of the records
     * @param group the consumer group, which only this pipeline may use; created if it does not exist
     * @return a builder, which takes the mapper
     */
    public static PipelineSource from(Queue queue, String group) {
        return new PipelineSource(queue, group);
    }

    private Consumer alone(ConsumerGroup group) {
        try {
            return group.positionedConsumer();
        } catch (IllegalStateException e) {
            throw new PipelineException("The " + name + " does not start: " + e.getMessage(), e);
        }
    }

    static Pipeline start(PipelineBuilder options, RocksDB db) {
        Key key = new Key(options.queue.id(), options.group);
        String name = "pipeline '" + options.group + "' of " + options.queue + " into " + db;
        if (!RUNNING.add(key)) {
            throw new PipelineException(
                    "The " + name + " does not start: a pipeline of this group runs already. Close that one first, or"
                            + " give this one a group of its own");
        }
        try {
            return new Pipeline(key, name, options, db);
        } catch (Throwable e) {
            RUNNING.remove(key);
            throw e;
        }
    }

    /**
     * Returns the state of the pipeline.
     *
     * @return the current state
     */
    public PipelineState state() {
        return control.state();
    }

    /**
     * Returns the failure that has stopped the pipeline.
     *
     * @return the reason, and how to go on; null if the pipeline has not failed
     */
    public @Nullable PipelineException failure() {
        return control.failure();
    }

    /**
     * Returns the position: the effects of all records before this one are in the database.
     *
     * @return the offset of the next record
     */
    public long position() {
        return control.written();
    }

    /**
     * Returns the statistics since the pipeline was started.
     *
     * @return live numbers, which keep changing
     */
    public PipelineStatistics statistics() {
        return statistics;
    }

    /**
     * Takes no more records until {@link #resume()}. When this method returns, the effects of all records mapped so far are in the database
     * and on its disk. It waits for the mapper to finish one record, not for more.
     *
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is closed, or the mapper calls this
     */
    public void pause() {
        control.pause();
    }

    /**
     * Continues after {@link #pause()}.
     *
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is closed
     */
    public void resume() {
        control.resume();
    }

    /**
     * Waits until the effects of all records that were appended before this call are in the database and on its disk, and the records are
     * acknowledged.
     *
     * @param timeout how long to wait; if negative, not at all
     * @return true if they are; false if the time has passed
     * @throws InterruptedException  if the thread is interrupted
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is paused or closed, or the mapper calls this
     */
    public boolean drain(Duration timeout) throws InterruptedException {
        return control.drain(queue.nextOffset(), timeout);
    }

    /**
     * Closes the pipeline. It first writes the effects of the records that were mapped; other records wait for the next start. It waits for
     * the mapper to finish one record, not for more. Closing twice is harmless. Closing a failed pipeline is harmless, too.
     *
     * @throws IllegalStateException if the mapper calls this
     */
    @Override
    public void close() {
        control.close();
        Uninterrupted.await(thread::join);
        control.closed();
        // Only once, because another pipeline of the group may be running now.
        if (isRunning.compareAndSet(true, false)) {
            RUNNING.remove(key);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
