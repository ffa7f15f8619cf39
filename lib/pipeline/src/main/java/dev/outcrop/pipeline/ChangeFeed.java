package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Captures the changes of a database: appends each batch that is written to it to a queue, exactly once and in order, also if the process is
 * killed at any moment and started again. With a {@link Pipeline} and {@link #mapper} that makes a replica:
 *
 * <pre>{@code
 * try (ChangeFeed feed = ChangeFeed.from(db).into(queue);
 *         Pipeline pipeline = Pipeline.from(queue, "replica").map(ChangeFeed.mapper(replica)).into(replica)) {
 *     serve();
 * }
 * }</pre>
 *
 * <p>It reads the database's write-ahead log. A write without the log stops the feed. The options {@code WALTtlSeconds} and
 * {@code WALSizeLimitMB} of the database say how long the log is kept: set them to how long a feed may be behind, or not run. A new column
 * family appears with its first change; the feed does not show that one is dropped. Not for column families with
 * timestamps, nor for transactions that are prepared before they are committed. The column family {@code outcrop.pipelines} is left out.
 *
 * <p>The last record of the queue says where to go on. So the queue is for the feed alone; and it should be told to keep some bytes
 * ({@code keepBytes}), so that there is always a last record.
 *
 * <p>A feed works in a thread of its own, from {@link ChangeFeedBuilder#into} until it is closed or fails. All methods are thread-safe.
 */
public final class ChangeFeed implements AutoCloseable {
    /** The ids of the queues of all running feeds of this process. */
    private static final Set<Long> RUNNING = ConcurrentHashMap.newKeySet();

    private final long key;
    private final String name;
    private final RocksDB db;
    private final WorkerControl control;
    private final Thread thread;

    private ChangeFeed(String name, ChangeFeedBuilder options, Queue queue) {
        this.key = queue.id();
        this.name = name;
        this.db = options.db;
        ChangeSource source = new ChangeSource(options, queue, name);
        this.control = new WorkerControl(name, source.next(), false);
        this.thread = Thread.ofPlatform().daemon().name("outcrop-change-feed")
                .unstarted(new FeedWorker(options, queue, source, control));
        thread.start();
    }

    /**
     * Starts the definition of a feed.
     *
     * @param db the database
     * @return a builder, which takes the options and the queue
     */
    public static ChangeFeedBuilder from(RocksDB db) {
        return new ChangeFeedBuilder(db);
    }

    /**
     * Applies the changes of a feed to another database, in the column families of the same names. A missing family is created with default
     * options, so create one that has a merge operator, for example, before.
     *
     * @param db the database that the pipeline writes to
     * @return for one pipeline
     */
    public static RecordMapper mapper(RocksDB db) {
        return new ChangeMapper(db);
    }

    static ChangeFeed start(ChangeFeedBuilder options, Queue queue) {
        String name = "feed of the changes of " + options.db + " into " + queue;
        if (!RUNNING.add(queue.id())) {
            throw new PipelineException("The " + name
                    + " does not start: a feed into this queue runs already. Close that one first, or give"
                    + " this one a queue of its own");
        }
        try {
            return new ChangeFeed(name, options, queue);
        } catch (Throwable e) {
            RUNNING.remove(queue.id());
            throw e;
        }
    }

    /**
     * Returns the state of the feed.
     *
     * @return its state at this moment
     */
    public PipelineState state() {
        return control.state();
    }

    /**
     * Returns the failure that has stopped the feed.
     *
     * @return the reason, and how to go on; null if it has not stopped by itself
     */
    public @Nullable PipelineException failure() {
        return control.failure();
    }

    /**
     * Returns the position: all changes before this one are in the queue.
     *
     * @return the sequence number of the change that comes next
     */
    public long position() {
        return control.written();
    }

    /**
     * Returns the lag.
     *
     * @return the number of changes that are not in the queue
     * @throws IllegalStateException if the database is closed
     */
    public long lag() {
        // First: it only grows, so that the difference is never negative.
        long written = control.written();
        return db.latestSequenceNumber() + 1 - written;
    }

    /**
     * Takes no more changes until {@link #resume()}.
     *
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is closed
     */
    public void pause() {
        control.pause();
    }

    /**
     * Goes on after {@link #pause()}.
     *
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is closed
     */
    public void resume() {
        control.resume();
    }

    /**
     * Waits until all changes that were made before this call are in the queue.
     *
     * @param timeout how long to wait; not at all if it is negative
     * @return whether they are; false if the time has passed
     * @throws InterruptedException  if the thread is interrupted
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is paused or closed
     */
    public boolean drain(Duration timeout) throws InterruptedException {
        return control.drain(db.latestSequenceNumber() + 1, timeout);
    }

    /**
     * Closes the feed. Changes that are not in the queue wait for the next start. Closing twice is harmless, and so is closing after it has
     * failed.
     */
    @Override
    public void close() {
        control.close();
        Uninterrupted.await(thread::join);
        control.closed();
        RUNNING.remove(key);
    }

    @Override
    public String toString() {
        return name;
    }
}
