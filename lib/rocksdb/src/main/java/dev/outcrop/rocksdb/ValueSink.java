package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * Takes the value that a callback makes, as native memory, which RocksDB copies once. Usable only by the thread that RocksDB called,
 * until the callback returns.
 */
public final class ValueSink {
    /** See {@link ApiCall#requireSize}. */
    static final long LARGEST = ApiCall.LONGEST_ENTRY;

    private final LongUnaryOperator memory;
    private final Arena call;
    private final Thread owner = Thread.currentThread();
    private long address;
    private long size = -1;

    /**
     * @param memory gives the address of so many bytes; asked once
     * @param call   closed when the callback returns
     */
    ValueSink(LongUnaryOperator memory, Arena call) {
        this.memory = memory;
        this.call = call;
    }

    /**
     * Makes the new value, which the caller must write. There can be only one new value.
     *
     * @param size how many bytes the value has
     * @return {@code size} bytes of native memory, not cleared, until the callback returns
     * @throws IllegalArgumentException if {@code size} is negative, or greater than 3 GiB, the longest value that RocksDB stores
     *                                  safely
     * @throws IllegalStateException    if there is a new value already, or the callback has returned
     * @throws WrongThreadException     if another thread calls
     * @throws OutOfMemoryError         if there is not enough memory
     */
    public MemorySegment allocate(long size) {
        requireUsable();
        if (size < 0 || size > LARGEST) {
            throw new IllegalArgumentException("A value can have 0 to " + LARGEST + " bytes, not " + size);
        }
        address = memory.applyAsLong(size);
        this.size = size;
        return NativeCalls.view(address, size, call);
    }

    /**
     * Makes the new value from these bytes.
     *
     * @param value any readable segment, for example the old value or an operand
     * @throws IllegalArgumentException if it has more than 3 GiB
     * @throws IllegalStateException    if there is a new value already, or the callback has returned
     * @throws WrongThreadException     if another thread calls
     */
    public void write(MemorySegment value) {
        allocate(value.byteSize()).copyFrom(value);
    }

    /**
     * Makes the new value from these bytes.
     *
     * @param value the bytes
     * @throws IllegalStateException if there is a new value already, or the callback has returned
     * @throws WrongThreadException  if another thread calls
     */
    public void write(byte[] value) {
        write(MemorySegment.ofArray(Objects.requireNonNull(value, "value")));
    }

    boolean isSet() {
        return size >= 0;
    }

    long address() {
        return address;
    }

    long size() {
        return size;
    }

    private void requireUsable() {
        if (!owner.equals(Thread.currentThread())) {
            throw new WrongThreadException("A value sink belongs to the thread of its callback, " + owner);
        }
        if (!call.scope().isAlive()) {
            throw new IllegalStateException("The callback that this value sink belonged to has returned");
        }
        if (isSet()) {
            throw new IllegalStateException("The callback has made its new value already, of " + size + " bytes");
        }
    }
}
