package dev.outcrop.rocksdb;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A value that was read without a copy. Its bytes lie in RocksDB's block cache, or wherever RocksDB has them anyway, and stay there until
 * the slice is closed. Closing the database does not take them away: the native database waits for the slice.
 *
 * <p>A slice belongs to the thread that read it: only that thread may read and close it; {@link #share()} makes a slice for all threads.
 * After {@link #close()} its segment throws {@link IllegalStateException} on every access. Close slices soon, because the cache cannot
 * evict pinned blocks; beyond {@link Options#pinBudget(long)}, the database copies values instead of pinning them.
 */
public final class PinnedSlice implements AutoCloseable {
    /** Stack in KiB for the code between the look-up and the slice, and for unpinning. */
    private static final int PINNING = 6;
    /** Whether the process has closed a slice: the first time takes as much stack as linking. */
    private static boolean wasClosed;
    /** The steps of closing. Each step is taken once, even if there was too little stack for the next one. */
    private static final int OPEN = 0;
    private static final int ENDED = 1;
    private static final int UNPINNED = 2;
    private static final int FAMILY_RELEASED = 3;
    private static final int CLOSED = 4;

    private final Family family;
    /** The native pin; 0 if the value was copied. */
    private final long handle;
    private final MemorySegment segment;
    /** Ends {@link #segment}; null if the value lies in the caller's own memory, which this object does not own. */
    private final @Nullable Arena arena;
    private final LeakDetector.@Nullable Tracker tracker;
    /** The progress of closing. */
    private int closed = OPEN;

    private PinnedSlice(Family family, long handle, MemorySegment segment, @Nullable Arena arena) {
        this.family = family;
        this.handle = handle;
        this.segment = segment;
        this.arena = arena;
        this.tracker = handle == 0 ? null : LeakDetector.track(this, family.database.sliceName);
    }

    /**
     * Makes the slice for a pin that RocksDB made. The family and the database have leases for the pin.
     *
     * @param pin the native pin; with {@link PointReads#BEYOND_BUDGET}, this method copies the value and gives the pin back; with {@link
     *            PinLayout#OF_TRANSACTION}, the pin has the other of the C API's two types for pins
     */
    static PinnedSlice of(Family family, long pin) {
        if ((pin & PointReads.BEYOND_BUDGET) != 0) {
            return copied(family, pin - PointReads.BEYOND_BUDGET);
        }
        try {
            // In this order, so that the last object made refers to the other ones: that saves write barriers.
            Arena arena = Arena.ofConfined();
            MemorySegment value = NativeCalls.readOnlyView(PinLayout.address(pin), PinLayout.size(pin), arena);
            return new PinnedSlice(family, pin, value, arena);
        } catch (Throwable e) {
            // Out of memory: nothing else would give the pin back, and the database would never be closed.
            giveBack(family, pin, PinLayout.size(pin));
            throw e;
        }
    }

    private static PinnedSlice copied(Family family, long pin) {
        try {
            MemorySegment value = NativeCalls.view(PinLayout.address(pin), PinLayout.size(pin));
            Arena arena = Arena.ofConfined();
            return new PinnedSlice(family, 0, arena.allocate(value.byteSize()).copyFrom(value), arena);
        } finally {
            giveBack(family, pin, 0);
        }
    }

    private static void giveBack(Family family, long pin, long weight) {
        unpin(pin);
        family.release();
        family.database.lifetime.release(weight);
    }

    private static void unpin(long pin) {
        if ((pin & PinLayout.OF_TRANSACTION) == 0) {
            NativePins.destroyHandle(pin);
        } else {
            NativePins.destroySlice(pin - PinLayout.OF_TRANSACTION);
        }
    }

    /** Makes the slice for a value that was copied into the caller's memory. */
    static PinnedSlice inBuffer(Family family, MemorySegment value) {
        return new PinnedSlice(family, 0, value, null);
    }

    /**
     * Returns the value.
     *
     * @return its bytes, read-only if they are pinned; valid until this slice is closed
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
     * Returns whether the value was pinned in RocksDB's memory.
     *
     * @return false if it was copied, because it is small and a buffer was given, or because the pin budget is used up
     */
    public boolean isPinned() {
        return arena != null && segment.isReadOnly();
    }

    /**
     * Moves the value to a slice that any thread may read and close, without a copy. This slice is then closed, and closing it again does
     * nothing. Its pin, with its share of the {@linkplain Options#pinBudget(long) budget}, belongs to the new slice.
     *
     * <p>A value that is not pinned is copied into memory of the new slice. If the value lies in a buffer of the caller, the buffer stays
     * unchanged.
     *
     * @return the slice, which the caller must close, on any thread; see {@link SharedSlice} for the cost
     * @throws IllegalStateException if this slice was closed or shared before
     * @throws WrongThreadException  if another thread read the value
     * @throws StackOverflowError    if too little of the stack is left; nothing has changed then
     */
    public SharedSlice share() {
        if (closed != OPEN) {
            throw new IllegalStateException("The pinned value is closed, or was shared before");
        }
        ApiCall.requireAccessible(segment);
        requireRoom();
        Arena shared = Arena.ofShared();
        try {
            MemorySegment value = isPinned()
                    ? NativeCalls.readOnlyView(segment.address(), segment.byteSize(), shared)
                    : shared.allocate(segment.byteSize()).copyFrom(segment);
            // First, so that no thread reads a slice that is closed elsewhere.
            if (arena != null) {
                arena.close();
                // From here on close() gives the pin back, should memory run out.
                closed = ENDED;
            }
            SharedSlice slice = new SharedSlice(new PinnedSlice(family, handle, value, shared));
            closed = CLOSED;
            if (tracker != null) {
                tracker.close();
            }
            return slice;
        } catch (Throwable e) {
            if (closed != CLOSED) {
                shared.close();
            }
            throw e;
        }
    }

    /**
     * Unpins the value. Does nothing if the slice was closed before.
     *
     * @throws WrongThreadException if another thread read the value
     * @throws StackOverflowError   if too little of the stack is left; close it again then
     */
    @Override
    public void close() {
        if (arena == null || closed == CLOSED) {
            return;
        }
        requireRoom();
        if (closed == OPEN) {
            // First, so that no thread reads memory that is about to be unpinned; this also keeps other threads from closing it.
            arena.close();
            closed = ENDED;
        }
        if (handle != 0) {
            giveBack();
        }
        closed = CLOSED;
    }

    private void giveBack() {
        if (closed == ENDED) {
            if (tracker != null) {
                tracker.close();
            }
            unpin(handle);
            closed = UNPINNED;
        }
        if (closed == UNPINNED) {
            family.release();
            closed = FAMILY_RELEASED;
        }
        family.database.lifetime.release(segment.byteSize());
        if (!wasClosed) {
            wasClosed = true;
        }
    }

    /** Checks that there is enough stack from the look-up until there is a slice, or for closing a slice. */
    static void requireRoom() {
        StackCheck.require(wasClosed ? PINNING : CallbackGuard.WORKING);
    }
}
