package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;

/** An open database: the native handle, its lifetime, and what guards its calls. An API adds what else it knows of its databases. */
public abstract class DatabaseHandle implements CallbackGuard.Read {
    /** The {@code rocksdb_t *}. */
    public final long db;
    public final String name;
    public final Lifetime lifetime;
    /** What the leak detector calls a pinned slice of this database; made once, not for each slice. */
    public final String sliceName;
    public final CallbackGuard guard;
    /** What stays behind when users forget to close it. */
    public final NativeDatabase open;

    /**
     * A handle.
     *
     * @param owner     what users close
     * @param pinBudget how many bytes of values may be pinned
     */
    @SuppressWarnings("this-escape") // nothing is freed before somebody closes it
    protected DatabaseHandle(Object owner, long db, String name, NativeDatabase open, long pinBudget) {
        this.db = db;
        this.name = name;
        this.sliceName = "pinned slice of " + name;
        this.lifetime = new Lifetime(owner, name, this::free, pinBudget);
        this.open = open;
        this.guard = new CallbackGuard(name, open.order);
    }

    /** Closes the native database: called once, when users have closed it and nothing else needs it any longer. */
    protected abstract void free();

    /** Starts a use that neither changes the database nor waits for its background work. */
    public final Scratch enter() {
        Headroom.require(CallbackGuard.MAKING);
        if (guard.isNeeded()) {
            guard.look(this);
        }
        return lifetime.enter();
    }

    /** As {@link #enter()}, for what is called so rarely that it is linked only then. */
    public final Scratch enterToLook() {
        Headroom.require(CallbackGuard.WORKING);
        return enter();
    }

    /** Checks that the calling thread may close what belongs to the database, which may take its lock. */
    public final void requireMayClose() {
        if (guard.isNeeded()) {
            guard.look(this);
        }
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
    public final String toString() {
        return lifetime.toString();
    }
}
