package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for the duration of one call: out-parameters, a key, a small value, a returned struct, errno.
 *
 * <pre>{@code
 * try (Scratch scratch = Scratch.open()) {
 *     MemorySegment length = scratch.allocate(8, 8);
 *     ... = (long) handle.invokeExact(length);
 * }
 * }</pre>
 *
 * <p>In steady state a scratch allocates nothing, neither on the heap nor with malloc. The process keeps a small table of slabs (16 KiB
 * each). A thread claims the slab that its id points to, or the next free one. Closing releases the slab with everything that was allocated
 * from it. If a request does not fit into the rest of the slab, malloc serves it, and closing frees it. The table grows with the number of
 * scratches that are open at the same time, not with the number of threads, and never beyond 1,024 slabs. When all of them are taken, a
 * slab comes from malloc.
 *
 * <p>A scratch belongs to the thread that opened it, platform or virtual; a virtual thread may unmount while it holds one.
 * Scratches nest: an upcall may open one while its caller holds another. The memory is not cleared. After {@link #close()} another thread
 * may own the memory, so do not touch it. Using this object too late throws, as long as its thread has not opened another scratch. Such a
 * use never reaches the memory of calls that Outcrop makes itself, because these calls have slabs of their own.
 */
/*
 * A slab in native memory:
 *
 *   0            128           2176          4224                16384
 *   +------------+-------------+-------------+------------------+
 *   | words (64) | first area  | second area | allocated memory |
 *   +------------+-------------+-------------+------------------+
 *
 * Calls use the words and the two areas without allocating them, which saves the Java object of an allocated segment. Slabs share no cache
 * lines.
 */
public final class Scratch implements AutoCloseable, SegmentAllocator {
    /** The size of {@link #firstArea()} and {@link #secondArea()}. */
    public static final int AREA_BYTES = 2048;

    private static final long SLAB_BYTES = 16 * 1024;
    /** Processors fetch cache lines in pairs. */
    private static final long ALIGNMENT = 128;
    private static final int WORDS = 8;
    private static final long FIRST_AREA = 128;
    private static final long SECOND_AREA = FIRST_AREA + AREA_BYTES;
    private static final long ALLOCATED = SECOND_AREA + AREA_BYTES;

    private final int index;
    private final MemorySegment slab;
    private final MemorySegment firstArea;
    private final MemorySegment secondArea;
    private final long address;
    /** The memory of a slab outside the table, which is freed on close. */
    private final @Nullable Arena spare;
    private final SegmentAllocator structAllocator = this::structMemory;
    private final ScratchHolder holder = new ScratchHolder();
    /** The start of the next allocation. It is 0 before the first one, so the hottest calls need not write it. */
    private long top;
    private @Nullable MallocBlocks beyondSlab;

    /** A slab of the table, which stays. */
    Scratch(int index) {
        this(index, Arena.global(), null);
    }

    /** A slab outside the table, which is freed when it is closed. */
    Scratch(Arena spare) {
        this(-1, spare, spare);
    }

    private Scratch(int index, Arena arena, @Nullable Arena spare) {
        this.index = index;
        this.slab = arena.allocate(SLAB_BYTES, ALIGNMENT);
        this.firstArea = slab.asSlice(FIRST_AREA, AREA_BYTES);
        this.secondArea = slab.asSlice(SECOND_AREA, AREA_BYTES);
        this.address = slab.address();
        this.spare = spare;
    }

    /**
     * Claims scratch memory for the calling thread.
     *
     * @return the scratch, which the same thread must close
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static Scratch open() {
        NativeAccess.require();
        return ScratchTable.OPENED.claim(Lifetime.NONE);
    }

    /** Does the same as {@link #open()} for this module itself: the scratches of users cannot reach this memory. */
    static Scratch openForOutcrop() {
        NativeAccess.require();
        return ScratchTable.ENTERED.claim(Lifetime.NONE);
    }

    /**
     * Allocates memory that is valid until this scratch is closed. Its contents are undefined.
     *
     * @param size      bytes, not negative
     * @param alignment a power of two
     * @return a native segment of {@code size} bytes
     * @throws IllegalArgumentException if size or alignment is not as described
     * @throws IllegalStateException    if the calling thread does not hold this scratch
     * @throws OutOfMemoryError         if malloc fails for a large request
     */
    @Override
    public MemorySegment allocate(long size, long alignment) {
        if (size < 0 || alignment <= 0 || (alignment & (alignment - 1)) != 0) {
            throw badRequest(size, alignment);
        }
        requireHolder();
        long start = (Math.max(top, ALLOCATED) + alignment - 1) & -alignment;
        if (alignment > ALIGNMENT || size > SLAB_BYTES - start) {
            return allocateBeyondSlab(size, alignment);
        }
        top = start + size;
        return slab.asSlice(start, size);
    }

    /**
     * Returns the address of one of eight words of 8 bytes, for out-parameters. Words need no allocation, and so no Java object. A word
     * still has the value that its last holder left.
     *
     * @param index 0 to 7
     * @return the word's address, valid until this scratch is closed
     * @throws IndexOutOfBoundsException if there is no such word
     * @throws IllegalStateException     if the calling thread does not hold this scratch
     */
    public long wordAddress(int index) {
        requireHolder();
        return address + 8L * Objects.checkIndex(index, WORDS);
    }

    /**
     * Reads a word.
     *
     * @param index 0 to 7
     * @return its 8 bytes
     * @throws IndexOutOfBoundsException if there is no such word
     * @throws IllegalStateException     if the calling thread does not hold this scratch
     */
    public long word(int index) {
        return NativeCalls.readLong(wordAddress(index));
    }

    /**
     * Writes a word.
     *
     * @param index 0 to 7
     * @param value for its 8 bytes
     * @throws IndexOutOfBoundsException if there is no such word
     * @throws IllegalStateException     if the calling thread does not hold this scratch
     */
    public void setWord(int index, long value) {
        NativeCalls.writeLong(wordAddress(index), value);
    }

    /**
     * Returns the first of two areas of {@value #AREA_BYTES} bytes, for example for a key. Areas need no allocation.
     *
     * @return always the same segment, valid until this scratch is closed; its contents are undefined
     */
    public MemorySegment firstArea() {
        return firstArea;
    }

    /**
     * Returns the second of the two areas of {@value #AREA_BYTES} bytes, for example for a small value.
     *
     * @return always the same segment, valid until this scratch is closed; its contents are undefined
     */
    public MemorySegment secondArea() {
        return secondArea;
    }

    /**
     * Returns the allocator for a struct that a native function returns by value, such as {@code ldiv_t}. Pass it to the function's handle
     * as the first argument. The struct lies in the first area, so no object is made for it, and the next struct overwrites this one.
     *
     * @return an allocator that gives the first area for every struct that fits into it
     */
    public SegmentAllocator forStruct() {
        return structAllocator;
    }

    /**
     * Releases the memory, with everything allocated from it.
     *
     * @throws IllegalStateException if the calling thread does not hold this scratch, for example because the thread closed it before
     */
    @Override
    public void close() {
        requireHolder();
        if (top != 0) {
            freeAllocated();
        }
        // Released first, because a closer waits for it.
        holder.release();
        if (spare != null) {
            ScratchTable.closeSpare(this);
            spare.close();
        }
    }

    boolean claim(long lifetime, long threadId) {
        return holder.claim(lifetime, threadId);
    }

    boolean holds(long lifetime) {
        return holder.holds(lifetime);
    }

    boolean heldBy(long threadId) {
        return holder.heldBy(threadId);
    }

    /**
     * Returns a small number that no other open scratch has. It chooses a stripe of data that threads must not share.
     *
     * @return 0 or more; -1 for one of the rare scratches beyond the 1,024 slabs of the table
     */
    public int index() {
        return index;
    }

    private MemorySegment structMemory(long size, long alignment) {
        return size <= AREA_BYTES && alignment <= ALIGNMENT ? firstArea : allocate(size, alignment);
    }

    private MemorySegment allocateBeyondSlab(long size, long alignment) {
        MallocBlocks memory = beyondSlab;
        if (memory == null) {
            memory = new MallocBlocks();
            beyondSlab = memory;
            // Marks that memory must be freed.
            top = Math.max(top, ALLOCATED);
        }
        return memory.allocate(size, alignment);
    }

    private void freeAllocated() {
        top = 0;
        if (beyondSlab != null) {
            beyondSlab.free();
            beyondSlab = null;
        }
    }

    private void requireHolder() {
        if (!holder.heldBy(Thread.currentThread().threadId())) {
            throw notHeld();
        }
    }

    private static IllegalStateException notHeld() {
        return new IllegalStateException("This scratch memory is not held by thread " + Thread.currentThread().getName()
                + ": it was closed before, or another thread opened it. Open one with Scratch.open() in this thread.");
    }

    private static IllegalArgumentException badRequest(long size, long alignment) {
        return new IllegalArgumentException("Cannot allocate " + size + " bytes aligned to " + alignment
                + ": the size must not be negative and the alignment must be a power of two");
    }

    /** Memory beyond the slab. It comes from malloc. An arena would clear it first, which costs as much as copying a large value. */
    private static final class MallocBlocks {
        /** Ends the segments when the scratch closes: a later use of a segment throws. */
        private final Arena arena = Arena.ofConfined();
        private final List<Long> blocks = new ArrayList<>(2);

        MemorySegment allocate(long size, long alignment) {
            long address = Malloc.allocate(Math.addExact(Math.max(size, 1), alignment));
            blocks.add(address);
            return NativeCalls.view((address + alignment - 1) & -alignment, size, arena);
        }

        void free() {
            arena.close();
            blocks.forEach(Malloc::free);
        }
    }
}
