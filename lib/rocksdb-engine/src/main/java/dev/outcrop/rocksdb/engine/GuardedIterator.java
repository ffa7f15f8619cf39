package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.NativeCalls;

/**
 * A native iterator that one thread uses at a time. All methods are called inside its lifetime. Entering the lifetime costs little: if no
 * other thread interferes, the processor does the atomic write in parallel with the native call that follows.
 */
public class GuardedIterator {
    /** The word for lengths. The first word is for errors. */
    private static final int LENGTH = 1;

    public final ExclusiveLifetime lifetime;
    /** The address of the word to which RocksDB writes the length of a key or value. */
    public final long lengthWord;
    private final long iterator;
    private boolean isAtEntry;

    /**
     * Takes over a native iterator.
     *
     * @param iterator the {@code rocksdb_iterator_t *}
     * @param lifetime frees it
     */
    public GuardedIterator(long iterator, ExclusiveLifetime lifetime) {
        this.iterator = iterator;
        this.lifetime = lifetime;
        lifetime.enter();
        this.lengthWord = lifetime.wordAddress(LENGTH);
        lifetime.exit();
    }

    /** The {@code rocksdb_iterator_t *}. */
    public final long iterator() {
        return iterator;
    }

    /** Finds out, after a move, whether the native iterator is at an entry. */
    public final boolean findEntry() {
        isAtEntry = NativeIterator.isValid(iterator);
        return isAtEntry;
    }

    /** Called when the entry at the native iterator's place cannot be trusted. */
    public final void loseEntry() {
        isAtEntry = false;
    }

    /** Returns whether the last move has found an entry. */
    public final boolean isAtEntry() {
        return isAtEntry;
    }

    /** Returns the address of the key. Afterwards, {@link #length()} is its length. */
    public final long key() {
        return NativeIterator.key(iterator, lengthWord);
    }

    /** Returns the address of the value. Afterwards, {@link #length()} is its length. */
    public final long value() {
        return NativeIterator.value(iterator, lengthWord);
    }

    /** Returns the length that belongs to the last address. */
    public final long length() {
        return NativeCalls.readLong(lengthWord);
    }
}
