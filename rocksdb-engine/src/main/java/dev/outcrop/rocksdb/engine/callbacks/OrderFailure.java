package dev.outcrop.rocksdb.engine.callbacks;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the order of a database's keys: the first exception that one of its comparators in Java has thrown, or that says how
 * one has contradicted itself. RocksDB knows no way for a comparison to fail, so nothing must be done any more that trusts in the order.
 */
public final class OrderFailure {
    private volatile @Nullable Throwable cause;
    private volatile boolean isContradiction;
    /** Those that tell it. Replaced, never changed. */
    private volatile CheckedComparator[] comparators = {};
    /** Whether it is of a database that is being opened, and cannot be stopped yet. */
    private final boolean isOpening;

    /** Of a database that is open. */
    public OrderFailure() {
        this(false);
    }

    private OrderFailure(boolean isOpening) {
        this.isOpening = isOpening;
    }

    /** Of a database that is being opened. */
    public static OrderFailure ofOpening() {
        return new OrderFailure(true);
    }

    boolean isOpening() {
        return isOpening;
    }

    /** Is told by one more comparator. */
    synchronized void add(CheckedComparator comparator) {
        CheckedComparator[] all = Arrays.copyOf(comparators, comparators.length + 1);
        all[comparators.length] = comparator;
        comparators = all;
    }

    /**
     * Before the calling thread itself changes the list of files, which RocksDB does without a look back: has the comparators make some
     * comparisons of before again, so that what is wrong already is found now.
     */
    public void checkAgain() {
        RunningCallbacks running = RunningCallbacks.ofThread();
        // Not in a call that a comparator makes which is being asked here.
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

    /** Called inside an upcall: allocates nothing. Two threads may both be the first; one of them wins. */
    public void set(Throwable failure) {
        if (failure instanceof CheckedComparator.Contradiction) {
            isContradiction = true;
        }
        if (cause == null) {
            cause = failure;
        }
    }

    /** The first failure; null as long as there was none. */
    @Nullable
    public Throwable cause() {
        return cause;
    }

    /** Whether a comparator has contradicted itself, so that what a search finds says nothing. */
    public boolean isContradiction() {
        return isContradiction;
    }
}
