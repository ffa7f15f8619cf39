package dev.outcrop.memory;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Memory of the C library. It is not cleared, and a thread may free memory that another thread allocated. */
final class Malloc {
    private static final MethodHandle MALLOC = NativeCalls.linkLibc("malloc",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = NativeCalls.linkLibc("free",
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    private Malloc() {
    }

    /** Allocates bytes, aligned to 16. */
    static long allocate(long bytes) {
        long address;
        try {
            address = (long) MALLOC.invokeExact(Math.max(bytes, 1));
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
        if (address == 0) {
            throw new OutOfMemoryError("malloc found no " + bytes + " bytes of native memory");
        }
        return address;
    }

    static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }
}
