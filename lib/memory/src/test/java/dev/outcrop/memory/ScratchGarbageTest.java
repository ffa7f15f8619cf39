package dev.outcrop.memory;

import com.sun.management.ThreadMXBean;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.GarbageStarts;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Alone in its JVM: what other tests have done with the same methods before decides what the JIT compiler inlines. */
@Tag("verify")
class ScratchGarbageTest {
    private static final StructLayout LDIV_T = MemoryLayout.structLayout(ValueLayout.JAVA_LONG.withName("quot"),
            ValueLayout.JAVA_LONG.withName("rem"));
    private static final MethodHandle LDIV = NativeCalls.linkLibc("ldiv",
            FunctionDescriptor.of(LDIV_T, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final StructLayout ERRNO = Linker.Option.captureStateLayout();
    private static final MethodHandle CLOSE = NativeCalls.linkLibc("close",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), Linker.Option.captureCallState("errno"));

    @Test
    void structsAndErrnoComeBackWithoutGarbage() throws Exception {
        // -Xbatch: on a busy machine, a compiler in the background might be ready only when all is over.
        GarbageStarts.require(List.of("bytes: 0")::equals, _ -> ChildJvm.withNativeAccess().option("-Xbatch")
                .lines(Program.class));
    }

    /** Prints the least garbage of many rounds of two calls. */
    static final class Program {
        static void main(String[] arguments) throws Throwable {
            long sum = structByValue(1_000_007, 10);
            int errno = errnoOfBadDescriptor();
            if (sum != 100_000 + 7 || errno != 9) {
                throw new AssertionError(sum + ", errno " + errno);
            }
            long garbage = Long.MAX_VALUE;
            for (int round = 0; round < 100 && garbage > 0; round++) {
                garbage = garbageOf(2_000);
            }
            System.out.println("bytes: " + garbage);
        }
    }

    private static long garbageOf(int rounds) throws Throwable {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += structByValue(i, 10) + errnoOfBadDescriptor();
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        if (sum <= 0) {
            throw new AssertionError("sum " + sum);
        }
        return allocated;
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
