package dev.outcrop.pipeline;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import java.util.Objects;

/** Options of a {@link ChangeFeed}. The setters return this object. Not thread-safe. */
public final class ChangeFeedBuilder {
    final RocksDB db;
    /** -1 for behind the last change in the queue. */
    long startAt = -1;
    boolean isSynced;

    ChangeFeedBuilder(RocksDB db) {
        this.db = Objects.requireNonNull(db, "db");
    }

    /**
     * Sets the first change for a queue that has none yet. By default that is the first one that the database has ever seen.
     *
     * @param sequenceNumber of a change: {@link RocksDB#latestSequenceNumber()} + 1 of the database for what is changed from now on, and of
     *                       a checkpoint for what was changed since that was made
     * @return this
     * @throws IllegalArgumentException if it is less than 1
     */
    public ChangeFeedBuilder startAt(long sequenceNumber) {
        if (sequenceNumber < 1) {
            throw new IllegalArgumentException("Sequence numbers begin at 1; there is no " + sequenceNumber);
        }
        this.startAt = sequenceNumber;
        return this;
    }

    /**
     * Sets whether changes must be on the database's disk before they are in the queue.
     *
     * @param durability {@link Durability#SYNCED} if so: then the queue never has a change that a power cut takes from the database.
     *                   {@link Durability#PAGE_CACHE}, the default, if not: then a feed may refuse to start after a power cut
     * @return this
     * @throws IllegalArgumentException if it is another one
     */
    public ChangeFeedBuilder durability(Durability durability) {
        if (!durability.equals(Durability.SYNCED) && !durability.equals(Durability.PAGE_CACHE)) {
            throw new IllegalArgumentException(
                    "A feed has Durability.SYNCED or Durability.PAGE_CACHE, not " + durability);
        }
        this.isSynced = durability.equals(Durability.SYNCED);
        return this;
    }

    /**
     * Starts a feed, in a thread of its own.
     *
     * @param queue gets the changes, and nothing else; stays the caller's to close, after the feed
     * @return the feed, to be closed by the caller
     * @throws PipelineException if each change cannot be in the queue exactly once; or if there is such a feed already
     * @throws RocksDBException  if the log cannot be read
     */
    public ChangeFeed into(Queue queue) {
        return ChangeFeed.start(this, Objects.requireNonNull(queue, "queue"));
    }
}
