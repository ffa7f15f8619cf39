package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import org.jspecify.annotations.Nullable;

/** An open database. Each API adds its own data in a subclass. */
public abstract class DatabaseHandle extends GuardedHandle implements DatabaseRegistry.Database {
    /** The {@code rocksdb_t *}. */
    public final long db;
    /** The leak detector's name for a pinned slice. Made once, not for each slice. */
    public final String sliceName;
    /** Stays reachable when users forget to close the database. */
    public final NativeDatabase open;

    /**
     * A handle.
     *
     * @param owner     the object that users close
     * @param pinBudget how many bytes of values may be pinned
     */
    protected DatabaseHandle(Object owner, long db, String name, NativeDatabase open, long pinBudget) {
        super(name, new CallbackGuard(name, open.order), free -> new Lifetime(owner, name, free, pinBudget));
        this.db = db;
        this.sliceName = "pinned slice of " + name;
        this.open = open;
    }

    @Override
    public final long handle() {
        return db;
    }

    @Override
    public final @Nullable Scratch enterIfOpen() {
        try {
            return enterForRead();
        } catch (IllegalStateException e) {
            return null;
        }
    }

    @Override
    public final Scratch enter() {
        StackCheck.require(CallbackGuard.MAKING);
        requireMayClose();
        return lifetime.enter();
    }

    /** Checks that the calling thread may close a part of the database. Closing may take the database's lock. */
    public final void requireMayClose() {
        if (guard.isNeeded()) {
            guard.look(this);
        }
    }
}
