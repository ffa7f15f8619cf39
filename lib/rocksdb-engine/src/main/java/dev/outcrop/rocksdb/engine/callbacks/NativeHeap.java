package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** Memory of the C library that RocksDB allocates or frees. */
public final class NativeHeap {
    private NativeHeap() {
    }

    private static final class Malloc {
        private static final MethodHandle CALL = NativeCalls.linkLibc("malloc",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    }

    /** Frees memory from RocksDB or from this class. Does nothing for 0. */
    public static void free(long address) {
        CApi.rocksdb_free(address);
    }

    /** Allocates bytes; returns their address. */
    public static long allocate(long size) {
        long address = tryAllocate(size);
        if (address == 0) {
            throw new OutOfMemoryError("There are no " + size + " bytes of native memory");
        }
        return address;
    }

    /** Allocates a C string. */
    public static long string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long address = allocate(bytes.length + 1L);
        MemorySegment string = NativeCalls.view(address, bytes.length + 1L);
        MemorySegment.copy(bytes, 0, string, ValueLayout.JAVA_BYTE, 0, bytes.length);
        string.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
        return address;
    }

    /** Returns whether this many bytes can be allocated now. */
    public static boolean hasRoom(long size) {
        long address = tryAllocate(size);
        free(address);
        return address != 0;
    }

    private static long tryAllocate(long size) {
        try {
            return (long) Malloc.CALL.invokeExact(Math.max(size, 1));
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }
}
