package dev.outcrop.rocksdb;

import java.util.ArrayList;
import java.util.List;

/**
 * The open iterators of an owner that only one thread may use at a time and that changes under its iterators: a transaction, or a batch
 * with an index. Used inside the owner only.
 */
final class OwnedIterators {
    private final List<KeyValueIterator> open = new ArrayList<>(1);

    boolean isEmpty() {
        return open.isEmpty();
    }

    void add(KeyValueIterator iterator) {
        open.add(iterator);
    }

    void remove(KeyValueIterator iterator) {
        open.remove(iterator);
    }

    /**
     * Called before anything is added to the native batch: it may move, and the entries that iterators show lie in it.
     *
     * @throws IllegalStateException if another thread has segments of an iterator
     */
    void beforeChange() {
        open.forEach(KeyValueIterator::ownerChanges);
    }

    /**
     * Called before the native batch is emptied, taken apart or freed, which RocksDB's iterators do not survive.
     *
     * @throws IllegalStateException if another thread has segments of an iterator; all iterators stay usable then
     */
    void end() {
        beforeChange();
        open.forEach(KeyValueIterator::ownerEnds);
        open.clear();
    }
}
