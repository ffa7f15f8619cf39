package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.NativeCalls;

/**
 * A native iterator that one thread uses at a time. All methods are called inside of its lifetime, which costs little: where no other thread
 * interferes, the processor does the atomic write beside the native call that follows.
 */
public class GuardedIterator {
    /** The word for lengths; errors have the first one. */
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

    /** Called when the native iterator stands where its entry cannot be trusted. */
    public final void loseEntry() {
        isAtEntry = false;
    }

    /** Whether the last move has found an entry. */
    public final boolean isAtEntry() {
        return isAtEntry;
    }

    /** The address of the key; {@link #length()} is its length then. */
    public final long key() {
        return NativeIterator.key(iterator, lengthWord);
    }

    /** The address of the value; {@link #length()} is its length then. */
    public final long value() {
        return NativeIterator.value(iterator, lengthWord);
    }

    /** The length that RocksDB has told with the last address. */
    public final long length() {
        return NativeCalls.readLong(lengthWord);
    }
}
