package dev.outcrop.rocksdb;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.PinTable;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The values that one execution of a {@link MultiGet} has read, in the order of the keys. Key {@code i} was added as number {@code i}, from
 * 0 on.
 *
 * <p>Values can be read in place, copied, or shown as segments:
 *
 * <pre>{@code
 * long id = values.get(i, ValueLayout.JAVA_LONG_UNALIGNED, 0); // in place
 * long size = values.get(i, buffer);                           // copied; like db.get(key, buffer)
 * MemorySegment value = values.get(i);                         // shown
 * }</pre>
 *
 * <p>The first two ways never make an object, regardless of the JIT compiler: this object belongs to the request, and is the same for all
 * of its executions. Segments that show pinned values need one arena per execution, and are objects themselves unless the JIT compiler
 * removes them.
 *
 * <p>A key that could not be read, for example because its block is damaged, does not affect other keys: {@link #error(int)} returns its
 * error, and every other method that is called for that key throws it as a {@link RocksDBException}.
 *
 * <p>Only the thread that executed the request may use and close the values; other threads get {@link WrongThreadException}. After {@link
 * #close()}, every method throws {@link IllegalStateException} until the request's next execution. Segments throw it permanently, except
 * segments in the caller's own memory. Close the values soon: the cache cannot evict pinned blocks, and pinned values count against {@link
 * Options#pinBudget(long)}. Beyond the budget the values are copied instead. Closing the database does not take the values away: the native
 * database waits for them.
 */
/*
 * Pinned values are read by their addresses in all of memory. Only the owner guards these reads: every access checks it first, and it is
 * set to none before anything is unpinned. A thread sees its own id there only if it wrote the id itself and has not closed since.
 */
public final class MultiGetValues implements AutoCloseable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final MemorySegment MEMORY = NativeCalls.readOnlyMemory(Arena.global());
    /** No thread has this id. */
    private static final long NO_OWNER = 0;

    private final PinTable pins;
    /** The id of the thread that executed the request, until it closes. */
    private long owner = NO_OWNER;
    private int count;
    /** The memory that slices are relative to: all of memory if the values are pinned, otherwise the memory that they were copied to. */
    private MemorySegment memory = MEMORY;
    /** The same for the segments that users see, and the arena that ends them; null while there are none. */
    private @Nullable MemorySegment shown;
    private @Nullable Arena arena;
    private LeakDetector.@Nullable Tracker tracker;

    MultiGetValues(PinTable pins) {
        this.pins = pins;
    }

    /**
     * Opens the values in the table, for the calling thread.
     *
     * @param slab where they were copied to; null if they are pinned
     */
    MultiGetValues open(@Nullable MemorySegment slab) {
        try {
            if (slab != null) {
                memory = slab;
                shown = slab;
            } else if (!pins.isWithinBudget()) {
                Arena room = Arena.ofConfined();
                arena = room;
                memory = pins.copied(room);
                shown = memory;
            }
            tracker = LeakDetector.track(this, pins.valuesName());
        } catch (Throwable e) {
            // Out of memory: nothing else would give the pins back, and the database would never be closed.
            forget();
            throw e;
        }
        count = pins.size();
        owner = Thread.currentThread().threadId();
        return this;
    }

    /**
     * Returns the number of keys that were read.
     *
     * @return the number of keys, including keys that are not there
     */
    public int size() {
        requireOpen();
        return count;
    }

    /**
     * Returns whether a key is there.
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
     * Returns the length of a value.
     *
     * @param i the key's number
     * @return bytes, or {@link KeyValueReader#NOT_FOUND}
     * @throws RocksDBException          if the key could not be read
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public long size(int i) {
        return size(i, slice(i));
    }

    private long size(int i, long slice) {
        long size = MEMORY.get(LONG, slice + Long.BYTES);
        if (size < 0) {
            throwFailure(i);
        }
        return size;
    }

    /**
     * Returns a value.
     *
     * @param i the key's number
     * @return its bytes: read-only and valid until these values are closed, or a slice of the caller's memory; null if the key is not
     *         there
     * @throws RocksDBException          if the key could not be read
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public @Nullable MemorySegment get(int i) {
        long slice = slice(i);
        long size = size(i, slice);
        return size < 0 ? null : shown().asSlice(MEMORY.get(LONG, slice), size);
    }

    /**
     * Copies a value into the caller's memory, if it fits. Makes no garbage.
     *
     * @param i      the key's number
     * @param buffer where the value goes, from its first byte on; native or a heap array
     * @return the value's size in bytes; if it is greater than {@code buffer.byteSize()}, nothing was copied;
     *         {@link KeyValueReader#NOT_FOUND} if the key is not there
     * @throws RocksDBException          if the key could not be read
     * @throws IllegalArgumentException  if the buffer is read-only
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public long get(int i, MemorySegment buffer) {
        ApiCall.requireWritable(buffer);
        long slice = slice(i);
        long size = size(i, slice);
        if (size >= 0 && size <= buffer.byteSize()) {
            MemorySegment.copy(memory, MEMORY.get(LONG, slice), buffer, 0, size);
        }
        return size;
    }

    /**
     * Returns a byte of a value, like {@link MemorySegment#get(ValueLayout.OfByte, long)}. Makes no garbage.
     *
     * @param i      the key's number
     * @param layout the layout
     * @param offset where it is in the value, from 0 on
     * @return the byte
     * @throws RocksDBException          if the key could not be read
     * @throws NoSuchElementException    if the key is not there
     * @throws IndexOutOfBoundsException if there is no such key, or its value is too short
     */
    public byte get(int i, ValueLayout.OfByte layout, long offset) {
        return memory.get(layout, place(i, offset, Byte.BYTES));
    }

    /**
     * Returns two bytes of a value as a number, like {@link MemorySegment#get(ValueLayout.OfShort, long)}. Makes no garbage.
     *
     * @param i      the key's number
     * @param layout the layout; unaligned, because values may lie anywhere
     * @param offset where they begin in the value, from 0 on
     * @return the number
     * @throws RocksDBException          if the key could not be read
     * @throws NoSuchElementException    if the key is not there
     * @throws IllegalArgumentException  if the layout needs an alignment that the bytes do not have
     * @throws IndexOutOfBoundsException if there is no such key, or its value is too short
     */
    public short get(int i, ValueLayout.OfShort layout, long offset) {
        return memory.get(layout, place(i, offset, Short.BYTES));
    }

    /**
     * Returns four bytes of a value as a number, see {@link #get(int, ValueLayout.OfShort, long)}.
     *
     * @param i      the key's number
     * @param layout the layout; unaligned, because values may lie anywhere
     * @param offset where they begin in the value, from 0 on
     * @return the number
     */
    public int get(int i, ValueLayout.OfInt layout, long offset) {
        return memory.get(layout, place(i, offset, Integer.BYTES));
    }

    /**
     * Returns eight bytes of a value as a number, see {@link #get(int, ValueLayout.OfShort, long)}.
     *
     * @param i      the key's number
     * @param layout the layout; unaligned, because values may lie anywhere
     * @param offset where they begin in the value, from 0 on
     * @return the number
     */
    public long get(int i, ValueLayout.OfLong layout, long offset) {
        return memory.get(layout, place(i, offset, Long.BYTES));
    }

    /** Returns the offset of bytes of a value in {@link #memory}. */
    private long place(int i, long offset, int bytes) {
        long slice = slice(i);
        long size = size(i, slice);
        if (size < 0) {
            throw new NoSuchElementException("Key " + i + " is not there; isFound(" + i + ") tells");
        }
        return MEMORY.get(LONG, slice) + Objects.checkFromIndexSize(offset, bytes, size);
    }

    /**
     * Returns a value in a new array.
     *
     * @param i the key's number
     * @return its bytes, or null if the key is not there
     * @throws RocksDBException          if the key could not be read, or with {@link Status.Code#NOT_SUPPORTED} if the value is longer
     *                                   than an array can be
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public byte @Nullable [] array(int i) {
        long slice = slice(i);
        long size = size(i, slice);
        return size < 0 ? null : FamilyReader.array(memory.asSlice(MEMORY.get(LONG, slice), size));
    }

    /**
     * Returns all values in new arrays.
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
     * Returns why a key could not be read.
     *
     * @param i the key's number
     * @return a new exception, or null if the key was read: it has a value or is not there
     * @throws IndexOutOfBoundsException if there is no such key
     */
    public @Nullable RocksDBException error(int i) {
        slice(i);
        NativeStatus failure = pins.failure(i);
        return failure == null ? null : new RocksDBException(Status.of(failure));
    }

    /**
     * Returns the sum of the sizes of all values.
     *
     * @return bytes; if they are more than the caller's memory has, nothing was copied to it
     */
    public long bytes() {
        requireOpen();
        return pins.bytes();
    }

    /**
     * Returns whether the values are pinned in RocksDB's memory.
     *
     * @return false if they were copied, into the caller's memory or because the pin budget is used up
     */
    public boolean isPinned() {
        requireOpen();
        return pins.isLeased();
    }

    /**
     * Unpins the values. Does nothing if they were closed before.
     *
     * @throws WrongThreadException if another thread executed the request
     */
    @Override
    public void close() {
        if (owner == NO_OWNER) {
            return;
        }
        requireOpen();
        StackCheck.require(CallbackGuard.MAKING);
        Arena ended = arena;
        if (ended != null) {
            // First, so that no thread reads memory that is about to be unpinned.
            ended.close();
            arena = null;
        }
        owner = NO_OWNER;
        forget();
    }

    /** Gives everything back; the values have no owner. */
    private void forget() {
        memory = MEMORY;
        shown = null;
        Arena room = arena;
        arena = null;
        LeakDetector.Tracker watch = tracker;
        tracker = null;
        try {
            if (room != null) {
                room.close();
            }
            if (watch != null) {
                watch.close();
            }
        } finally {
            // Last, because another thread may execute from then on.
            pins.release();
        }
    }

    private MemorySegment shown() {
        MemorySegment now = shown;
        return now != null ? now : show();
    }

    private MemorySegment show() {
        Arena made = Arena.ofConfined();
        MemorySegment all = NativeCalls.readOnlyMemory(made);
        arena = made;
        shown = all;
        return all;
    }

    private long slice(int i) {
        requireOpen();
        return pins.sliceAddress(Objects.checkIndex(i, count));
    }

    private void requireOpen() {
        if (owner != Thread.currentThread().threadId()) {
            throw refusal();
        }
    }

    private RuntimeException refusal() {
        return owner == NO_OWNER
                ? new IllegalStateException("The " + pins.valuesName() + " are closed")
                : new WrongThreadException("The " + pins.valuesName() + " belong to the thread that executed it");
    }

    private void throwFailure(int i) {
        RocksDBException failure = error(i);
        if (failure != null) {
            throw failure;
        }
    }
}
