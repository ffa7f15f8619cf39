package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.KeyOrder;

/**
 * An open column family. Its lifetime is entered around every native call that is given the handle; it ends when the family is dropped
 * or the database closed, and holds a lease on the database. An API adds what else it knows of its families.
 */
public class FamilyHandle implements CallbackGuard.Read {
    private final DatabaseHandle database;
    /** The {@code rocksdb_column_family_handle_t *}. */
    public final long handle;
    public final String name;
    public final int id;
    public final Lifetime lifetime;
    public final KeyOrder order;
    /** The database's. */
    public final CallbackGuard guard;
    /** How many bytes of each key are its timestamp; 0 if keys have none. */
    public final int timestampSize;
    /** What its readers learn about its values. */
    public final ValueSizes sizes = new ValueSizes();

    /** For a handle that the database has just taken a lease for. */
    public FamilyHandle(DatabaseHandle database, long handle, String name, KeyOrder order, int timestampSize) {
        this.database = database;
        this.handle = handle;
        this.name = name;
        this.guard = database.guard;
        this.id = NativeFamilies.id(handle);
        this.order = order;
        this.timestampSize = timestampSize;
        this.lifetime = new Lifetime(
                isDefault() ? database.name : "column family " + NativeText.shown(name) + " of " + database.name,
                this::free);
    }

    /** The database that it belongs to. */
    public final DatabaseHandle database() {
        return database;
    }

    /** Starts a use that neither changes the database nor waits for its background work. */
    public final Scratch enter() {
        if (guard.isNeeded()) {
            guard.read(this);
        }
        return lifetime.enter();
    }

    /** As {@link #enter()}, for what is called so rarely that it is linked only then. */
    public final Scratch enterToLook() {
        Headroom.require(CallbackGuard.WORKING);
        return enter();
    }

    /** Starts a write. */
    public final Scratch enterToWrite() {
        if (guard.isNeeded()) {
            guard.write();
        }
        return lifetime.enter();
    }

    /** Starts any other change, or what waits for the background work. */
    public final Scratch enterToWork() {
        Headroom.require(CallbackGuard.WORKING);
        if (guard.isNeeded()) {
            guard.work();
        }
        return lifetime.enter();
    }

    /** Starts a change that waits for RocksDB's background threads. */
    public final Scratch enterToWait() {
        CallbackGuard.requireMayWait(this);
        return enterToWork();
    }

    @Override
    public final boolean isInUseByCaller() {
        return lifetime.isEnteredByCaller() || database.lifetime.isEnteredByCaller();
    }

    /**
     * Keeps the family's handle for what is pinned in it, until {@link #release()}: a family that is dropped takes its block cache with
     * it when its handle goes, and RocksDB does not keep that for pins. The default family cannot be dropped.
     */
    public final void hold(Scratch entered) {
        if (!isDefault()) {
            lifetime.lease(entered);
        }
    }

    /** Gives back what {@link #hold} has taken. */
    public final void release() {
        if (!isDefault()) {
            lifetime.release();
        }
    }

    public final boolean isDefault() {
        return id == 0;
    }

    private void free() {
        NativeFamilies.close(handle);
        database.lifetime.release(DatabaseChild.COLUMN_FAMILY);
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
