package dev.outcrop.rocksdb.engine.callbacks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The comparators in Java of a database that is being opened. RocksDB's threads may begin to compact it before anybody could stop it; until
 * this is closed, those whose comparator fails wait.
 */
public final class OpeningOrder implements AutoCloseable {
    private final List<CheckedComparator> comparators;
    private final OrderFailure failure = OrderFailure.ofOpening();

    public OpeningOrder(Collection<CheckedComparator> comparators) {
        this.comparators = new ArrayList<>(comparators);
        this.comparators.forEach(each -> each.addUser(failure));
    }

    /** What is wrong, or has been wrong for another database that is open; null if nothing is. */
    @Nullable
    public Throwable cause() {
        return failure.cause();
    }

    /** The database is known, and its own comparators tell it what is wrong; or it was not opened. Allocates nothing if there are none. */
    @Override
    public void close() {
        for (int i = 0; i < comparators.size(); i++) {
            comparators.get(i).removeUser(failure);
        }
    }
}
