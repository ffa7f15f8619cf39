package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;

/**
 * A {@linkplain PinnedSlice#share() shared} pinned value: any thread may read it, hand it to an asynchronous channel or an event loop,
 * and close it. It pins the value, keeps the database and counts for {@link Options#pinBudget(long)} as the slice did that it was made
 * from.
 *
 * <p>Sharing has a price. Closing stops all threads of the JVM for a moment, to find that none of them reads the value: it was measured at
 * 21 µs with one thread and 851 µs with 1,000. So share values that take longer than that to send; copy smaller ones with
 * {@link KeyValueReader#get(MemorySegment, MemorySegment)} into memory of {@link java.lang.foreign.Arena#ofShared()} that is kept and
 * used again.
 *
 * <p>Thread-safe.
 */
public final class SharedSlice implements AutoCloseable {
    private final PinnedSlice slice;
    private final MemorySegment segment;

    /**
     * Takes a slice over.
     *
     * @param slice a slice that no one else closes, with a segment that any thread may read
     */
    SharedSlice(PinnedSlice slice) {
        this.slice = slice;
        this.segment = slice.segment();
    }

    /**
     * The value.
     *
     * @return its bytes, read-only if they are pinned; valid on all threads until this slice is closed, then it throws
     *         {@link IllegalStateException} on every access
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * The value's length.
     *
     * @return bytes
     */
    public long size() {
        return segment.byteSize();
    }

    /**
     * Whether the value is pinned in RocksDB's memory.
     *
     * @return false if it was copied, see {@link PinnedSlice#isPinned()}
     */
    public boolean isPinned() {
        return slice.isPinned();
    }

    /**
     * Unpins the value, on whichever thread. Does nothing if it was done before. A thread that reads the segment meanwhile gets
     * {@link IllegalStateException}.
     *
     * @throws IllegalStateException if a channel is reading the value at this moment; it stays readable and pinned then, and is to be
     *                               closed when the channel has completed, for example by its {@code CompletionHandler}
     * @throws StackOverflowError    if too little of the stack is left; close it again then
     */
    @Override
    public void close() {
        synchronized (this) {
            try {
                slice.close();
            } catch (IllegalStateException e) {
                if (!segment.scope().isAlive()) {
                    throw e;
                }
                throw new IllegalStateException(
                        "The shared value of " + segment.byteSize() + " bytes cannot be closed yet:"
                                + " a channel is using it. Close it when the channel has completed",
                        e);
            }
        }
    }
}
