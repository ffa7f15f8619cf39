package dev.outcrop.rocksdb.engine.callbacks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a database's comparators in Java: the first exception or contradiction of a comparator. RocksDB cannot handle a failed
 * comparison, so nothing may rely on the order of keys afterwards.
 */
public final class ComparatorFailure {
    private volatile @Nullable Throwable cause;
    private volatile boolean isContradiction;
    /** Keeps compactions from replacing files; null if nothing can. */
    private volatile @Nullable Runnable veto;
    /** Whether it is known of each thread whether it is writing a file of the database. */
    private volatile boolean knowsJobs;
    /** The database's comparators. Replaced, never changed. */
    private volatile CheckedComparator[] comparators = {};
    /** Whether the database is being opened, and cannot be stopped yet. */
    private final boolean isOpening;

    /** The failure of an open database. */
    public ComparatorFailure() {
        this(false);
    }

    private ComparatorFailure(boolean isOpening) {
        this.isOpening = isOpening;
    }

    /** The failure of a database that is being opened. */
    public static ComparatorFailure ofOpening() {
        return new ComparatorFailure(true);
    }

    boolean knowsJobs() {
        return knowsJobs;
    }

    boolean isOpening() {
        return isOpening;
    }

    /**
     * Sets the action that keeps compactions of the database from replacing files.
     *
     * @param veto      allocates nothing
     * @param knowsJobs whether it is known of each thread whether it is writing a file of the database
     */
    public void vetoBy(Runnable veto, boolean knowsJobs) {
        this.knowsJobs = knowsJobs;
        this.veto = veto;
        if (cause != null) {
            veto.run();
        }
    }

    /** Adds a comparator. */
    synchronized void add(CheckedComparator comparator) {
        CheckedComparator[] all = Arrays.copyOf(comparators, comparators.length + 1);
        all[comparators.length] = comparator;
        comparators = all;
    }

    /**
     * Makes the comparators repeat some comparisons before the calling thread itself changes the list of files. That change cannot be
     * undone.
     */
    public void checkAgain() {
        RunningCallbacks running = RunningCallbacks.ofThread();
        // A comparator that is being asked here may itself have made this call.
        if (running.isCheckingAgain) {
            return;
        }
        running.isCheckingAgain = true;
        try {
            for (CheckedComparator each : comparators) {
                each.checkAgain();
            }
        } finally {
            running.isCheckingAgain = false;
        }
    }

    /** Sets the failure, inside an upcall, without allocating. If two threads fail at the same time, one of them wins. */
    public void set(Throwable failure) {
        if (failure instanceof CheckedComparator.Contradiction) {
            isContradiction = true;
        }
        if (cause == null) {
            cause = failure;
        }
        // Before RocksDB gets an answer that is not the comparator's.
        Runnable now = veto;
        if (now != null) {
            now.run();
        }
    }

    /** Returns the first failure, or null. */
    @Nullable
    public Throwable cause() {
        return cause;
    }

    /** Returns whether a comparator has contradicted itself, which makes the results of searches meaningless. */
    public boolean isContradiction() {
        return isContradiction;
    }

    /**
     * The failure of a database that is being opened. RocksDB's threads may begin to compact the database before it can be stopped. If a
     * comparator fails in such a thread, the thread waits until this object is closed.
     */
    public static final class Opening implements AutoCloseable {
        private final List<CheckedComparator> comparators;
        private final ComparatorFailure failure = ofOpening();

        public Opening(Collection<CheckedComparator> comparators) {
            this.comparators = new ArrayList<>(comparators);
            this.comparators.forEach(each -> each.addUser(failure));
        }

        /** Returns whether a comparator in Java orders keys of the database. */
        public boolean hasComparators() {
            return !comparators.isEmpty();
        }

        /** Returns the failure of the database until it is open. */
        public ComparatorFailure failure() {
            return failure;
        }

        /** Returns the failure, which may have occurred in another open database with the same comparator; null if there is none. */
        public @Nullable Throwable cause() {
            return failure.cause();
        }

        /** Ends the opening: from now on, the open database has its own failure object. Allocates nothing if there are no comparators. */
        @Override
        public void close() {
            for (int i = 0; i < comparators.size(); i++) {
                comparators.get(i).removeUser(failure);
            }
        }
    }
}
