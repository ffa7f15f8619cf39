package dev.outcrop.rocksdb;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values that one execution of a {@link MultiGet} has read, in the order of the keys. Key {@code i} is the one that was added as
 * number {@code i}, from 0 on.
 *
 * <p>A key that could not be read, for example because its block is damaged, does not concern the others: {@link #error(int)} tells,
 * and every other method that is asked for that key throws the same {@link RocksDBException}.
 *
 * <p>Only the thread that executed may use and close them. After {@link #close()} every method throws {@link IllegalStateException},
 * and so do the segments, except those in the caller's own memory. Close them soon: what they pin the cache cannot evict, and it counts
 * against {@link Options#pinBudget(long)}. Beyond the budget the values are copied instead. Closing the database does not take them
 * away; it waits for them.
 */
public final class MultiGetValues implements AutoCloseable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final PinTable pins;
    private final int count;
    private final Arena arena;
    /** All of memory, while the arena is open: the table of slices is read through it, by addresses. */
    private final MemorySegment all;
    /** What slices are relative to: all of memory if the values are pinned, else where they were copied to. */
    private final MemorySegment memory;
    private final LeakDetector.@Nullable Tracker tracker;
    private boolean isClosed;

    private MultiGetValues(PinTable pins, Arena arena, MemorySegment all, MemorySegment memory) {
        this.pins = pins;
        this.count = pins.size();
        this.arena = arena;
        this.all = all;
        this.memory = memory;
        this.tracker = LeakDetector.track(this, pins.valuesName());
    }

    /** The values in a table, which this object will release; on failure it is released here. */
    static MultiGetValues pinned(PinTable pins) {
        try {
            // In this order, so that the last object made is the one that the others are stored in: that saves write barriers.
            Arena arena = Arena.ofConfined();
            MemorySegment all = NativeCalls.readOnlyMemory(arena);
            return new MultiGetValues(pins, arena, all, pins.isWithinBudget() ? all : pins.copied(arena));
        } catch (Throwable e) {
            // Out of memory: nobody else could give the pins back, and the database would never be closed.
            pins.release();
            throw e;
        }
    }

    /** As {@link #pinned}, for values that were copied. */
    static MultiGetValues copied(PinTable pins, MemorySegment slab) {
        try {
            Arena arena = Arena.ofConfined();
            return new MultiGetValues(pins, arena, NativeCalls.readOnlyMemory(arena), slab);
        } catch (Throwable e) {
            pins.release();
            throw e;
        }
    }

    /**
     * How many keys were read.
     *
     * @return the number of keys, with those that are not there
     */
    public int size() {
        requireOpen();
        return count;
    }

    /**
     * Whether a key is there.
     *
     * @param i the key's number
     * @return true if it has a value
     * @throws RocksDBException          if the key could not be read
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public boolean isFound(int i) {
        return size(i) >= 0;
    }

    /**
     * The length of a value.
     *
     * @param i the key's number
     * @return bytes, or {@link KeyValueReader#NOT_FOUND}
     * @throws RocksDBException          if the key could not be read
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public long size(int i) {
        long size = all.get(LONG, slice(i) + Long.BYTES);
        if (size < 0) {
            throwFailure(i);
        }
        return size;
    }

    /**
     * A value.
     *
     * @param i the key's number
     * @return its bytes: read-only and valid until these values are closed, or a slice of the caller's memory; null if the key is not
     *         there
     * @throws RocksDBException          if the key could not be read
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public @Nullable MemorySegment get(int i) {
        long slice = slice(i);
        long size = all.get(LONG, slice + Long.BYTES);
        if (size < 0) {
            throwFailure(i);
            return null;
        }
        // One kind of segment for values that are pinned and that are not: the JIT compiler can remove it then.
        return memory.asSlice(all.get(LONG, slice), size);
    }

    /**
     * A value in a new array.
     *
     * @param i the key's number
     * @return its bytes, or null if the key is not there
     * @throws RocksDBException          if the key could not be read, or with {@link Status.Code#NOT_SUPPORTED} if the value is longer
     *                                   than an array can be
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public byte @Nullable [] array(int i) {
        MemorySegment value = get(i);
        return value == null ? null : Reads.array(value, value.byteSize());
    }

    /**
     * All values in new arrays.
     *
     * @return a new list with a value, or null, for each key
     * @throws RocksDBException if any key could not be read
     */
    public List<byte @Nullable []> toList() {
        int size = size();
        List<byte @Nullable []> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            list.add(array(i));
        }
        return list;
    }

    /**
     * Why a key could not be read.
     *
     * @param i the key's number
     * @return a new exception, or null if nothing is wrong with it: it has a value or is not there
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public @Nullable RocksDBException error(int i) {
        slice(i);
        Status failure = pins.failure(i);
        return failure == null ? null : new RocksDBException(failure);
    }

    /**
     * How many bytes all values have together.
     *
     * @return bytes; if more than the caller's memory has, nothing was copied to it
     */
    public long bytes() {
        requireOpen();
        return pins.bytes();
    }

    /**
     * Whether the values are pinned in RocksDB's memory.
     *
     * @return false if they were copied, into the caller's memory or because the pin budget is used up
     */
    public boolean isPinned() {
        requireOpen();
        return pins.isLeased();
    }

    /**
     * Unpins the values. Does nothing if it was done before.
     *
     * @throws WrongThreadException if another thread executed the request
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        // First, so that nobody reads what is about to be unpinned; also what keeps other threads from closing.
        arena.close();
        isClosed = true;
        if (tracker != null) {
            tracker.close();
        }
        pins.release();
    }

    private long slice(int i) {
        requireOpen();
        return pins.sliceAddress(Objects.checkIndex(i, count));
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("The " + pins.valuesName() + " are closed");
        }
    }

    private void throwFailure(int i) {
        RocksDBException failure = error(i);
        if (failure != null) {
            throw failure;
        }
    }
}
