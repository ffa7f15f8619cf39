package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;

/** RocksDB's slice: an address and a size, followed by the bytes. Options and iterators share a slice, with a reference count. */
final class NativeSlice {

    /** An address and a size. */
    static final int HEADER = 2 * Long.BYTES;

    private static final MethodHandle MALLOC = NativeCalls.linkLibc("malloc",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = NativeCalls.linkLibc("free",
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    final long address;
    private final AtomicInteger owners = new AtomicInteger(1);

    /** Copies bytes. The caller is the first owner of the slice. */
    NativeSlice(byte[] bytes) {
        address = allocate(bytes, 0, bytes.length);
    }

    /** Adds an owner, unless the slice was freed. */
    boolean retain() {
        int now = owners.get();
        while (now > 0) {
            if (owners.compareAndSet(now, now + 1)) {
                return true;
            }
            now = owners.get();
        }
        return false;
    }

    void release() {
        if (owners.decrementAndGet() == 0) {
            free(address);
        }
    }

    byte[] bytes() {
        return bytes(address);
    }

    /** Copies the bytes of the slice at an address. */
    static byte[] bytes(long address) {
        return NativeValues.bytes(NativeCalls.readLong(address), size(address));
    }

    static long size(long address) {
        return NativeCalls.readLong(address + Long.BYTES);
    }

    /** Sets data and size of the slice at an address. */
    static void set(long address, long data, long size) {
        NativeCalls.writeLong(address, data);
        NativeCalls.writeLong(address + Long.BYTES, size);
    }

    /** Allocates a slice with a copy of bytes. */
    static long allocate(byte[] bytes, int offset, int length) {
        long address = allocate(length);
        fill(NativeCalls.view(address, HEADER + (long) length), bytes, offset, length);
        return address;
    }

    /** Writes a slice with its bytes. */
    static void fill(MemorySegment memory, byte[] bytes, int offset, int length) {
        memory.set(ValueLayout.JAVA_LONG, 0, memory.address() + HEADER);
        memory.set(ValueLayout.JAVA_LONG, Long.BYTES, length);
        MemorySegment.copy(bytes, offset, memory, ValueLayout.JAVA_BYTE, HEADER, length);
    }

    /** Allocates memory for a slice and its bytes. */
    static long allocate(int room) {
        long address;
        try {
            address = (long) MALLOC.invokeExact(HEADER + (long) room);
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
        if (address == 0) {
            throw new OutOfMemoryError("malloc found no memory for a slice of " + room + " bytes");
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
