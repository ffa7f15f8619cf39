package dev.outcrop.benchmarks.calls;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Native calls, linked by {@link NativeCalls} or by the JDK's own means. Our calls take memory for the duration of a call from
 * {@link Scratch}. The JDK's calls take it from an arena for the call, as the JDK's documentation shows.
 */
@State(Scope.Thread)
public class Calls {
    /** {@code long labs(long)}: a call and nothing else. */
    private static final String NOOP = "labs";
    private static final FunctionDescriptor NOOP_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);

    /** {@code double frexp(double, int *exponent)}: one out-parameter. */
    private static final String OUT_POINTER = "frexp";
    private static final FunctionDescriptor OUT_POINTER_TYPE = FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE, ADDRESS);

    /** {@code ldiv_t ldiv(long, long)}: a struct of two registers, returned by value. */
    private static final String STRUCT = "ldiv";
    private static final StructLayout STRUCT_LAYOUT = MemoryLayout.structLayout(JAVA_LONG.withName("quot"),
            JAVA_LONG.withName("rem"));
    private static final FunctionDescriptor STRUCT_TYPE = FunctionDescriptor.of(STRUCT_LAYOUT, JAVA_LONG, JAVA_LONG);

    /**
     * The type of the same function if it returned a {@code rocksdb_slice_t}: for the caller, a pointer and a size are the same two
     * registers. The pointer is never followed.
     */
    private static final FunctionDescriptor SLICE_TYPE = FunctionDescriptor.of(
            MemoryLayout.structLayout(ADDRESS.withName("data"), JAVA_LONG.withName("size")), JAVA_LONG, JAVA_LONG);

    /** {@code int sigaddset(sigset_t *, int)} with a signal that does not exist: sets errno to EINVAL and touches nothing. */
    private static final String ERRNO = "sigaddset";
    private static final FunctionDescriptor ERRNO_TYPE = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
    private static final int NO_SIGNAL = 0;
    /** More than the size of a {@code sigset_t} on any platform. */
    private static final long SIGNAL_SET_BYTES = 128;

    private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = CAPTURED.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final boolean IS_OURS = Settings.current(Linking.class).isOurs;
    private static final MethodHandle NOOP_CALL = link(NOOP, NOOP_TYPE);
    private static final MethodHandle NOOP_CRITICAL = link(NOOP, NOOP_TYPE, Linker.Option.critical(false));
    private static final MethodHandle OUT_POINTER_CALL = link(OUT_POINTER, OUT_POINTER_TYPE);
    private static final MethodHandle STRUCT_CALL = link(STRUCT, STRUCT_TYPE);
    private static final MethodHandle SLICE_CALL = link(STRUCT, SLICE_TYPE);
    private static final MethodHandle ERRNO_CALL = link(ERRNO, ERRNO_TYPE, Linker.Option.captureCallState("errno"));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(64, 16);
    private final SegmentAllocator reuse = SegmentAllocator.prefixAllocator(memory);
    private final MemorySegment signals = arena.allocate(SIGNAL_SET_BYTES, 16);
    private long number = 1_000_003;

    public Calls() {
        CallCase.ThreadKind.requireAsAsked();
    }

    /** Says which library links the functions in a JVM. */
    record Linking(boolean isOurs) {
    }

    // Restricted, like all native calls. This is the code of a program without a library for native calls.
    @SuppressWarnings("restricted")
    private static MethodHandle link(String name, FunctionDescriptor type, Linker.Option... options) {
        return IS_OURS
                ? NativeCalls.linkLibc(name, type, options)
                : Linker.nativeLinker().downcallHandle(Linker.nativeLinker().defaultLookup().findOrThrow(name), type,
                        options);
    }

    @TearDown
    public void close() {
        arena.close();
    }

    /** A call and nothing else. */
    @Benchmark
    public long noop() throws Throwable {
        return (long) NOOP_CALL.invokeExact(number);
    }

    /** A call that stays in the thread state of Java. */
    @Benchmark
    public long noopCritical() throws Throwable {
        return (long) NOOP_CRITICAL.invokeExact(number);
    }

    @Benchmark
    public double outPointerScratch() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment out = scratch.firstArea();
            return (double) OUT_POINTER_CALL.invokeExact((double) number, out) + out.get(JAVA_INT, 0);
        }
    }

    @Benchmark
    public double outPointerArena() throws Throwable {
        try (Arena fresh = Arena.ofConfined()) {
            MemorySegment out = fresh.allocate(JAVA_INT);
            return (double) OUT_POINTER_CALL.invokeExact((double) number, out) + out.get(JAVA_INT, 0);
        }
    }

    @Benchmark
    public double outPointerReused() throws Throwable {
        return (double) OUT_POINTER_CALL.invokeExact((double) number, memory) + memory.get(JAVA_INT, 0);
    }

    @Benchmark
    public long structScratch() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment struct = (MemorySegment) STRUCT_CALL.invokeExact(scratch.forStruct(), number, 10L);
            return struct.get(JAVA_LONG, 0) + struct.get(JAVA_LONG, 8);
        }
    }

    @Benchmark
    public long structArena() throws Throwable {
        try (Arena fresh = Arena.ofConfined()) {
            MemorySegment struct = (MemorySegment) STRUCT_CALL.invokeExact((SegmentAllocator) fresh, number, 10L);
            return struct.get(JAVA_LONG, 0) + struct.get(JAVA_LONG, 8);
        }
    }

    @Benchmark
    public long structReused() throws Throwable {
        MemorySegment struct = (MemorySegment) STRUCT_CALL.invokeExact(reuse, number, 10L);
        return struct.get(JAVA_LONG, 0) + struct.get(JAVA_LONG, 8);
    }

    @Benchmark
    public long sliceScratch() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment slice = (MemorySegment) SLICE_CALL.invokeExact(scratch.forStruct(), number, 10L);
            return slice.get(ADDRESS, 0).address() + slice.get(JAVA_LONG, 8);
        }
    }

    @Benchmark
    public long sliceArena() throws Throwable {
        try (Arena fresh = Arena.ofConfined()) {
            MemorySegment slice = (MemorySegment) SLICE_CALL.invokeExact((SegmentAllocator) fresh, number, 10L);
            return slice.get(ADDRESS, 0).address() + slice.get(JAVA_LONG, 8);
        }
    }

    @Benchmark
    public long sliceReused() throws Throwable {
        MemorySegment slice = (MemorySegment) SLICE_CALL.invokeExact(reuse, number, 10L);
        return slice.get(ADDRESS, 0).address() + slice.get(JAVA_LONG, 8);
    }

    @Benchmark
    public int errnoScratch() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment captured = scratch.firstArea();
            return (int) ERRNO_CALL.invokeExact(captured, signals, NO_SIGNAL) + captured.get(JAVA_INT, ERRNO_OFFSET);
        }
    }

    @Benchmark
    public int errnoArena() throws Throwable {
        try (Arena fresh = Arena.ofConfined()) {
            MemorySegment captured = fresh.allocate(CAPTURED);
            return (int) ERRNO_CALL.invokeExact(captured, signals, NO_SIGNAL) + captured.get(JAVA_INT, ERRNO_OFFSET);
        }
    }

    @Benchmark
    public int errnoReused() throws Throwable {
        return (int) ERRNO_CALL.invokeExact(memory, signals, NO_SIGNAL) + memory.get(JAVA_INT, ERRNO_OFFSET);
    }
}
