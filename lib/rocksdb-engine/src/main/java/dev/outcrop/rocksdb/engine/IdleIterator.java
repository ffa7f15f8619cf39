package dev.outcrop.rocksdb.engine;

/** A native iterator that is kept for its next user. */
public final class IdleIterator {
    final long iterator;
    /** Whether it has been idle since the last sweep. Not exact: threads may write it at the same time. */
    boolean isOld;

    /** @param iterator the {@code rocksdb_iterator_t *} */
    public IdleIterator(long iterator) {
        this.iterator = iterator;
    }

    /** The {@code rocksdb_iterator_t *}. */
    public long iterator() {
        return iterator;
    }
}
