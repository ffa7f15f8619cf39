package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * What a scratch hands out beyond its slab. Straight from malloc, because an arena would clear the memory first, which for a
 * large value costs as much as copying it.
 */
final class Overflow {
    private static final MethodHandle MALLOC = NativeCalls.linkLibc("malloc",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = NativeCalls.linkLibc("free",
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    /** Ends the segments when the scratch closes, so that using one too late throws. */
    private final Arena arena = Arena.ofConfined();
    private final List<Long> blocks = new ArrayList<>(2);

    MemorySegment allocate(long size, long alignment) {
        long address;
        try {
            address = (long) MALLOC.invokeExact(Math.addExact(Math.max(size, 1), alignment));
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
        if (address == 0) {
            throw new OutOfMemoryError("malloc found no " + size + " bytes for the duration of a native call");
        }
        blocks.add(address);
        return NativeCalls.view((address + alignment - 1) & -alignment, size, arena);
    }

    void free() {
        arena.close();
        for (long block : blocks) {
            try {
                FREE.invokeExact(block);
            } catch (Throwable e) {
                throw NativeCalls.unexpected(e);
            }
        }
    }
}
