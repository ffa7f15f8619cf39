package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;

/**
 * The only place where Outcrop asks the JDK for restricted operations: linking a function, making a callback and giving a raw
 * address a size. One module therefore needs native access, and one message says so when it is missing.
 *
 * <p>All methods are thread-safe.
 */
@SuppressWarnings("restricted") // this class is where restricted methods are called, and checks that they are allowed
public final class NativeCalls {
    private static final Linker LINKER = Linker.nativeLinker();

    private NativeCalls() {
    }

    /**
     * Whether native access is enabled for this module; without it, what needs it throws.
     *
     * @return the same for the life of the JVM
     */
    public static boolean isEnabled() {
        return NativeAccess.isEnabled();
    }

    /**
     * Checks that the JVM allows Outcrop to call native code. Everything here checks by itself; calling this first gives a clean
     * exception where otherwise a class would fail to initialize.
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
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
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
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the C library of this platform has no such function
     */
    public static MethodHandle linkLibc(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        NativeAccess.require();
        MemorySegment symbol = LINKER.defaultLookup().find(name).orElseThrow(() -> new UnsatisfiedLinkError(
                "The C library of this platform (" + System.getProperty("os.name") + ") has no function " + name));
        return LINKER.downcallHandle(symbol, descriptor, options);
    }

    /**
     * Makes a C function pointer out of a Java method. An exception that leaves the target ends the JVM, so the target must
     * catch everything.
     *
     * @param target     the method to call
     * @param descriptor the C signature of the callback
     * @param arena      how long the function pointer lives
     * @return the function pointer
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static MemorySegment callback(MethodHandle target, FunctionDescriptor descriptor, Arena arena) {
        NativeAccess.require();
        return LINKER.upcallStub(target, descriptor, arena);
    }

    /**
     * Gives a raw address a size and a lifetime. The caller vouches for both: nothing checks that the memory is there.
     *
     * @param address where the memory starts
     * @param size    its length in bytes
     * @param arena   the arena whose closing makes the segment unusable; closing it does not free the memory
     * @return a native segment of {@code size} bytes
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static MemorySegment view(long address, long size, Arena arena) {
        NativeAccess.require();
        return MemorySegment.ofAddress(address).reinterpret(size, arena, null);
    }

    /**
     * Gives a raw address a size and a lifetime, for reading only.
     *
     * @param address where the memory starts
     * @param size    its length in bytes
     * @param arena   the arena whose closing makes the segment unusable; closing it does not free the memory
     * @return a read-only native segment of {@code size} bytes
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static MemorySegment readOnlyView(long address, long size, Arena arena) {
        NativeAccess.require();
        // A slice of all memory is read-only already, which saves one of three objects.
        return ReadOnly.MEMORY.asSlice(address, 0).reinterpret(size, arena, null);
    }

    /**
     * All native memory, by address, for reading only. Several views that end together are made fastest as slices of this. The caller
     * vouches for what it slices: nothing checks that the memory is there.
     *
     * @param arena the arena whose closing makes the segment and its slices unusable
     * @return a read-only native segment that begins at address 0
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static MemorySegment readOnlyMemory(Arena arena) {
        NativeAccess.require();
        return ReadOnly.MEMORY.reinterpret(arena, null);
    }

    /**
     * Gives a raw address a size, for memory that lives as long as the process or whose lifetime the caller guards otherwise.
     *
     * @param address where the memory starts
     * @param size    its length in bytes
     * @return a native segment of {@code size} bytes that any thread may use at any time
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static MemorySegment view(long address, long size) {
        NativeAccess.require();
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    /**
     * Reads 8 bytes of native memory. The caller vouches for the address: nothing checks that the memory is there.
     *
     * @param address a multiple of 8
     * @return what stands there
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static long readLong(long address) {
        NativeAccess.require();
        return ReadOnly.MEMORY.get(ValueLayout.JAVA_LONG, address);
    }

    /**
     * Writes 8 bytes of native memory, without an object for where they are. The caller vouches for the address: nothing checks that the
     * memory is there.
     *
     * @param address a multiple of 8
     * @param value   what is to stand there
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static void writeLong(long address, long value) {
        NativeAccess.require();
        Writable.MEMORY.set(ValueLayout.JAVA_LONG, address, value);
    }

    /**
     * Writes a byte of native memory, without an object for where it is. The caller vouches for the address: nothing checks that the memory
     * is there.
     *
     * @param address where it stands
     * @param value   what is to stand there
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static void writeByte(long address, byte value) {
        NativeAccess.require();
        Writable.MEMORY.set(ValueLayout.JAVA_BYTE, address, value);
    }

    /**
     * Compares native memory by its unsigned bytes; of two of which one begins with the other, the shorter one comes first. Makes no
     * object. The caller vouches for the addresses: nothing checks that the memory is there.
     *
     * @param a       where the first bytes start
     * @param aLength how many they are
     * @param b       where the second ones start
     * @param bLength how many they are
     * @return negative if the first ones come before the second ones, 0 if they are the same, positive if they come after
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     */
    public static int compareBytes(long a, long aLength, long b, long bLength) {
        NativeAccess.require();
        long shared = Math.min(aLength, bLength);
        if (shared == 0) {
            // The address of nothing may be anything.
            return Long.compare(aLength, bLength);
        }
        long at = MemorySegment.mismatch(ReadOnly.MEMORY, a, a + shared, ReadOnly.MEMORY, b, b + shared);
        return at < 0
                ? Long.compare(aLength, bLength)
                : Byte.compareUnsigned(ReadOnly.MEMORY.get(ValueLayout.JAVA_BYTE, a + at),
                        ReadOnly.MEMORY.get(ValueLayout.JAVA_BYTE, b + at));
    }

