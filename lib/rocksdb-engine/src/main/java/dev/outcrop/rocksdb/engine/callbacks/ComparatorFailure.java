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
    /** Keeps compactions from replacing files; null if the database has no veto. */
    private volatile @Nullable Runnable veto;
    /** Whether the database has a listener that tells which threads write files. */
    private volatile boolean knowsWriters;
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
        // A trial comes before the opening, and writes no files.
        this.knowsWriters = isOpening;
    }

    /** The failure of a database that is being opened. */
    public static ComparatorFailure ofOpening() {
        return new ComparatorFailure(true);
    }

    boolean knowsWriters() {
        return knowsWriters;
    }

    boolean isOpening() {
        return isOpening;
    }

    /**
     * Sets the action that keeps compactions of the database from replacing files. Called before the database is opened.
     *
     * @param veto         allocates nothing; null if there is none
     * @param knowsWriters whether the database has a listener that tells which threads write files
     */
    public void vetoBy(@Nullable Runnable veto, boolean knowsWriters) {
        this.knowsWriters = knowsWriters;
        this.veto = veto;
        if (cause != null && veto != null) {
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
