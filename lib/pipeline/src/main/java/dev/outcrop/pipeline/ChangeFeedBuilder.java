package dev.outcrop.pipeline;

import dev.outcrop.queue.Durability;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import java.util.Objects;

/** Options of a {@link ChangeFeed}. The setters return this object. Not thread-safe. */
public final class ChangeFeedBuilder {
    final RocksDB db;
    /** -1 means after the last change in the queue. */
    long startAt = -1;
    boolean isSynced;

    ChangeFeedBuilder(RocksDB db) {
        this.db = Objects.requireNonNull(db, "db");
    }

    /**
     * Sets the first change for a queue that has no changes yet. The default is the first change that the database has ever seen.
     *
     * @param sequenceNumber of a change. For all changes from now on, use {@link RocksDB#latestSequenceNumber()} + 1 of the database. For
     *                       all changes since a checkpoint, use the same number of the checkpoint
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
     * @param durability {@link Durability#SYNCED} if they must: then the queue never has a change that the database loses in a power cut.
     *                   {@link Durability#PAGE_CACHE}, the default, if not: then a feed may refuse to start after a power cut
     * @return this
     * @throws IllegalArgumentException if it is another durability
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
     * Starts a feed, in its own thread.
     *
     * @param queue the queue for the changes, and for nothing else; the caller closes it after the feed
     * @return the feed, which the caller must close
     * @throws PipelineException if each change cannot be in the queue exactly once; or if another feed already runs for this queue
     * @throws RocksDBException  if the log cannot be read
     */
    public ChangeFeed into(Queue queue) {
        return ChangeFeed.start(this, Objects.requireNonNull(queue, "queue"));
    }
}
