package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import org.jspecify.annotations.Nullable;

/**
 * How to read. Set what differs from the default, then give it to {@link RocksDB#with(ReadOptions)}; from then on it cannot be
 * changed, so that any number of threads may read with it. There is nothing to close.
 */
public final class ReadOptions extends ReadOptionsSetters {
    private final NativeObject owned;
    private boolean used;
    private @Nullable Snapshot snapshot;

    /**
     * Makes RocksDB's default read options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public ReadOptions() {
        Native.requireLibrary();
        this.owned = new NativeObject(this, CApi.rocksdb_readoptions_create(), CApi::rocksdb_readoptions_destroy);
    }

    /**
     * Reads a database as it was when the snapshot was made.
     *
     * @param snapshot of the database that is to be read; not closed before the last read
     * @return this
     * @throws IllegalStateException if the snapshot is closed, or these options are in use
     */
    public synchronized ReadOptions snapshot(Snapshot snapshot) {
        try (Scratch _ = snapshot.enter()) {
            CApi.rocksdb_readoptions_set_snapshot(changing(), snapshot.address());
        }
        this.snapshot = snapshot;
        return this;
    }

    /** The snapshot that is read, or null for the present. */
    synchronized @Nullable Snapshot snapshot() {
        return snapshot;
    }

    /**
     * The native options for reading a database with; no setter changes them any more. Valid while this object is reachable.
     */
    synchronized long use(Store store) {
        if (snapshot != null && snapshot.store() != store) {
            throw new IllegalArgumentException("The " + snapshot + " cannot be used to read the " + store);
        }
        used = true;
        // Nobody who reads here could prepare a value later: a scan would see empty values where they lie in blob files.
        CApi.rocksdb_readoptions_set_allow_unprepared_value(owned.address(), (byte) 0);
        return owned.address();
    }

    @Override
    long changing() {
        if (used) {
            throw new IllegalStateException("These read options are in use and cannot be changed any more;"
                    + " make new ones with new ReadOptions()");
        }
        return owned.address();
    }

    @Override
    long reading() {
        return owned.address();
    }
}
