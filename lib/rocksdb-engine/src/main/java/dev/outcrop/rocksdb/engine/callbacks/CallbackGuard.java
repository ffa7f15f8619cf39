package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.StackCheck;
import dev.outcrop.memory.Upcall;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Checks each call of a database with callbacks in Java before the call is made. Enough stack must be left for the callbacks, the call must
 * not come from inside a callback that it would wait for, and no comparator may have failed.
 */
/*
 * Why calls from inside callbacks are refused. RocksDB lends each thread a version of the column family that it reads (its SuperVersion).
 * It asserts, in debug builds only, that a version is not lent twice. So a read inside a read of the same family, on one thread, uses freed
 * memory. A write inside a write waits for the outer write. A flush or a compaction waits for the background thread that the callback
 * blocks. RocksDB also compares keys and writes messages while it holds the lock of the database, and every call that takes this lock would
 * wait for it.
 *
 * A database knows its callbacks by the user's object, because RocksDB does not tell for which database it calls a shared object. So all
 * databases that share an object are treated like the database that calls it.
 */
public final class CallbackGuard {
    /** Stack in KiB for a point read. RocksDB uses at most 8 until it calls back. The rest is for the callback's first frames. */
    public static final int READING = 16;
    /** For a read of many keys, in which RocksDB uses at most 39. */
    public static final int READING_MANY = 48;
    /** For a write, which may begin a new log and memtable, in which RocksDB uses at most 23. */
    public static final int WRITING = 32;
    /** For making and ending an object such as an iterator or a transaction, even if that fails half-way. */
    public static final int MAKING = 32;
    /** For all other calls, such as opening, which uses 41, and for linking functions. */
    public static final int WORKING = 128;

    /** For making objects that require this much stack themselves, even if that fails half-way. */
    public static final int OPENING = WORKING + MAKING;

    /** Constants, because concatenation could need more stack than is left. */
    private static final String REMEDY = " KiB of stack, and less is left in this thread: call it from less deep, or give the"
            + " thread 512 KiB or more, with -Xss or the stackSize of Thread's constructor";
    private static final String OPENING_NEEDS = "Opening a database needs " + OPENING + REMEDY;
    private static final String WORKING_NEEDS = "This needs " + WORKING + REMEDY;

    private static final Set<Object> NOTHING = Set.of();

    private final String database;
    private final ComparatorFailure order;
    /** The users' objects that RocksDB calls for this database, by identity. Replaced, never changed. */
    private volatile Set<Object> callbacks = NOTHING;

    public CallbackGuard(String database, ComparatorFailure order) {
        this.database = database;
        this.order = order;
    }

    /** Adds the objects that options keep. */
    public synchronized void add(Collection<Object> kept) {
        for (Object each : kept) {
            if (each instanceof Callback.Owner called && !callbacks.contains(called.object())) {
                Set<Object> all = Collections.newSetFromMap(new IdentityHashMap<>());
                all.addAll(callbacks);
                all.add(called.object());
                callbacks = all;
            }
        }
    }

    /** Requires {@link #WORKING}. */
    public static void requireToWork() {
        try {
            StackCheck.require(WORKING);
        } catch (StackOverflowError e) {
            throw new StackOverflowError(WORKING_NEEDS);
        }
    }

    /** Requires {@link #OPENING}. */
    public static void requireToOpen() {
        try {
            StackCheck.require(OPENING);
        } catch (StackOverflowError e) {
            throw new StackOverflowError(OPENING_NEEDS);
        }
    }

    /** Returns whether the database has callbacks. */
    @SuppressWarnings("ReferenceEquality") // there is one such set
    public boolean isNeeded() {
        return callbacks != NOTHING;
    }

    /** Returns whether RocksDB calls a user's object for this database. */
    public boolean calls(Object object) {
        return callbacks.contains(object);
    }

    /** Checks a read of a family, which is not entered yet. */
    public void read(Read family) {
        StackCheck.require(READING);
        RunningCallbacks running = RunningCallbacks.ofThread();
        if (running.level() > 0) {
            requireMayRead(running, family);
        }
        running.begin(false);
        if (order.isContradiction()) {
            throw broken("read");
        }
    }

