package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;

/**
 * A {@linkplain PinnedSlice#share() shared} pinned value: any thread may read it, pass it to an asynchronous channel or an event loop, and
 * close it. Like the slice it was made from, it pins the value, keeps the database and counts for {@link Options#pinBudget(long)}.
 *
 * <p>Sharing has a cost. Closing stops all threads of the JVM for a moment, to make sure that none of them reads the value: we measured 21
 * µs with one thread and 851 µs with 1,000. So share values that take longer than that to send; copy smaller ones with {@link
 * KeyValueReader#get(MemorySegment, MemorySegment)} into memory of {@link java.lang.foreign.Arena#ofShared()} that you keep and use again.
 *
 * <p>Thread-safe.
 */
public final class SharedSlice implements AutoCloseable {
    private final PinnedSlice slice;
    private final MemorySegment segment;

    /**
     * Takes over a slice.
     *
     * @param slice a slice that no one else closes, with a segment that any thread may read
     */
    SharedSlice(PinnedSlice slice) {
        this.slice = slice;
        this.segment = slice.segment();
    }

    /**
     * Returns the value.
     *
     * @return its bytes, read-only if they are pinned; valid on all threads until this slice is closed; every later access throws {@link
     *         IllegalStateException}
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Returns the value's length.
     *
     * @return bytes
     */
    public long size() {
        return segment.byteSize();
    }

    /**
     * Returns whether the value is pinned in RocksDB's memory.
     *
     * @return false if it was copied, see {@link PinnedSlice#isPinned()}
     */
    public boolean isPinned() {
        return slice.isPinned();
    }

    /**
     * Unpins the value, on any thread. Does nothing if the slice was closed before. A thread that is reading the segment gets {@link
     * IllegalStateException}.
     *
     * @throws IllegalStateException if a channel is reading the value at this moment. The value then stays readable and pinned; close the
     *                               slice when the channel has completed, for example in its {@code CompletionHandler}
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
