package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * A slab of scratch memory as it lies in native memory.
 *
 * <pre>
 *   0            128           2176          4224                16384
 *   +------------+-------------+-------------+------------------+
 *   | words (64) | first area  | second area | what is allocated|
 *   +------------+-------------+-------------+------------------+
 * </pre>
 *
 * The words and the two areas are places that a call can use without allocating them, which saves the Java object that an allocated
 * segment is. Slabs share no cache lines.
 */
final class ScratchLayout {
    static final long SLAB_BYTES = 16 * 1024;
    /** Processors fetch cache lines in pairs. */
    static final long ALIGNMENT = 128;
    static final int WORDS = 8;
    static final long FIRST_AREA = 128;
    static final long SECOND_AREA = FIRST_AREA + Scratch.AREA_BYTES;
    static final long ALLOCATED = SECOND_AREA + Scratch.AREA_BYTES;

    /** All of memory: it saves the bounds of each slab, and only addresses of words are used with it. */
    private static final MemorySegment MEMORY = NativeCalls.view(0, Long.MAX_VALUE);

    private ScratchLayout() {
    }

    static MemorySegment newSlab(Arena arena) {
        return arena.allocate(SLAB_BYTES, ALIGNMENT);
    }

    static long wordAddress(long slab, int index) {
        return slab + 8L * Objects.checkIndex(index, WORDS);
    }

    static long word(long slab, int index) {
        return MEMORY.get(ValueLayout.JAVA_LONG, wordAddress(slab, index));
    }

    static void word(long slab, int index, long value) {
        MEMORY.set(ValueLayout.JAVA_LONG, wordAddress(slab, index), value);
    }
}
