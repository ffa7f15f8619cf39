package org.rocksdb;

/**
 * The open iterators of a database or table file. The list links their guards, so that a new iterator needs no allocation for the list.
 * Used under a lock.
 */
final class OpenIterators {

    private IteratorState newest;

    void add(AbstractRocksIterator<?> iterator) {
        IteratorState added = iterator.guard;
        added.listed = iterator;
        added.older = newest;
        if (newest != null) {
            newest.newer = added;
        }
        newest = added;
    }

    /** Removes an iterator. Does nothing if it is not in the list. */
    void remove(AbstractRocksIterator<?> iterator) {
        IteratorState removed = iterator.guard;
        if (removed.listed == null) {
            return;
        }
        if (removed.newer == null) {
            newest = removed.older;
        } else {
            removed.newer.older = removed.older;
        }
        if (removed.older != null) {
            removed.older.newer = removed.newer;
        }
        removed.listed = null;
        removed.older = null;
        removed.newer = null;
    }

    boolean isEmpty() {
        return newest == null;
    }

    boolean isAnyEnteredByCaller() {
        for (IteratorState each = newest; each != null; each = each.older) {
            if (each.lifetime.isEnteredByCaller()) {
                return true;
            }
        }
        return false;
    }

    /** Ends all iterators. Called when no call of the database or reader is running any longer. */
    void end() {
        while (newest != null) {
            AbstractRocksIterator<?> iterator = newest.listed;
            remove(iterator);
            iterator.endWithParent();
        }
    }
}
