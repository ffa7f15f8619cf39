package dev.outcrop.rocksdb.internal.callbacks;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the order of a database's keys: the first exception that one of its comparators in Java has thrown, or that says how
 * one has contradicted itself. RocksDB knows no way for a comparison to fail, so nothing must be done any more that trusts in the order.
 */
public final class OrderFailure {
    private volatile @Nullable Throwable cause;
    private volatile boolean isContradiction;
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
