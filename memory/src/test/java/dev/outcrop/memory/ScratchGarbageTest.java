package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Alone in its JVM: what other tests have done with the same methods before decides what the JIT compiler inlines. */
class ScratchGarbageTest {
    private static final StructLayout LDIV_T = MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("quot"),
            ValueLayout.JAVA_LONG.withName("rem"));
    private static final MethodHandle LDIV = NativeCalls.linkLibc("ldiv",
            FunctionDescriptor.of(LDIV_T, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final MethodHandle CLOSE = NativeCalls.linkLibc("close",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), Linker.Option.captureCallState("errno"));

    @Test
    void structsAndErrnoComeBackWithoutGarbage() throws Throwable {
        assertThat(structByValue(1_000_007, 10)).isEqualTo(100_000 + 7);
        assertThat(errnoOfBadDescriptor()).isEqualTo(9);
        long garbage = Long.MAX_VALUE;
        // Compilation may take many rounds on a busy machine; once it is done, a call must leave nothing behind.
        for (int round = 0; round < 500 && garbage > 0; round++) {
            garbage = garbageOf(20_000);
        }
        assertThat(garbage).as("bytes allocated by 20,000 rounds of two calls").isZero();
    }

    private static long garbageOf(int rounds) throws Throwable {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += structByValue(i, 10) + errnoOfBadDescriptor();
        }
        assertThat(sum).isPositive();
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        // The assertion above allocates a little itself.
        return allocated < 16 * 1024 ? 0 : allocated;
    }

    private static long structByValue(long a, long b) throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment result = (MemorySegment) LDIV.invokeExact(scratch.forStruct(), a, b);
            return result.get(ValueLayout.JAVA_LONG, 0) + result.get(ValueLayout.JAVA_LONG, 8);
        }
    }

    private static int errnoOfBadDescriptor() throws Throwable {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment state = scratch.allocate(ERRNO.byteSize(), 8);
            int result = (int) CLOSE.invokeExact(state, -1);
            return result == 0 ? 0 : state.get(ValueLayout.JAVA_INT, 0);
        }
    }
}
