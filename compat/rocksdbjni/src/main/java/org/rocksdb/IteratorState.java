package org.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.GuardedIterator;
import dev.outcrop.rocksdb.engine.IdleIterator;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeIterator;

/**
 * The native iterator of a {@link AbstractRocksIterator}, with all that lives as long. An object of its own, because a mocking library copies
 * an iterator field by field, and the copies share this.
 *
 * <p>Closing waits for the call that is running. So a call need not enter the lifetime of the database, which closes its iterators first.
 */
final class IteratorState extends GuardedIterator {

    /** Leased for the native iterator; null if there are none. */
    private ReadOptions options;
    /** The native iterator has pointers to these; null if there are none. */
    private NativeSlice[] slices;
    /** The iterator that became part of this one; null if there is none. */
    private IteratorState base;
    private boolean isGivenAway;
    /** The iterator that this belongs to, as long as it is one of {@link OpenIterators}; otherwise null. */
    AbstractRocksIterator<?> listed;
    /** The neighbours there, or null. */
    IteratorState older;
    IteratorState newer;
    /** Watches the order of the entries; null if no comparator can fail. */
    private ComparatorMonitor order;
    /** The failure of a comparator during the last move; null if there was none. */
    private Throwable failure;
    /** The pool that takes the native iterator when it is closed, and its entry there; null if it is freed. */
    private IdleIterators.OfFamily home;
    private IdleIterator idle;

    IteratorState(long iterator, ExclusiveLifetime lifetime) {
        super(iterator, lifetime);
    }

    /** Keeps what the iterator was made of: options that are leased for it, and slices that are held. */
    void keep(ReadOptions options, NativeSlice[] slices) {
        this.options = options;
        this.slices = slices;
    }

    /** Lets the native iterator go there when it is closed. */
    void setHome(IdleIterators.OfFamily where, IdleIterator what) {
        home = where;
        idle = what;
    }

    /** Called when it is closed: keeps the native iterator for the next user, or returns that it is to be freed. */
    boolean goHome() {
        if (home == null || !(isAtEntry() || isSound())) {
            return false;
        }
        return home.keep(idle);
    }

    /** Whether nothing has failed: some failures stay. At an entry nothing has. */
    private boolean isSound() {
        try (Scratch scratch = Scratch.open()) {
            NativeIterator.error(iterator(), Errors.place(scratch));
            if (scratch.word(0) == 0) {
                return true;
            }
            Errors.forget(scratch);
            return false;
        } catch (Throwable e) {
            // No memory to ask.
            return false;
        }
    }

    /** Begins a call, in which the native iterator belongs to this thread until {@link #exit()}. */
    void enter() {
        if (!lifetime.enterInTurn()) {
            throw closed();
        }
    }

    /** As {@link #enter()}, for a call that moves the native iterator and then calls {@link #moved()}. */
    void enterToMove() {
        enter();
        if (order != null) {
            order.beginSearch();
        }
    }

    void exit() {
        lifetime.exit();
    }

    void watch(ComparatorMonitor watch) {
        order = watch;
    }

    /**
     * Called within each call that moves the native iterator. After a comparison without an answer it is at no entry: to turn round there
     * could end the process.
     */
    void moved() {
        failure = order == null ? null : order.searched();
        if (failure != null) {
            loseEntry();
        } else {
            findEntry();
        }
    }

    /** Throws if the order was wrong when it was moved, or is wrong now. */
    void requireOrder() throws RocksDBException {
        if (order != null) {
            order.require();
            if (failure != null) {
                throw ComparatorMonitor.failure("The iterator is at no entry", failure,
                        "Seek a key that it can compare");
            }
        }
    }

    void requireOpen() {
        if (lifetime.isClosed()) {
            throw closed();
        }
    }

    /** Called when it will read a snapshot: the native iterator is not for the next user. */
    void stayAway() {
        home = null;
    }

    /** Called when the lifetime has ended: frees the native iterator, and gives back all that lived as long. */
    void free(Runnable freeIterator) {
        if (!isGivenAway) {
            freeIterator.run();
            release();
        }
    }

    /** Ends the iterator; the native one is the caller's then, and becomes part of another. */
    long giveAway() {
        enter();
        isGivenAway = true;
        exit();
        lifetime.close();
        return iterator();
    }

    /** Keeps what an iterator has pointers to that was given away, and is in this one now. */
    void takeOver(IteratorState given) {
        base = given;
    }

    private void release() {
        if (slices != null) {
            ReadOptionsState.release(slices);
        }
        if (options != null) {
            options.release();
        }
        if (base != null) {
            base.release();
        }
    }

    static IllegalStateException closed() {
        return RocksObject.refusal("The iterator is closed");
    }
}
