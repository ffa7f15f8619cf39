package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.NativeLog;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes over the changes in a database's write-ahead log, one write batch after the other.
 *
 * <pre>{@code
 * try (WalIterator changes = db.updatesSince(sequenceNumber)) {
 *     while (changes.next()) {
 *         other.write(changes.batch());
 *     }
 * }
 * }</pre>
 *
 * <p>A new iterator is in front of the first batch. At the end, {@link #next()} returns false; call it again when more was written. It
 * never skips a change silently, see there.
 *
 * <p>Only one thread at a time may use it, but threads may take turns. It stays usable after its database was closed.
 */
/*
 * RocksDB's iterator starts at the first batch, loses a batch that is taken from it, ends the process when it is moved without ever having
 * been at a batch, and must be made anew when the log continues in a new file. This class hides all of this.
 */
public final class WalIterator implements AutoCloseable {
    /** The word for the sequence number and for lengths; the first word is for errors. */
    private static final int RESULT = 1;
    /** The offset of the number of changes in a batch. Source: RocksDB's db/write_batch.cc. */
    private static final long COUNT = 8;
    private static final ValueLayout.OfInt UINT32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final OpenDatabase database;
    private final WalReadOptions options;
    private final ExclusiveLifetime lifetime;
    /** The {@code rocksdb_wal_iterator_t *}, which has been at a batch; 0 if there is none. Used inside only, like all fields below. */
    private long iterator;
    /** The sequence number of the change that comes next. */
    private long expected;
    private boolean hasStarted;
    private long sequenceNumber;
    private @Nullable MemorySegment data;

    WalIterator(OpenDatabase database, long sequenceNumber, WalReadOptions options) {
        this.database = database;
        this.options = options;
        // Sequence numbers begin at 1.
        this.expected = Math.max(1, sequenceNumber);
        StackCheck.require(CallbackGuard.WORKING);
        Linkage.linkNow("rocksdb_wal_iter_destroy");
        try (Scratch scratch = database.enterForRead()) {
            database.lifetime.lease(scratch, DatabaseChild.LOG_ITERATOR);
        }
        try {
            this.lifetime = new ExclusiveLifetime(this, "iterator of the log of " + database, this::free);
        } catch (Throwable e) {
            database.lifetime.release(DatabaseChild.LOG_ITERATOR);
            throw e;
        }
    }

    /**
     * Moves to the next batch.
     *
     * @return whether there is one; if not, there may be one later
     * @throws RocksDBException if the log cannot be read; with {@link Status.Code#NOT_FOUND} if the log does not have all changes that come
     *                          next: they were written without the log, or its files have been deleted because the changes were flushed
     *                          (see {@code WAL_ttl_seconds}), or they are still in a buffer ({@code manual_wal_flush}) and will be there
     *                          later
     */
    public boolean next() {
        StackCheck.require(CallbackGuard.WORKING);
        lifetime.enter();
        try {
            data = null;
            CallbackFailures.forget();
            if (iterator != 0) {
                NativeLog.next(iterator);
                if (NativeLog.isAtBatch(iterator)) {
                    return take();
                }
                NativeLog.status(iterator, ApiCall.error(lifetime));
                if (!isInNewFile()) {
                    return false;
                }
                destroy();
            }
            return open() && take();
        } finally {
            lifetime.exit();
        }
    }

    /** Returns whether the log continues in a file that the native iterator does not know; throws any other failure. */
    private boolean isInNewFile() {
        try {
            ApiCall.check(lifetime);
            return false;
        } catch (RocksDBException e) {
            if (e.status().code() == Status.Code.TRY_AGAIN) {
                return true;
            }
            throw e;
        }
    }

    /** Makes the native iterator, if there is a batch for it to be at. */
    private boolean open() {
        long latest = NativeLog.latestSequenceNumber(database.db);
        if (expected > latest) {
            return false;
        }
        requireReadable();
        try {
            iterator = NativeLog.updatesSince(database.db, expected, options.use(), ApiCall.error(lifetime));
        } finally {
            Reference.reachabilityFence(options);
        }
        try {
            ApiCall.check(lifetime);
        } catch (Throwable e) {
            // Destroyed here, because it was never at a batch that was taken.
            if (iterator != 0) {
                destroy();
            }
            throw e;
        }
        if (!NativeLog.isAtBatch(iterator)) {
            destroy();
            throw gap("change " + expected + ", although the database is at " + latest);
        }
        return true;
    }

    /** Checks the log files that are to be read; RocksDB would read some damaged records again and again. */
    private void requireReadable() {
        try (Scratch scratch = database.enterForRead()) {
            List<NativeLog.File> files = NativeLog.files(scratch, database.db);
            ApiCall.check(scratch, "Cannot list the log of the " + database);
            ApiCall.requireSound(NativeLog.problem(database.options.logDirectory(database.path), files, expected));
        }
    }

    /** Takes the batch that the native iterator is at. */
    private boolean take() {
        long batch = NativeLog.takeBatch(iterator, lifetime.wordAddress(RESULT));
        try {
            sequenceNumber = lifetime.word(RESULT);
            long address = NativeWriteBatch.data(batch, lifetime.wordAddress(RESULT));
            byte[] copy = ApiCall.newArray(lifetime.word(RESULT), "and a batch of that size cannot be read");
            NativeCalls.copy(address, copy.length, MemorySegment.ofArray(copy));
            MemorySegment taken = MemorySegment.ofArray(copy).asReadOnly();
            if (hasStarted && sequenceNumber > expected) {
                long missing = expected;
                expected = sequenceNumber;
                destroy();
                throw gap("changes from " + missing + " to " + (sequenceNumber - 1) + "; it goes on behind them");
            }
            hasStarted = true;
            expected = sequenceNumber + Integer.toUnsignedLong(taken.get(UINT32, COUNT));
            data = taken;
            return true;
        } finally {
            NativeWriteBatch.destroy(batch);
        }
    }

    private RocksDBException gap(String missing) {
        return RocksDBException.of(Status.Code.NOT_FOUND, "The log of the " + database + " lacks "
                + missing + ": written without the log, deleted with the log's old files, or not flushed to it yet");
    }

    /**
     * Returns the number of the first change in the current batch. If it is greater than the argument of {@link
     * RocksDB#updatesSince(long)}, the log no longer has earlier batches.
     *
     * @return RocksDB's sequence number
     * @throws IllegalStateException if this is at no batch
     */
    public long sequenceNumber() {
        lifetime.enter();
        try {
            current();
            return sequenceNumber;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Returns the current batch, for example to write it elsewhere.
     *
     * @return an independent batch
     * @throws RocksDBException      with {@link Status.Code#CORRUPTION} if it is damaged
     * @throws IllegalStateException if this is at no batch
     */
    public WriteBatch batch() {
        return WriteBatch.of(data());
    }

    /**
     * Returns the current batch in RocksDB's format.
     *
     * @return its bytes, read-only, on the heap; valid without limit
     * @throws IllegalStateException if this is at no batch
     */
    public MemorySegment data() {
        lifetime.enter();
        try {
            return current();
        } finally {
            lifetime.exit();
        }
    }

    private MemorySegment current() {
        MemorySegment batch = data;
        if (batch == null) {
            throw new IllegalStateException("The " + lifetime + " is at no batch; look at what next() returns");
        }
        return batch;
    }

    /** Ends the iterator. Waits for a running call on another thread. Does nothing if it was closed before. */
    @Override
    public void close() {
        lifetime.close();
    }

    /** The iterator's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }

    private void destroy() {
        NativeLog.destroyIterator(iterator);
        iterator = 0;
    }

    private void free() {
        if (iterator != 0) {
            destroy();
        }
        database.lifetime.release(DatabaseChild.LOG_ITERATOR);
    }
}
