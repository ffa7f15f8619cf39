package dev.outcrop.benchmarks.calls;

import static dev.outcrop.benchmarks.calls.CFunction.ERRNO_OFFSET;
import static dev.outcrop.benchmarks.calls.CFunction.NO_SIGNAL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Native calls through Outcrop: linked by {@link NativeCalls}, with memory of the call from {@link Scratch}. */
@State(Scope.Thread)
public class OutcropCalls {
    private static final MethodHandle NOOP = NativeCalls.linkLibc(CFunction.NOOP, CFunction.NOOP_TYPE);
    private static final MethodHandle NOOP_CRITICAL = NativeCalls.linkLibc(CFunction.NOOP, CFunction.NOOP_TYPE,
            Linker.Option.critical(false));
    private static final MethodHandle OUT_POINTER = NativeCalls.linkLibc(CFunction.OUT_POINTER,
            CFunction.OUT_POINTER_TYPE);
    private static final MethodHandle STRUCT = NativeCalls.linkLibc(CFunction.STRUCT, CFunction.STRUCT_TYPE);
    private static final MethodHandle SLICE = NativeCalls.linkLibc(CFunction.STRUCT, CFunction.SLICE_TYPE);
    private static final MethodHandle ERRNO = NativeCalls.linkLibc(CFunction.ERRNO, CFunction.ERRNO_TYPE,
            Linker.Option.captureCallState("errno"));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory = arena.allocate(64, 16);
    private final SegmentAllocator reuse = SegmentAllocator.prefixAllocator(memory);
    private final MemorySegment signals = arena.allocate(CFunction.SIGNAL_SET_BYTES, 16);
    private long number = 1_000_003;

    /** Allocates what is reused. */
    public OutcropCalls() {
        ThreadKind.requireAsAsked();
    }

    /** Frees what is reused. */
    @TearDown
    public void close() {
        arena.close();
    }

    /** A call and nothing else. */
    @Benchmark
    public long noop() throws Throwable {
        return (long) NOOP.invokeExact(number);
    }

    /** A call that stays in the thread state of Java. */
    @Benchmark
    public long noopCritical() throws Throwable {
        return (long) NOOP_CRITICAL.invokeExact(number);
    }

    /** An out-parameter in scratch memory. */
    @Benchmark
    public double outPointerFresh() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment out = scratch.firstArea();
            return (double) OUT_POINTER.invokeExact((double) number, out) + out.get(JAVA_INT, 0);
        }
    }

    /** An out-parameter in memory that is kept. */
    @Benchmark
    public double outPointerReused() throws Throwable {
        return (double) OUT_POINTER.invokeExact((double) number, memory) + memory.get(JAVA_INT, 0);
    }

    /** A struct returned into scratch memory. */
    @Benchmark
    public long structFresh() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment struct = (MemorySegment) STRUCT.invokeExact(scratch.forStruct(), number, 10L);
            return struct.get(JAVA_LONG, 0) + struct.get(JAVA_LONG, 8);
        }
    }

    /** A struct returned into memory that is kept. */
    @Benchmark
    public long structReused() throws Throwable {
        MemorySegment struct = (MemorySegment) STRUCT.invokeExact(reuse, number, 10L);
        return struct.get(JAVA_LONG, 0) + struct.get(JAVA_LONG, 8);
    }

    /** A pointer and a size returned into scratch memory. */
    @Benchmark
    public long sliceFresh() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment slice = (MemorySegment) SLICE.invokeExact(scratch.forStruct(), number, 10L);
            return slice.get(ADDRESS, 0).address() + slice.get(JAVA_LONG, 8);
        }
    }

    /** A pointer and a size returned into memory that is kept. */
    @Benchmark
    public long sliceReused() throws Throwable {
        MemorySegment slice = (MemorySegment) SLICE.invokeExact(reuse, number, 10L);
        return slice.get(ADDRESS, 0).address() + slice.get(JAVA_LONG, 8);
    }

    /** Errno captured in scratch memory. */
    @Benchmark
    public int errnoFresh() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment captured = scratch.firstArea();
            return (int) ERRNO.invokeExact(captured, signals, NO_SIGNAL) + captured.get(JAVA_INT, ERRNO_OFFSET);
        }
    }

    /** Errno captured in memory that is kept. */
    @Benchmark
    public int errnoReused() throws Throwable {
        return (int) ERRNO.invokeExact(memory, signals, NO_SIGNAL) + memory.get(JAVA_INT, ERRNO_OFFSET);
    }
}
