package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.UserComparator;

/**
 * An open column family. Its lifetime ends when the family is dropped or the database is closed. The lifetime holds a lease on the
 * database. Each API adds its own data in a subclass.
 */
public class FamilyHandle extends GuardedHandle {
    private final DatabaseHandle database;
    /** The {@code rocksdb_column_family_handle_t *}. */
    public final long handle;
    public final int id;
    public final UserComparator order;
    /** How many bytes of each key are its timestamp; 0 if keys have no timestamps. */
    public final int timestampSize;
    /** The readers' prediction of the size of the next value. */
    public final ValueSizePredictor sizes = new ValueSizePredictor();
    private volatile boolean isDropped;

    /** A handle that the database has just taken a lease for. */
    public FamilyHandle(DatabaseHandle database, long handle, String name, UserComparator order, int timestampSize) {
        this(database, handle, name, NativeFamilies.id(handle), order, timestampSize);
    }

    private FamilyHandle(DatabaseHandle database, long handle, String name, int id, UserComparator order,
            int timestampSize) {
        super(name, database.guard, free -> new Lifetime(
                id == 0 ? database.name : "column family " + NativeText.shown(name) + " of " + database.name, free));
        this.database = database;
        this.handle = handle;
        this.id = id;
        this.order = order;
        this.timestampSize = timestampSize;
    }

    /** Returns the database of this family. */
    public final DatabaseHandle database() {
        return database;
    }

    @Override
    public final Scratch enter() {
        if (guard.isNeeded()) {
            guard.read(this);
        }
        return lifetime.enter();
    }

    @Override
    public final boolean isInUseByCaller() {
        return lifetime.isEnteredByCaller() || database.lifetime.isEnteredByCaller();
    }

    /**
     * Keeps the family's handle for pins, until {@link #release()}. Freeing the handle of a dropped family would free its block cache too,
     * and RocksDB does not keep the cache for pins. The default family cannot be dropped.
     */
    public final void hold(Scratch entered) {
        if (!isDefault()) {
            lifetime.lease(entered);
        }
    }

    /** Gives back the lease of {@link #hold}. */
    public final void release() {
        if (!isDefault()) {
            lifetime.release();
        }
    }

    public final boolean isDefault() {
        return id == 0;
    }

    /** Marks the family as dropped. Its native handle is freed after its last use, others with the database. */
    public final void setDropped() {
        isDropped = true;
    }

    @Override
    protected final void free() {
        if (isDropped) {
            NativeFamilies.close(handle);
        }
        database.lifetime.release(DatabaseChild.COLUMN_FAMILY);
    }
}
