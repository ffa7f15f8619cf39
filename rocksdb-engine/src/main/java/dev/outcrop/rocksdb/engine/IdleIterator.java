package dev.outcrop.rocksdb.engine;

/** A native iterator that may be idle, with what its next user gains from knowing. */
public final class IdleIterator {
    final long iterator;
    /** Whether nobody has used it since the idle ones were looked at. A guess: threads may write it at the same time. */
    boolean isOld;
    private boolean readsKeys;
    private boolean readsValues;

    /** @param iterator the {@code rocksdb_iterator_t *} */
    public IdleIterator(long iterator) {
        this.iterator = iterator;
    }

    /** The {@code rocksdb_iterator_t *}. */
    public long iterator() {
        return iterator;
    }

    /** Remembers what its user has read, because the next one will probably do so, too. */
    public void setReads(boolean keys, boolean values) {
        readsKeys = keys;
        readsValues = values;
    }

    public boolean readsKeys() {
        return readsKeys;
    }

    public boolean readsValues() {
        return readsValues;
    }
}
