package dev.outcrop.rocksdb;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A value that was read without a copy: the bytes of RocksDB's block cache or of another place where they lie anyway, which stay
 * there until the slice is closed. Closing the database does not take them away, the database waits for the slice.
 *
 * <p>A slice belongs to the thread that read it: only that thread may read and close it. After {@link #close()} its segment throws
 * {@link IllegalStateException} on every access. Close slices soon, for what they pin the cache cannot evict; the database copies
 * instead of pinning beyond {@link Options#pinBudget(long)}.
 */
public final class PinnedSlice implements AutoCloseable {
    private final Store store;
    /** The native pin; 0 if the value was copied, or once closed. */
    private long handle;
    private final MemorySegment segment;
    /** Ends {@link #segment}; null if the value lies in the caller's own memory, which this object does not own. */
    private final @Nullable Arena arena;
    private final LeakDetector.@Nullable Tracker tracker;

    private PinnedSlice(Store store, long handle, MemorySegment segment, @Nullable Arena arena) {
        this.store = store;
        this.handle = handle;
        this.segment = segment;
        this.arena = arena;
        this.tracker = handle == 0 ? null : LeakDetector.track(this, store.sliceName);
    }

    /** A pin that RocksDB made. The store holds a lease for it. */
    static PinnedSlice pinned(Store store, long handle, long address, long size) {
        Arena arena = Arena.ofConfined();
        return new PinnedSlice(store, handle, NativeCalls.view(address, size, arena).asReadOnly(), arena);
    }

    /** A value that was copied into memory of its own. */
    static PinnedSlice copied(Store store, long address, long size) {
        Arena arena = Arena.ofConfined();
        MemorySegment copy = arena.allocate(size).copyFrom(NativeCalls.view(address, size));
        return new PinnedSlice(store, 0, copy, arena);
    }

    /** A value that was copied into the caller's memory. */
    static PinnedSlice inBuffer(Store store, MemorySegment value) {
        return new PinnedSlice(store, 0, value, null);
    }

    /**
     * The value.
     *
     * @return its bytes, read-only if they are pinned; valid until this slice is closed
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
     * Whether the value was pinned in RocksDB's memory.
     *
     * @return false if it was copied, because it is small and a buffer was given, or because the pin budget is used up
     */
    public boolean isPinned() {
        return arena != null && segment.isReadOnly();
    }

    /**
     * Unpins the value. Does nothing if it was done before.
     *
     * @throws WrongThreadException if another thread read the value
     */
    @Override
    public void close() {
        if (arena == null || !arena.scope().isAlive()) {
            return;
        }
        // First, so that nobody reads what is about to be unpinned; also what keeps other threads from closing it.
        arena.close();
        if (handle != 0) {
            if (tracker != null) {
                tracker.close();
            }
            long pin = handle;
            handle = 0;
            CApi.rocksdb_pinnable_handle_destroy(pin);
            store.unpinned(segment.byteSize());
        }
    }
}
