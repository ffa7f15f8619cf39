package dev.outcrop.memory;

import java.lang.foreign.MemorySegment;

/**
 * Native memory that grows as needed and keeps its content, for reusable objects that collect data for native calls. Once it is large
 * enough, it allocates nothing.
 *
 * <p>This class has no checks. The owner makes sure that only one thread at a time uses the memory, and no thread after {@link #free()},
 * for example with an {@link ExclusiveLifetime}.
 */
public final class GrowingMemory {
    private static final long FIRST_BYTES = 512;

    private MemorySegment memory = MemorySegment.NULL;

    /** Starts without any memory. */
    public GrowingMemory() {
    }

    /**
     * Returns the memory, with at least the requested size.
     *
     * @param bytes how many bytes are needed
     * @return the memory, valid until the next call with a greater size or until {@link #free()}; aligned to 16; new bytes are not cleared
     * @throws OutOfMemoryError if native memory has run out; nothing has changed then
     */
    public MemorySegment atLeast(long bytes) {
        return bytes <= memory.byteSize() ? memory : grow(bytes);
    }

    private MemorySegment grow(long bytes) {
        // Memory that is not in the field yet would never be freed.
        StackCheck.require(2 * StackCheck.RELEASE);
        NativeAccess.require();
        MemorySegment old = memory;
        long size = Math.max(bytes, Math.max(2 * old.byteSize(), FIRST_BYTES));
        MemorySegment larger = NativeCalls.view(Malloc.allocate(size), size);
        MemorySegment.copy(old, 0, larger, 0, old.byteSize());
        memory = larger;
        release(old);
        return larger;
    }

    /** Frees the memory. The object may be used again afterwards, and starts empty. */
    public void free() {
        MemorySegment old = memory;
        memory = MemorySegment.NULL;
        release(old);
    }

    private static void release(MemorySegment old) {
        if (old.byteSize() != 0) {
            Malloc.free(old.address());
        }
    }
}
