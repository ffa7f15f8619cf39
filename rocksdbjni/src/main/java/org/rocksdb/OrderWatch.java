package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeDatabase;
import dev.outcrop.rocksdb.engine.NativeWork;
import dev.outcrop.rocksdb.engine.callbacks.CallingDatabases;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.OrderFailure;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends the changes of a database when a comparator in Java fails while something is changed. RocksDB takes any answer for an order, and would
 * leave out keys when it flushes, without a word. Reads go on: a search for a key that cannot be compared harms nothing.
 *
 * <p>Open while the calling thread changes the database: {@code try (OrderWatch _ = database.parts_.change())}.
 */
final class OrderWatch implements CallingDatabases.CallingDatabase, AutoCloseable {

    private final RocksDB database;
    private final OrderFailure order = new OrderFailure();
    /** Added to by one thread at a time, which holds the lock of the database's parts. */
    private final Set<CheckedComparator> comparators = new LinkedHashSet<>();
    private boolean isEnding;
    private boolean isStopped;

    OrderWatch(RocksDB database) {
        this.database = database;
        CallingDatabases.add(this);
    }

    /** The comparators in Java among what options hold. */
    static List<CheckedComparator> comparators(List<Object> callbacks) {
        return callbacks.stream().filter(ComparatorCallback.class::isInstance).map(ComparatorCallback.class::cast)
                .map(callback -> callback.checked).toList();
    }

    void add(CheckedComparator comparator) {
        if (comparators.add(comparator)) {
            comparator.addUser(order);
        }
    }

    /** A change begins on the calling thread. */
    OrderWatch begin() throws RocksDBException {
        require();
        RunningCallbacks.ofThread().beginChange(true, order);
        return this;
    }

    /** A change of the list of files begins: what is wrong already must be found before. */
    OrderWatch beginFiles() throws RocksDBException {
        order.checkAgain();
        return begin();
    }

    /** The change has ended: throws if a comparator has failed. */
    @Override
    public void close() throws RocksDBException {
        RunningCallbacks.ofThread().endChange();
        require();
    }

    /** Throws if a comparator has failed while something was changed. */
    void require() throws RocksDBException {
        Throwable failure = order.cause();
        if (failure != null) {
            throw failure("The database " + database.parts_.path + " can no longer be changed", failure,
                    "Close it and open it with a comparator that works; what is in its log and its files is not lost");
        }
    }

    /** A search begins on the calling thread. */
    void beginSearch() {
        RunningCallbacks.ofThread().beginSearch();
    }

    /** What was wrong with the order in the search that this thread has made; null if nothing was. */
    Throwable searched() {
        RunningCallbacks running = RunningCallbacks.ofThread();
        running.endSearch();
        Throwable failure = order.cause();
        return failure == null ? running.unanswered() : failure;
    }

    /** What to throw for a failure: why the database was stopped that the calling thread changes, if it was. */
    static RocksDBException explained(RocksDBException failure) {
        Throwable cause = RunningCallbacks.ofThread().changeFailure();
        if (cause == null) {
            return failure;
        }
        RocksDBException explained = failure("The change was not made (" + failure.getMessage() + ")", cause,
                "Close the database and open it with a comparator that works; what is in its log and its files is not lost");
        explained.addSuppressed(failure);
        return explained;
    }

    /** What is thrown for a comparator that has failed. */
    static RocksDBException failure(String what, Throwable cause, String remedy) {
        RocksDBException failure = new RocksDBException(
                what + ", because its comparator has failed, so that the order of its keys is not known: " + cause
                        + ". " + remedy,
                new Status(Status.Code.Aborted, Status.SubCode.None, "comparator has failed"));
        failure.initCause(cause);
        return failure;
    }

    /**
     * No call is running any longer, and the native database is about to be closed. What is not in the log is flushed now, as closing
     * would: then nothing could stop that any longer.
     */
    void ending() {
        try {
            if (!database.parts_.isReadOnly) {
                NativeWork.cancelAll(database.nativeHandle_, true);
            }
        } finally {
            synchronized (this) {
                isEnding = true;
            }
        }
    }

    /** The native database is closed. */
    void ended() {
        CallingDatabases.remove(this);
        comparators.forEach(comparator -> comparator.removeUser(order));
    }

    @Override
    public boolean callsBack() {
        return true;
    }

    @Override
    public OrderFailure order() {
        return order;
    }

    @Override
    public synchronized void stopBackgroundWork() {
        if (!isEnding) {
            NativeWork.cancelAll(database.nativeHandle_, false);
        }
    }

    @Override
    public synchronized void stopWithoutFlush() {
        if (!isEnding && !isStopped) {
            isStopped = true;
            if (!database.parts_.isReadOnly) {
                NativeDatabase.forgoFlush(database.nativeHandle_);
            }
            stopBackgroundWork();
        }
    }
}
