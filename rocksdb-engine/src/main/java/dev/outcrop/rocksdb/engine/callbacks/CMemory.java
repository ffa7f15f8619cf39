package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** Memory of the C library, for what RocksDB frees. */
public final class CMemory {
    private CMemory() {
    }

    /** Linked when it is first used. */
    private static final class Malloc {
        private static final MethodHandle CALL = NativeCalls.linkLibc("malloc",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    }

    /** Frees memory that RocksDB or this class has allocated; 0 is none. */
    public static void free(long address) {
        CApi.rocksdb_free(address);
    }

    /** The address of so many bytes. */
    public static long allocate(long size) {
        long address = tryAllocate(size);
        if (address == 0) {
            throw new OutOfMemoryError("There are no " + size + " bytes of native memory");
        }
        return address;
    }

    /** A text as C has it: in UTF-8, ended by a zero byte. */
    public static long string(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long address = allocate(bytes.length + 1L);
        MemorySegment string = NativeCalls.view(address, bytes.length + 1L);
        MemorySegment.copy(bytes, 0, string, ValueLayout.JAVA_BYTE, 0, bytes.length);
        string.set(ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
        return address;
    }

    /** Whether so many bytes can be taken at this moment. */
    public static boolean isThere(long size) {
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
