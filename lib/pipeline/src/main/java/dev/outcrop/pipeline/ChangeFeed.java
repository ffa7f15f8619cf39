package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Captures the changes of a database. A feed appends each batch that is written to the database to a queue, exactly once and in order, even
 * if the process is killed at any moment and started again. Together with a {@link Pipeline} and {@link #mapper}, a feed makes a replica:
 *
 * <pre>{@code
 * try (ChangeFeed feed = ChangeFeed.from(db).into(queue);
 *         Pipeline pipeline = Pipeline.from(queue, "replica").map(ChangeFeed.mapper(replica)).into(replica)) {
 *     serve();
 * }
 * }</pre>
 *
 * <p>The feed reads the database's write-ahead log. A write without the log stops the feed. The options {@code WALTtlSeconds} and
 * {@code WALSizeLimitMB} of the database say how long the log is kept: set them to how long a feed may lag behind, or not run. A new column
 * family appears with its first change. The feed does not show that a column family is dropped. It does not support column families with
 * timestamps, databases with a time to live or a compressed log ({@code walCompression}), or transactions that are prepared before they are
 * committed. It leaves out the column family {@code outcrop.pipelines}.
 *
 * <p>If the queue is full, the feed waits for room, up to the queue's {@link dev.outcrop.queue.QueueOptions#fullTimeout}. A feed of a
 * replica's changes must not lead back to the first database: each change would go around endlessly.
 *
 * <p>The last record of the queue says where to go on. So only the feed may append to the queue, and the queue should keep some bytes
 * ({@code keepBytes}), so that there is always a last record.
 *
 * <p>A feed works in its own thread, from {@link ChangeFeedBuilder#into} until it is closed or fails. All methods are thread-safe.
 */
public final class ChangeFeed implements AutoCloseable {
    /** The ids of the queues of all running feeds of this process. */
    private static final Set<Long> RUNNING = ConcurrentHashMap.newKeySet();

    private final long key;
    private final String name;
    private final RocksDB db;
    private final WorkerControl control;
    private final Thread thread;
    private final AtomicBoolean isRunning = new AtomicBoolean(true);

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
     * Returns a mapper that applies the changes of a feed to another database, in the column families of the same names. The mapper creates
     * a missing column family with default options. If a column family needs other options, for example a merge operator, create it first.
     *
     * @param db the database that the pipeline writes to
     * @return a mapper for one pipeline
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
     * @return the current state
     */
    public PipelineState state() {
        return control.state();
    }

    /**
     * Returns the failure that has stopped the feed.
     *
     * @return the reason, and how to go on; null if the feed has not failed
     */
    public @Nullable PipelineException failure() {
        return control.failure();
    }

    /**
     * Returns the position: all changes before this one are in the queue.
     *
     * @return the sequence number of the next change
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
        // Read first: the database's number only grows, so the difference is never negative.
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
     * Continues after {@link #pause()}.
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
     * @param timeout how long to wait; if negative, not at all
     * @return true if they are; false if the time has passed
     * @throws InterruptedException  if the thread is interrupted
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is paused or closed
     */
    public boolean drain(Duration timeout) throws InterruptedException {
        return control.drain(db.latestSequenceNumber() + 1, timeout);
    }

    /**
     * Closes the feed. Changes that are not in the queue wait for the next start. Closing twice is harmless. Closing a failed feed is
     * harmless, too.
     */
    @Override
    public void close() {
        control.close();
        Uninterrupted.await(thread::join);
        control.closed();
        // Only once, because another feed into the queue may be running now.
        if (isRunning.compareAndSet(true, false)) {
            RUNNING.remove(key);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
