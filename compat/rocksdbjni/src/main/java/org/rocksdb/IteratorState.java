package org.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.GuardedIterator;
import dev.outcrop.rocksdb.engine.IdleIterator;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeIterator;

/**
 * The native iterator of a {@link AbstractRocksIterator}, with all objects that live as long. It is a separate object, because a mocking
 * library copies an iterator field by field, and the copies share this object.
 *
 * <p>Closing waits for the running call. So a call need not enter the lifetime of the database, because the database closes its iterators
 * first.
 */
final class IteratorState extends GuardedIterator {

    /** Leased for the native iterator; null if there are none. */
    private ReadOptions options;
    /** The native iterator has pointers to these; null if there are none. */
    private NativeSlice[] slices;
    /** The iterator that became part of this one; null if there is none. */
    private IteratorState base;
    private boolean isGivenAway;
    /** The iterator to which this state belongs, as long as it is in {@link OpenIterators}; otherwise null. */
    AbstractRocksIterator<?> listed;
    /** The neighbours in that list, or null. */
    IteratorState older;
    IteratorState newer;
    /** Watches the order of the entries; null if no comparator can fail. */
    private ComparatorMonitor order;
    /** The failure of a comparator during the last move; null if there was none. */
    private Throwable failure;
    /** The pool that takes the native iterator when it is closed, and its entry in the pool; null if the native iterator is freed. */
    private IdleIterators.OfFamily home;
    private IdleIterator idle;

    IteratorState(long iterator, ExclusiveLifetime lifetime) {
        super(iterator, lifetime);
    }

    /** Keeps the objects from which the iterator was made: options that are leased for it, and slices that are held. */
    void keep(ReadOptions options, NativeSlice[] slices) {
        this.options = options;
        this.slices = slices;
    }

    /** Sets the pool that takes the native iterator when it is closed. */
    void setHome(IdleIterators.OfFamily where, IdleIterator what) {
        home = where;
        idle = what;
    }

    /**
     * Puts the native iterator into its pool for the next user. Returns false if the native iterator must be freed instead. Called when the
     * iterator is closed.
     */
    boolean goHome() {
        if (home == null || !(isAtEntry() || isSound())) {
            return false;
        }
        return home.keep(idle);
    }

    /** Returns whether nothing has failed. Some failures persist. If the iterator is at an entry, nothing has failed. */
    private boolean isSound() {
        try (Scratch scratch = Scratch.open()) {
            NativeIterator.error(iterator(), Errors.place(scratch));
            if (scratch.word(0) == 0) {
                return true;
            }
            Errors.forget(scratch);
            return false;
        } catch (Throwable e) {
            // There is no memory for the check.
            return false;
        }
    }

    /** Begins a call, in which the native iterator belongs to this thread until {@link #exit()}. */
    void enter() {
        if (!lifetime.enterInTurn()) {
            throw closed();
        }
    }

    /** Does the same as {@link #enter()}, for a call that moves the native iterator and then calls {@link #moved()}. */
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
     * Notes the new position. Called within each call that moves the native iterator. After a comparison without an answer, the iterator
     * counts as at no entry: a change of direction there could end the process.
     */
    void moved() {
        failure = order == null ? null : order.searched();
        if (failure != null) {
            loseEntry();
        } else {
            findEntry();
        }
    }

    /** Throws if the order was wrong when the iterator was moved, or is wrong now. */
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

    /** Keeps the native iterator out of the pool. Called when the iterator will read a snapshot. */
    void stayAway() {
        home = null;
    }

    /** Frees the native iterator, and releases all objects that lived as long. Called when the lifetime has ended. */
    void free(Runnable freeIterator) {
        if (!isGivenAway) {
            freeIterator.run();
            release();
        }
    }

    /** Ends the iterator, and returns the native iterator. It then belongs to the caller and becomes part of another iterator. */
    long giveAway() {
        enter();
        isGivenAway = true;
        exit();
        lifetime.close();
        return iterator();
    }

    /** Keeps the objects to which a given-away iterator has pointers. That iterator is now part of this one. */
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
