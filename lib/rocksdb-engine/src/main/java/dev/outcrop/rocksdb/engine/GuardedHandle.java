package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.util.function.Function;

/** An open database or column family. It has the lifetime that each call enters, and the guard that checks each call before that. */
public abstract class GuardedHandle implements CallbackGuard.Read {
    public final String name;
    public final Lifetime lifetime;
    /** The database's guard. */
    public final CallbackGuard guard;

    /**
     * A handle.
     *
     * @param start starts the lifetime; its argument frees the native object
     */
    @SuppressWarnings("this-escape") // nothing is freed before it is closed
    protected GuardedHandle(String name, CallbackGuard guard, Function<Runnable, Lifetime> start) {
        this.name = name;
        this.guard = guard;
        this.lifetime = start.apply(this::free);
    }

    /** Frees the native object. Called once, after its last use. */
    protected abstract void free();

    /** Starts a use that neither changes the database nor waits for its background work. */
    public abstract Scratch enter();

    /** Does the same as {@link #enter()}, for rare calls, which are linked when they are first made. */
    public final Scratch enterForRead() {
        StackCheck.require(CallbackGuard.WORKING);
        return enter();
    }

    /** Starts a write. */
    public final Scratch enterForWrite() {
        if (guard.isNeeded()) {
            guard.write();
        }
        return lifetime.enter();
    }

    /** Starts any other change, or a call that waits for background work. */
    public final Scratch enterForAdmin() {
        StackCheck.require(CallbackGuard.WORKING);
        if (guard.isNeeded()) {
            guard.work();
        }
        return lifetime.enter();
    }

    /** Starts a change that waits for RocksDB's background threads. */
    public final Scratch enterForBackgroundWait() {
        CallbackGuard.requireMayWait(this);
        return enterForAdmin();
    }

    /** The name, for messages. */
    @Override
    public final String toString() {
        return lifetime.toString();
    }
}
