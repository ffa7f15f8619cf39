package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Two buffers of a thread that pass keys to a comparator. It takes less time to copy a key than to make and collect a buffer for it. */
final class KeyBuffers {

    /** The size of the longest key that is copied. */
    private static final int BYTES = 256;

    private static final ThreadLocal<KeyBuffers> OF_THREAD = new ThreadLocal<>();

    private final ByteBuffer first;
    private final ByteBuffer second;
    private final MemorySegment firstMemory;
    private final MemorySegment secondMemory;
    private boolean isShown;

    private KeyBuffers() {
        ByteBuffer both = ByteBuffer.allocateDirect(2 * BYTES);
        first = both.slice(0, BYTES).asReadOnlyBuffer();
        second = both.slice(BYTES, BYTES).asReadOnlyBuffer();
        firstMemory = MemorySegment.ofBuffer(both.slice(0, BYTES));
        secondMemory = MemorySegment.ofBuffer(both.slice(BYTES, BYTES));
    }

    /** Returns the buffers of this thread, for immediate use. Returns null if keys of these lengths must not be copied. */
    static KeyBuffers take(long length, long otherLength) {
        if (length > BYTES || otherLength > BYTES) {
            return null;
        }
        KeyBuffers buffers = OF_THREAD.get();
        if (buffers == null) {
            try {
                buffers = new KeyBuffers();
                OF_THREAD.set(buffers);
            } catch (OutOfMemoryError e) {
                return null;
            }
        }
        // A comparator inside another one would overwrite its keys.
        return buffers.isShown ? null : buffers;
    }

    /** Compares keys of the lengths that were passed to {@link #take}. */
    int compare(AbstractComparator comparator, long a, long aLength, long b, long bLength) {
        isShown = true;
        try {
            return comparator.compare(show(a, aLength, firstMemory, first), show(b, bLength, secondMemory, second));
        } finally {
            isShown = false;
        }
    }

    private static ByteBuffer show(long key, long length, MemorySegment memory, ByteBuffer buffer) {
        MemorySegment.copy(NativeCalls.view(key, length), 0, memory, 0, length);
        // This undoes changes that the comparator has made.
        return buffer.clear().limit((int) length).order(ByteOrder.BIG_ENDIAN);
    }
}
