package org.rocksdb;

import dev.outcrop.rocksdb.engine.CompactionVeto;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeDatabase;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;
import dev.outcrop.rocksdb.engine.callbacks.OpenDatabases;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Stops changes of a database when a comparator in Java fails during a change. RocksDB trusts any result of a comparator, and would
 * silently drop keys in a flush. Reads go on, because a failed comparison harms only its own search.
 *
 * <p>A change by the calling thread is a scope: {@code try (ComparatorMonitor _ = database.state_.change())}.
 */
final class ComparatorMonitor implements OpenDatabases.OpenDatabase, AutoCloseable {

    private final RocksDB database;
    private final ComparatorFailure order = new ComparatorFailure();
    /** Guarded by the lock of the database's state. */
    private final Set<CheckedComparator> comparators = new LinkedHashSet<>();
    private boolean isEnding;
    private boolean isStopped;

    ComparatorMonitor(RocksDB database, CompactionVeto veto) {
        this.database = database;
        if (veto != null) {
            veto.attachTo(order);
        }
        OpenDatabases.add(this);
    }

    /** Makes a monitor for searches in a table file, which never changes. */
    private ComparatorMonitor() {
        database = null;
    }

    /** Returns a monitor of searches in a table file. */
    static ComparatorMonitor ofFile() {
        return new ComparatorMonitor();
    }

    /** Returns the comparators in Java among the objects that options keep. */
    static List<CheckedComparator> comparators(List<Object> callbacks) {
        return callbacks.stream().filter(ComparatorCallback.class::isInstance).map(ComparatorCallback.class::cast)
                .map(callback -> callback.checked).toList();
    }

    void add(CheckedComparator comparator) {
        if (comparators.add(comparator)) {
            comparator.addUser(order);
        }
    }

    /** Begins a change on the calling thread. */
    ComparatorMonitor begin() throws RocksDBException {
        require();
        RunningCallbacks.ofThread().beginChange(true, order);
        return this;
    }

    /** Begins a change of the list of files, after a check for earlier failures. */
    ComparatorMonitor beginFiles() throws RocksDBException {
        order.checkAgain();
        return begin();
    }

    /** Ends the change; throws if a comparator has failed. */
    @Override
    public void close() throws RocksDBException {
        RunningCallbacks.ofThread().endChange();
        require();
    }

    /** Throws if a comparator has failed during a change. */
    void require() throws RocksDBException {
        Throwable failure = order.cause();
        if (failure != null) {
            throw failure("The database " + database.state_.path + " can no longer be changed", failure,
                    "Close it and open it with a comparator that works; the data in its log and its files is not lost");
        }
    }

    /** Begins a search on the calling thread. */
    void beginSearch() {
        RunningCallbacks.ofThread().beginSearch();
    }

    /** Ends the search of this thread; returns the failure of a comparator in it, or null. */
    Throwable searched() {
        RunningCallbacks running = RunningCallbacks.ofThread();
        running.endSearch();
        Throwable failure = order.cause();
        return failure == null ? running.unanswered() : failure;
    }

    /**
     * Returns the exception for a failure. If the failure of a comparator has stopped the calling thread's change, that failure is the
     * cause.
     */
    static RocksDBException explained(RocksDBException failure) {
        Throwable cause = RunningCallbacks.ofThread().changeFailure();
        if (cause == null) {
            return failure;
        }
        RocksDBException explained = failure("The change was not made (" + failure.getMessage() + ")", cause,
                "Close the database and open it with a comparator that works; the data in its log and its files is not lost");
        explained.addSuppressed(failure);
        return explained;
    }

    /** A change by one of the library's native methods. They throw exceptions themselves. */
    interface NativeChange {
        void make() throws RocksDBException;
    }

    /** Makes a change. Explains a failure as {@link Errors#check} explains failures of C. */
    static void call(NativeChange change) throws RocksDBException {
        try {
            change.make();
        } catch (RocksDBException e) {
            throw explained(e);
        }
    }

    /** Makes the exception for a comparator that has failed. */
    static RocksDBException failure(String what, Throwable cause, String remedy) {
        RocksDBException failure = new RocksDBException(
                what + ", because its comparator has failed, so that the order of its keys is not known: " + cause
                        + ". " + remedy,
                new Status(Status.Code.Aborted, Status.SubCode.None, "comparator has failed"));
        failure.initCause(cause);
        return failure;
    }

    /**
     * Flushes data that is not in the log, as closing would do: nothing could stop a flush by the closing itself. Called after the last
     * call, before the native database is closed.
     */
    void ending() {
        try {
            if (!database.state_.isReadOnly) {
                NativeBackgroundWork.cancelAll(database.nativeHandle_, true);
            }
        } finally {
            synchronized (this) {
                isEnding = true;
            }
        }
    }

    /** Called when the native database is closed. */
    void ended() {
        OpenDatabases.remove(this);
        comparators.forEach(comparator -> comparator.removeUser(order));
    }

    @Override
    public boolean callsBack() {
        return true;
    }

    @Override
    public ComparatorFailure order() {
        return order;
    }

    @Override
    public synchronized void lock() {
        if (!isEnding) {
            NativeBackgroundWork.lock(database.nativeHandle_);
        }
    }

    @Override
    public synchronized void stopBackgroundWork() {
        if (!isEnding) {
            NativeBackgroundWork.cancelAll(database.nativeHandle_, false);
        }
    }

    @Override
    public synchronized void stopWithoutFlush() {
        if (!isEnding && !isStopped) {
            if (!database.state_.isReadOnly) {
                NativeDatabase.forgoFlush(database.nativeHandle_);
            }
            stopBackgroundWork();
            isStopped = true;
        }
    }
}
