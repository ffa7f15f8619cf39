package dev.outcrop.benchmarks.queue;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

/** The CPU time of this process, of all its threads. The JDK tells it too, in steps of ten milliseconds. */
final class CpuTime {
    /** {@code CLOCK_PROCESS_CPUTIME_ID} of macOS and Linux. */
    private static final int CLOCK = System.getProperty("os.name", "").startsWith("Mac") ? 12 : 2;
    private static final MethodHandle CLOCK_GETTIME = link();

    private CpuTime() {
    }

    @SuppressWarnings("restricted") // a program of its own, which is started with native access
    private static MethodHandle link() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow("clock_gettime"),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    }

    /** Nanoseconds since the process began. */
    static long nanos() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(JAVA_LONG, 2);
            if ((int) CLOCK_GETTIME.invokeExact(CLOCK, time) != 0) {
                throw new IllegalStateException("There is no clock of the CPU time on this system");
            }
            return TimeUnit.SECONDS.toNanos(time.getAtIndex(JAVA_LONG, 0)) + time.getAtIndex(JAVA_LONG, 1);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A native call has thrown", e);
        }
    }
}
