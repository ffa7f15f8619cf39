package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The only class in which Outcrop calls the JDK's restricted methods, which link a function, make a callback or give a raw address a size.
 * So only one module needs native access, and one message says when it is missing.
 *
 * <p>All methods are thread-safe, and throw {@link IllegalStateException} if the JVM was started without native access for Outcrop. The
 * caller vouches for every address: no method checks that the memory is there.
 */
@SuppressWarnings("restricted") // this class is where restricted methods are called, and checks that they are allowed
public final class NativeCalls {
    private static final Linker LINKER = Linker.nativeLinker();

    private NativeCalls() {
    }

    /**
     * Returns whether native access is enabled for this module.
     *
     * @return the same for the life of the JVM
     */
    public static boolean isEnabled() {
        return NativeAccess.isEnabled();
    }

    /**
     * Checks that the JVM allows Outcrop to call native code. Without the check, a class would fail to initialize.
     *
     * @throws IllegalStateException if it does not, with the flag to set
     */
    public static void requireAccess() {
        NativeAccess.require();
    }

    /**
     * Links a native function. Keep the result in a {@code static final} field: only there can the JIT compiler inline the call.
     *
     * @param symbol     the function's address
     * @param descriptor its C signature
     * @param options    linker options, such as {@link Linker.Option#critical(boolean)} for tiny functions that never block
     * @return a handle that calls the function
     */
    public static MethodHandle link(MemorySegment symbol, FunctionDescriptor descriptor, Linker.Option... options) {
        NativeAccess.require();
        return LINKER.downcallHandle(symbol, descriptor, options);
    }

    /**
     * Links a function of the C library, such as {@code fdatasync}.
     *
     * @param name       the function's name
     * @param descriptor its C signature
     * @param options    linker options
     * @return a handle that calls the function
     * @throws UnsatisfiedLinkError  if the C library of this platform has no such function
     */
    public static MethodHandle linkLibc(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        NativeAccess.require();
        MemorySegment symbol = LINKER.defaultLookup().find(name).orElseThrow(() -> new UnsatisfiedLinkError(
                "The C library of this platform (" + System.getProperty("os.name") + ") has no function " + name));
        return LINKER.downcallHandle(symbol, descriptor, options);
    }

    /**
     * Makes a C function pointer to a Java method. An exception that leaves the target ends the JVM, so the target must catch all
     * exceptions.
     *
     * @param target     the method to call
     * @param descriptor the C signature of the callback
     * @param arena      how long the function pointer lives
     * @return the function pointer
     */
    public static MemorySegment callback(MethodHandle target, FunctionDescriptor descriptor, Arena arena) {
        NativeAccess.require();
        return LINKER.upcallStub(target, descriptor, arena);
    }

    /**
     * Gives a raw address a size and a lifetime.
     *
     * @param address of the first byte
     * @param size    its length in bytes
     * @param arena   the arena whose closing makes the segment unusable; closing it does not free the memory
     * @return a native segment of {@code size} bytes
     */
    public static MemorySegment view(long address, long size, Arena arena) {
        NativeAccess.require();
        return MemorySegment.ofAddress(address).reinterpret(size, arena, null);
    }

    /**
     * Gives a raw address a size and a lifetime, for reading only.
     *
     * @param address of the first byte
     * @param size    its length in bytes
     * @param arena   the arena whose closing makes the segment unusable; closing it does not free the memory
     * @return a read-only native segment of {@code size} bytes
     */
    public static MemorySegment readOnlyView(long address, long size, Arena arena) {
        NativeAccess.require();
        // A slice of all memory is read-only already, so this makes two objects instead of three.
        return ReadOnly.MEMORY.asSlice(address, 0).reinterpret(size, arena, null);
    }

    /**
     * Returns all native memory, by address, for reading only. Slices of it are the fastest way to make several views that end together.
     *
     * @param arena the arena whose closing makes the segment and its slices unusable
     * @return a read-only native segment that begins at address 0
     */
    public static MemorySegment readOnlyMemory(Arena arena) {
        NativeAccess.require();
        return ReadOnly.MEMORY.reinterpret(arena, null);
    }

    /**
     * Gives a raw address a size, for memory that lives as long as the process or that the caller guards otherwise.
     *
     * @param address of the first byte
     * @param size    its length in bytes
     * @return a native segment of {@code size} bytes that any thread may use at any time
     */
    public static MemorySegment view(long address, long size) {
        NativeAccess.require();
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    /**
     * Reads 8 bytes of native memory.
     *
     * @param address a multiple of 8
     * @return the bytes
     */
    public static long readLong(long address) {
        NativeAccess.require();
        return ReadOnly.MEMORY.get(ValueLayout.JAVA_LONG, address);
    }

    /**
     * Writes 8 bytes of native memory, without an object for their place.
     *
     * @param address a multiple of 8
     * @param value   the bytes
     */
    public static void writeLong(long address, long value) {
        NativeAccess.require();
        Writable.MEMORY.set(ValueLayout.JAVA_LONG, address, value);
    }

    /**
     * Writes a byte of native memory, without an object for its place.
     *
     * @param address of the byte
     * @param value   the byte
     */
    public static void writeByte(long address, byte value) {
        NativeAccess.require();
        Writable.MEMORY.set(ValueLayout.JAVA_BYTE, address, value);
    }

    /**
     * Compares native memory by its unsigned bytes, a prefix first. Makes no object.
     *
     * @param a       address of the first bytes
     * @param aLength their number
     * @param b       address of the second bytes
     * @param bLength their number
     * @return negative if the first bytes come before the second ones, 0 if they are the same, positive if they come after
     */
    public static int compareBytes(long a, long aLength, long b, long bLength) {
        NativeAccess.require();
        long shared = Math.min(aLength, bLength);
        if (shared <= 0) {
            // An empty range may have any address. RocksDB passes lengths below 0 if a comparator has broken its order.
            return Long.compare(aLength, bLength);
        }
        long at = MemorySegment.mismatch(ReadOnly.MEMORY, a, a + shared, ReadOnly.MEMORY, b, b + shared);
        return at < 0
                ? Long.compare(aLength, bLength)
                : Byte.compareUnsigned(ReadOnly.MEMORY.get(ValueLayout.JAVA_BYTE, a + at),
                        ReadOnly.MEMORY.get(ValueLayout.JAVA_BYTE, b + at));
    }

    /**
     * Copies native memory, without an object for its place.
     *
     * @param address of the first byte
     * @param size    number of bytes
     * @param to      receives them, from its first byte on
     * @throws IndexOutOfBoundsException if {@code to} is too short
     * @throws IllegalStateException     if the arena of {@code to} is closed
     */
    public static void copy(long address, long size, MemorySegment to) {
        NativeAccess.require();
        MemorySegment.copy(ReadOnly.MEMORY, address, to, 0, size);
    }

    /**
     * Turns the {@link Throwable} that {@link MethodHandle#invokeExact} declares into an exception that it can throw.
     *
     * @param e caught around a native call
     * @return never normally
     */
    public static RuntimeException unexpected(Throwable e) {
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (e instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException("A native call threw a checked exception", e);
    }

    /** Made when first needed, because making it needs native access. */
    private static final class Writable {
        private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** Made when first needed, because making it needs native access. */
    private static final class ReadOnly {
        private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE).asReadOnly();
    }
}
