package dev.outcrop.rocksdb.engine.capi;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;

/** Links each function of {@link CApi} to RocksDB's library when the function is first called. */
public final class Linkage {

    private static final Linker.Option[] PLAIN = {};
    private static final Linker.Option[] CRITICAL = {Linker.Option.critical(false)};

    private static final MethodHandle AGAIN = again();
    private static final AtomicInteger LINKED = new AtomicInteger();

    private Linkage() {
    }

    /**
     * Returns the method handle of a function.
     *
     * @param critical whether the function is so short that the JVM need not be able to stop the thread inside it
     * @return the handle. If the function cannot be linked, the handle throws the reason each time: an error in the initializer of a class
     *         would be thrown only once
     */
    static MethodHandle link(String function, FunctionDescriptor descriptor, boolean critical) {
        try {
            MethodHandle handle = NativeCalls.link(address(function), descriptor, critical ? CRITICAL : PLAIN);
            LINKED.incrementAndGet();
            return handle;
        } catch (UnsatisfiedLinkError | IllegalStateException e) {
            MethodType type = descriptor.toMethodType();
            return MethodHandles.dropArguments(MethodHandles.filterArguments(
                    MethodHandles.throwException(type.returnType(), UnsatisfiedLinkError.class), 0, AGAIN).bindTo(e), 0,
                    type.parameterList());
        }
    }

    private static MethodHandle again() {
        try {
            return MethodHandles.lookup().findStatic(Linkage.class, "again",
                    MethodType.methodType(UnsatisfiedLinkError.class, Throwable.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Makes a new error with the stack trace of the call. */
    @SuppressWarnings("UnusedMethod") // AGAIN calls it
    private static UnsatisfiedLinkError again(Throwable first) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(first.getMessage());
        error.initCause(first);
        return error;
    }

    /**
     * Links functions now instead of at their first call: functions that free memory may be called when no memory is left to link them.
     *
     * @param functions their names
     */
    public static void linkNow(String... functions) {
        for (String function : functions) {
            try {
                Class.forName(CApi.class.getName() + "$" + function, true, CApi.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException("The C API has no function " + function, e);
            }
        }
    }

    /** Returns the address of a function in the library. */
    static MemorySegment address(String function) {
        return NativeLibraries.rocksdb().find(function)
                .orElseThrow(() -> new UnsatisfiedLinkError("The RocksDB library " + NativeLibraries.rocksdbPath()
                        + " has no function " + function + ". This binding was made for RocksDB "
                        + CConstants.ROCKSDB_VERSION
                        + ": use the library in dev.outcrop:outcrop-rocksdb-natives, or set"
                        + " -Doutcrop.rocksdb.library to one of that version."));
    }

    /** Returns how many functions have been linked so far. */
    static int linked() {
        return LINKED.get();
    }
}