    /** Checks a call that reads the whole database, which is not entered yet. */
    public void look(Read store) {
        StackCheck.require(READING);
        RunningCallbacks running = RunningCallbacks.ofThread();
        if (running.level() > 0) {
            requireMayRead(running, store);
        }
        running.begin(false);
    }

    /** Checks a move or a read of an iterator. */
    public void move(Read family) {
        StackCheck.require(READING);
        RunningCallbacks running = RunningCallbacks.ofThread();
        if (running.level() > 0) {
            requireMayRead(running, family);
        }
        running.begin(false);
        iterate();
    }

    /** Checks that the database was not stopped, after a change for which RocksDB reports no failures. */
    public void requireOrder(String change) {
        if (order.cause() != null) {
            throw broken(change);
        }
    }

    /** Checks the making of an iterator. */
    public void iterate() {
        requireOrder("iterated over");
    }

    /** Checks a write. */
    public void write() {
        StackCheck.require(WRITING);
        change("written to", true);
    }

    /** Checks any other call that changes the database or waits for its background work. */
    public void work() {
        change("changed", false);
    }

    /**
     * Refuses a call that waits for RocksDB's background threads if one of these threads may wait for the callback that makes the call. All
     * databases share these threads, even databases without callbacks.
     */
    public static void requireMayWait(Object database) {
        RunningCallbacks running = RunningCallbacks.ofThread();
        for (int level = running.level(); level > 0; level--) {
            Callback callback = running.at(level);
            if (!running.hasJavaCaller(level) || !callback.kind.mayRead()) {
                throw new IllegalStateException("Nothing of the " + database + " can be waited for from inside the "
                        + callback + ": the call would need one of RocksDB's background threads, which all databases"
                        + " share, and which may be waiting for the callback. Do it in another thread that is not"
                        + " waited for here");
            }
        }
    }

    /** Refuses to close something from inside a callback. */
    public static void requireMayClose(Object closed) {
        if (Upcall.isRunning()) {
            RunningCallbacks running = RunningCallbacks.ofThread();
            throw new IllegalStateException("The " + closed + " cannot be closed from inside a callback of RocksDB"
                    + (running.level() == 0 ? "" : ", the " + running.at(running.level()))
                    + "; close it after the call has returned, or from another thread");
        }
    }

    private void change(String change, boolean isWrite) {
        RunningCallbacks running = RunningCallbacks.ofThread();
        for (int level = running.level(); level > 0; level--) {
            Callback callback = running.at(level);
            if (callbacks.contains(callback.owner)) {
                throw new IllegalStateException("The " + database + " cannot be " + change + " from inside its own "
                        + callback + ": RocksDB would wait for that to return. Do it when the call has returned, or in"
                        + " another thread that is not waited for here");
            }
        }
        running.beginChange(isWrite, order);
        if (!isWrite) {
            order.checkAgain();
        }
        requireOrder(change);
    }

    /** A family or a database that is read. */
    public interface Read {
        /** Returns whether the calling thread is inside a call that may read or write it. Slow. */
        boolean isInUseByCaller();
    }

    private void requireMayRead(RunningCallbacks running, Read read) {
        for (int level = running.level(); level > 0; level--) {
            Callback callback = running.at(level);
            if (!callbacks.contains(callback.owner)) {
                continue;
            }
            if (!callback.kind.mayRead()) {
                throw new IllegalStateException("The " + database + " cannot be used from inside its own " + callback
                        + ": RocksDB may hold the lock of the database, or be in the middle of reading. Use what the"
                        + " callback is given, or another database");
            }
            // A write may also do the writes of other threads, to any family.
            if (callback.kind == CallbackKind.MERGE_OPERATOR && (running.isInWrite(level) || read.isInUseByCaller())) {
                throw new IllegalStateException("The " + read + " cannot be read from inside its own " + callback
                        + " while the same thread reads it, or writes. Use what the callback is given, or while reading"
                        + " another column family");
            }
        }
    }

    private IllegalStateException broken(String what) {
        return new IllegalStateException("The " + database + " can no longer be " + what
                + ", because its order is not known to be right any longer: a comparator has thrown an exception or has"
                + " contradicted itself, see the cause. Close the database and open it with a comparator that works; what"
                + " is in its log and its files is not lost", order.cause());
    }
}
