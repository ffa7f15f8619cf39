package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeSnapshots;

/**
 * The state of a database at one moment. It ends with {@link RocksDB#releaseSnapshot} or with its database; {@link #close()} does nothing.
 * Running reads finish; later reads are refused.
 */
public class Snapshot extends RocksObject {

    private final RocksDB database;

    @SuppressWarnings("this-escape") // says that closing does nothing
    Snapshot(RocksDB database, long nativeHandle) {
        super(nativeHandle);
        this.database = database;
        disOwnNativeHandle();
    }

    /**
     * Returns the number of the last write that the snapshot contains.
     *
     * @return the number
     * @throws IllegalStateException if it has been released; {@code AssertionError} where assertions are enabled
     */
    public long getSequenceNumber() {
        try (Scratch _ = use()) {
            return NativeSnapshots.sequenceNumber(nativeHandle_);
        }
    }

    /** Begins a use by a database, which must be the snapshot's own. */
    Scratch use(RocksDB user) {
        requireOf(user);
        return use();
    }

    private void requireOf(RocksDB user) {
        if (!DatabaseState.isSame(user, database)) {
            throw new IllegalArgumentException("The snapshot belongs to another database");
        }
    }

    static Snapshot get(RocksDB database) {
        try (Scratch _ = database.use()) {
            long handle = NativeSnapshots.create(database.nativeHandle_);
            if (handle == 0) {
                return null;
            }
            Snapshot snapshot = new Snapshot(database, handle);
            database.state_.add(snapshot);
            return snapshot;
        }
    }

    static void release(RocksDB database, Snapshot snapshot) {
        if (snapshot == null) {
            return;
        }
        snapshot.requireOf(database);
        try (Scratch _ = database.use()) {
            if (!database.state_.remove(snapshot)) {
                throw refusal("The snapshot has been released before");
            }
            snapshot.end();
        }
    }

    /** Called once, while the database is open. */
    void end() {
        end(() -> {
        });
    }

    @Override
    protected final void disposeInternal(long handle) {
        free(handle);
    }

    void free(long handle) {
        NativeSnapshots.release(database.nativeHandle_, handle);
    }
}
