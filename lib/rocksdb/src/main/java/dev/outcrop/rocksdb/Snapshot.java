package dev.outcrop.rocksdb;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.DatabaseChild;
import dev.outcrop.rocksdb.engine.NativeSnapshots;

/**
 * A database as it was at one moment. Read it through {@code db.with(new ReadOptions().snapshot(snapshot))}, from any number of
 * threads.
 *
 * <p>Close it soon: compactions keep the entries that it sees. Reading through a closed snapshot throws {@link IllegalStateException}.
 * Iterators that were made from it stay usable, and keep its entries until they are closed. Thread-safe.
 */
public final class Snapshot implements AutoCloseable {
    private final OpenDatabase database;
    private final long address;
    private final Lifetime lifetime;
    private final long sequenceNumber;

    Snapshot(OpenDatabase database) {
        this.database = database;
        try (Scratch scratch = database.enter()) {
            this.address = database.kind().createSnapshot(database.db);
            if (address == 0) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The " + database
                        + " cannot make snapshots: a memtable was chosen that is updated in place");
            }
            this.sequenceNumber = NativeSnapshots.sequenceNumber(address);
            database.lifetime.lease(scratch, DatabaseChild.SNAPSHOT);
        }
        try {
            this.lifetime = new Lifetime(this, "snapshot of " + database.name, this::free);
        } catch (Throwable e) {
            // Out of memory: nothing else would release the snapshot, and the database would never be closed.
            free();
            throw e;
        }
    }

    /**
     * Returns the number of changes that the database had seen.
     *
     * @return RocksDB's sequence number
     */
    public long sequenceNumber() {
        return sequenceNumber;
    }

    /** Releases the snapshot when the running reads that use it have ended. Does nothing if it was closed before. */
    @Override
    public void close() {
        database.requireMayClose();
        lifetime.close();
    }

    /** The native snapshot, for use while it is entered. */
    long address() {
        return address;
    }

    /** Keeps the snapshot for the time of a call. */
    Scratch enter() {
        return lifetime.enter();
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /** Keeps the native snapshot until {@link #release()}, for a child that may use it after a call. */
    void lease(Scratch entered) {
        lifetime.lease(entered);
    }

    /** Gives a lease back. */
    void release() {
        lifetime.release();
    }

    /** The database that it belongs to. */
    OpenDatabase database() {
        return database;
    }

    private void free() {
        database.kind().releaseSnapshot(database.db, address);
        database.lifetime.release(DatabaseChild.SNAPSHOT);
    }

    /** The snapshot's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