    /**
     * Copies native memory, without an object for where it is. The caller vouches for the address: nothing checks that the memory is
     * there.
     *
     * @param address where the bytes start
     * @param size    how many they are
     * @param to      where they go, from its first byte on
     * @throws IndexOutOfBoundsException if {@code to} is too short
     * @throws IllegalStateException     if the JVM was started without native access for Outcrop, or the arena of {@code to} is closed
     */
    public static void copy(long address, long size, MemorySegment to) {
        NativeAccess.require();
        MemorySegment.copy(ReadOnly.MEMORY, address, to, 0, size);
    }

    /**
     * Fills an array with the first bytes of native memory, as fast as this machine can.
     *
     * @param from at least as long as the array
     * @param to   where the bytes go; all of it is overwritten
     * @throws IndexOutOfBoundsException if {@code from} is too short
     * @throws IllegalStateException     if the JVM was started without native access for Outcrop, or the arena of {@code from} is closed
     * @throws WrongThreadException      if {@code from} is confined to another thread
     */
    public static void copy(MemorySegment from, byte[] to) {
        // The JDK survives reading behind the end of a mapped file that was cut off, the C library does not.
        if (to.length < LargeCopies.LEAST || to.length > LargeCopies.MOST || from.isMapped()) {
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, to, 0, to.length);
        } else {
            Objects.checkFromIndexSize(0, to.length, from.byteSize());
            LargeCopies.copy(from, to);
        }
    }

    /**
     * Turns what {@link MethodHandle#invokeExact} declares into what it can throw.
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

    /** With the C library's function, which is some 5 % faster than the JDK's for arrays of these lengths. */
    private static final class LargeCopies {
        private static final int LEAST = 32 << 10;
        /** While it runs the garbage collector has to wait. */
        private static final int MOST = 1 << 20;

        private static final MethodHandle MEMCPY = linkLibc("memcpy",
                FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG),
                Linker.Option.critical(true));

        private static void copy(MemorySegment from, byte[] to) {
            try {
                long _ = (long) MEMCPY.invokeExact(MemorySegment.ofArray(to), from, (long) to.length);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }
    }
}
