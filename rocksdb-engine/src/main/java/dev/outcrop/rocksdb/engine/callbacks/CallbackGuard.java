package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Upcall;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * What a database with callbacks in Java is asked before each call, so that none ends in the middle of RocksDB: there is enough stack for
 * the callbacks, the call does not come from inside one that it would wait for, and the order of the keys is not broken.
 */
/*
 * Why calls from inside callbacks are refused. RocksDB lends each thread a version of the column family that the thread reads (its
 * SuperVersion), and asserts, in debug builds only, that it is not lent twice; so a read inside a read of the same family, on one thread,
 * uses what is not there. A write inside a write waits for the outer one to end, a flush or a compaction for the background thread that the
 * callback holds up, and whatever takes the lock of the database waits for it where RocksDB holds it while it compares keys or writes a
 * message.
 *
 * A database's callbacks are known by the user's object, because RocksDB does not say for which database it calls one that several share.
 * So none of these can be used from inside it as the one that calls could not.
 */
public final class CallbackGuard {
    /** Stack in KiB: what RocksDB uses until it calls back in a point read, at most 8 of them, and the callback's first frames. */
    public static final int READING = 16;
    /** Until it calls back in a read of many keys: 39 of them at most. */
    public static final int READING_MANY = 48;
    /** Until it calls back in a write, which may go on with a new log and memtable: 23 of them at most. */
    public static final int WRITING = 32;
    /** What makes and ends an object such as an iterator or a transaction, and gives back what it has taken if that fails. */
    public static final int MAKING = 32;
    /** For all else, such as opening, which uses 41, and for what is linked when it is first called. */
    public static final int WORKING = 128;

    /** What makes objects that ask for as much as that themselves, and gives back or closes what is there if that fails. */
    public static final int OPENING = WORKING + MAKING;

    /** Constants: to put them together could need more of the stack than is left. */
    private static final String REMEDY = " KiB of stack, and less is left in this thread: call it from less deep, or give the"
            + " thread 512 KiB or more, with -Xss or the stackSize of Thread's constructor";
    private static final String OPENING_NEEDS = "Opening a database needs " + OPENING + REMEDY;
    private static final String WORKING_NEEDS = "This needs " + WORKING + REMEDY;

    private static final Set<Object> NOTHING = Set.of();

    private final String database;
    private final OrderFailure order;
    /** The users' objects that RocksDB calls for this database, by identity. Replaced, never changed. */
    private volatile Set<Object> callbacks = NOTHING;

    public CallbackGuard(String database, OrderFailure order) {
        this.database = database;
        this.order = order;
    }

    /** Adds what options keep. */
    public synchronized void add(Collection<Object> kept) {
        for (Object each : kept) {
            if (each instanceof CalledObject called && !callbacks.contains(called.object())) {
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
            Headroom.require(WORKING);
        } catch (StackOverflowError e) {
            throw new StackOverflowError(WORKING_NEEDS);
        }
    }

    /** Requires what opening a database needs. */
    public static void requireToOpen() {
        try {
            Headroom.require(OPENING);
        } catch (StackOverflowError e) {
            throw new StackOverflowError(OPENING_NEEDS);
        }
    }

    /** Whether there is anything to guard. */
    @SuppressWarnings("ReferenceEquality") // there is one such set
    public boolean isNeeded() {
        return callbacks != NOTHING;
    }

    /** Whether RocksDB calls a user's object for this database. */
    public boolean calls(Object object) {
        return callbacks.contains(object);
    }

    /** Before a read of a family, which is not entered yet. */
    public void read(Read family) {
        Headroom.require(READING);
        RunningCallbacks running = RunningCallbacks.ofThread();
        if (running.level() > 0) {
            requireMayRead(running, family);
        }
        running.begin(false);
        if (order.isContradiction()) {
            throw broken("read");
        }
    }

    /** Before something that reads or looks at the whole database, which is not entered yet. */
    public void look(Read store) {
        Headroom.require(READING);
        RunningCallbacks running = RunningCallbacks.ofThread();
        if (running.level() > 0) {
            requireMayRead(running, store);
        }
        running.begin(false);
    }

    /** Before an iterator is moved or read, wherever that is. */
    public void move(Read family) {
        Headroom.require(READING);
        RunningCallbacks running = RunningCallbacks.ofThread();
        if (running.level() > 0) {
            requireMayRead(running, family);
        }
        running.begin(false);
        iterate();
    }

    /** After a change that RocksDB reports no failure of, although it may have been stopped. */
    public void requireOrder(String change) {
        if (order.cause() != null) {
            throw broken(change);
        }
    }

    /** Before an iterator is made. */
    public void iterate() {
        requireOrder("iterated over");
    }

    /** Before a write. */
    public void write() {
        Headroom.require(WRITING);
        change("written to", true);
    }

    /** Before anything else that changes the database or waits for its background work. */
    public void work() {
        change("changed", false);
    }

    /**
     * Before what waits for RocksDB's background threads, which all databases share, also those without callbacks: refuses it where one of
     * these threads may be waiting for the callback that it is called from.
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

    /** What is read: a family, or the whole database. */
    public interface Read {
        /** Whether the calling thread is inside a call that reads or writes it, or may do so. Slow. */
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
            // A write may carry out those of other threads too, in any family.
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
