package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A slice as RocksDB has it, an address and a size, with its bytes behind it in one piece of memory. Options and iterators share it:
 * the last owner that lets it go frees it.
 */
final class NativeSlice {

    /** An address and a size. */
    static final int HEADER = 2 * Long.BYTES;

    private static final MethodHandle MALLOC = NativeCalls.linkLibc("malloc",
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = NativeCalls.linkLibc("free",
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    final long address;
    private final AtomicInteger owners = new AtomicInteger(1);

    /** Copies the bytes; the caller is the first owner. */
    NativeSlice(byte[] bytes) {
        address = allocate(bytes, 0, bytes.length);
    }

    /** Adds an owner, unless the last one has gone. */
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

    /** A copy of what the slice at an address refers to. */
    static byte[] bytes(long address) {
        return Natives.bytes(NativeCalls.readLong(address), size(address));
    }

    static long size(long address) {
        return NativeCalls.readLong(address + Long.BYTES);
    }

    /** Makes the slice at an address refer to other bytes. */
    static void set(long address, long data, long size) {
        NativeCalls.writeLong(address, data);
        NativeCalls.writeLong(address + Long.BYTES, size);
    }

    /** A slice with a copy of the bytes; its owner frees it. */
    static long allocate(byte[] bytes, int offset, int length) {
        long address = allocate(length);
        fill(NativeCalls.view(address, HEADER + (long) length), bytes, offset, length);
        return address;
    }

    /** Writes a slice, and its bytes behind it. */
    static void fill(MemorySegment memory, byte[] bytes, int offset, int length) {
        memory.set(ValueLayout.JAVA_LONG, 0, memory.address() + HEADER);
        memory.set(ValueLayout.JAVA_LONG, Long.BYTES, length);
        MemorySegment.copy(bytes, offset, memory, ValueLayout.JAVA_BYTE, HEADER, length);
    }

    /** Memory for a slice, with room for bytes behind it. */
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
