package dev.outcrop.rocksdb.capi;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeLibraries;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;

/** Links the functions of {@link CApi} to RocksDB's library, each when it is first called. */
public final class Linkage {

    private static final Linker.Option[] PLAIN = {};
    private static final Linker.Option[] CRITICAL = {Linker.Option.critical(false)};

    private static final AtomicInteger LINKED = new AtomicInteger();

    private Linkage() {
    }

    /**
     * The method handle that calls a function.
     *
     * @param critical whether the function is so short that the JVM need not be able to stop the thread in it
     * @throws UnsatisfiedLinkError if the library has no such function
     */
    static MethodHandle link(String function, FunctionDescriptor descriptor, boolean critical) {
        MethodHandle handle = NativeCalls.link(address(function), descriptor, critical ? CRITICAL : PLAIN);
        LINKED.incrementAndGet();
        return handle;
    }

    /**
     * Links functions now instead of when they are first called: for those that free something, and may be called when there is no
     * memory left to link them.
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

    /** Where a function is in the library. */
    static MemorySegment address(String function) {
        return NativeLibraries.rocksdb().find(function)
                .orElseThrow(() -> new UnsatisfiedLinkError("The RocksDB library " + NativeLibraries.rocksdbPath()
                        + " has no function " + function + ". This binding was made for RocksDB "
                        + CConstants.ROCKSDB_VERSION
                        + ": use the library in dev.outcrop:outcrop-rocksdb-natives, or set"
                        + " -Doutcrop.rocksdb.library to one of that version."));
    }

    /** How many functions have been linked so far; opening a database must not link them all. */
    static int linked() {
        return LINKED.get();
    }
}
