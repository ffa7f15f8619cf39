package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What a scratch hands out beyond its slab. Straight from malloc, because an arena would clear the memory first, which for a
 * large value costs as much as copying it.
 */
final class Overflow {
    /** Ends the segments when the scratch closes, so that using one too late throws. */
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
