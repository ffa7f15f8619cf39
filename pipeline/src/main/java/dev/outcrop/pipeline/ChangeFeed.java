package dev.outcrop.pipeline;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows what is written to a database, and appends each batch of it to a queue, exactly once and in order, also if the process is killed
 * at any moment and started again. With a {@link Pipeline} and {@link #mapper} that makes a replica:
 *
 * <pre>{@code
 * try (ChangeFeed feed = ChangeFeed.from(db).into(queue);
 *         Pipeline pipeline = Pipeline.from(queue, "replica").map(ChangeFeed.mapper(replica)).into(replica)) {
 *     serve();
 * }
 * }</pre>
 *
 * <p>It reads the database's log. What was written without the log is not in it, and stops the feed; how long the log is kept say
 * {@code WALTtlSeconds} and {@code WALSizeLimitMB} in the options of the database: as long as a feed may be behind, or not run. Column
 * families that are created are known by their first change; that one is dropped is not in the feed. Not for column families with
 * timestamps, nor for transactions that are prepared before they are committed. The column family {@code outcrop.pipelines} is left out.
 *
 * <p>The last record of the queue says where to go on. So the queue is for the feed alone; and it should be told to keep some bytes
 * ({@code keepBytes}), so that there is always a last record.
 *
 * <p>A feed works in a thread of its own, from {@link ChangeFeedBuilder#into} until it is closed or fails. All methods are thread-safe.
 */
public final class ChangeFeed implements AutoCloseable {
    /** The ids of the queues of all feeds that run in this process. */
    private static final Set<Long> RUNNING = ConcurrentHashMap.newKeySet();

    private final long key;
    private final String name;
    private final RocksDB db;
    private final Controls controls;
    private final Thread thread;

    private ChangeFeed(String name, ChangeFeedBuilder options, Queue queue) {
        this.key = queue.id();
        this.name = name;
        this.db = options.db;
        ChangeSource source = new ChangeSource(options, queue, name);
        this.controls = new Controls(name, source.next(), false);
        this.thread = Thread.ofPlatform().daemon().name("outcrop-change-feed")
                .unstarted(new FeedWorker(options, queue, source, controls));
        thread.start();
    }

    /**
     * Begins to say what a feed does.
     *
     * @param db the database whose changes are wanted
     * @return what takes the options and the queue
     */
    public static ChangeFeedBuilder from(RocksDB db) {
        return new ChangeFeedBuilder(db);
    }

    /**
     * Applies the changes of a feed to another database, in the column families of the same names; what is not there is created with
     * default options, so create those first that have a merge operator, for example.
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
     * What it does.
     *
     * @return its state at this moment
     */
    public PipelineState state() {
        return controls.state();
    }

    /**
     * Why it has stopped.
     *
     * @return the reason, with what to do; null if it has not stopped by itself
     */
    public @Nullable PipelineException failure() {
        return controls.failure();
    }

    /**
     * How far it is: all changes before this one are in the queue.
     *
     * @return the sequence number of the change that comes next
     */
    public long position() {
        return controls.written();
    }

    /**
     * How much there is to do.
     *
     * @return the number of changes that are not in the queue
     * @throws IllegalStateException if the database is closed
     */
    public long lag() {
        // First: it only grows, so that the difference is never negative.
        long written = controls.written();
        return db.latestSequenceNumber() + 1 - written;
    }

    /**
     * Takes no more changes until {@link #resume()}.
     *
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is closed
     */
    public void pause() {
        controls.pause();
    }

    /**
     * Goes on after {@link #pause()}.
     *
     * @throws PipelineException     if it has failed
     * @throws IllegalStateException if it is closed
     */
    public void resume() {
        controls.resume();
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
        return controls.drain(db.latestSequenceNumber() + 1, timeout);
    }

    /**
     * Ends it. Changes that are not in the queue wait for the next start. Closing twice is harmless, and so is closing after it has failed.
     */
    @Override
    public void close() {
        controls.close();
        Uninterrupted.await(thread::join);
        controls.closed();
        RUNNING.remove(key);
    }

    @Override
    public String toString() {
        return name;
    }
}
