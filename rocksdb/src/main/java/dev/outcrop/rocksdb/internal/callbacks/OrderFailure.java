package dev.outcrop.rocksdb.internal.callbacks;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the order of a database's keys: the first exception that one of its comparators in Java has thrown, or that says how
 * one has contradicted itself. RocksDB knows no way for a comparison to fail, so nothing must be done any more that trusts in the order.
 */
public final class OrderFailure {
    private volatile @Nullable Throwable cause;
    private volatile boolean isContradiction;

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
