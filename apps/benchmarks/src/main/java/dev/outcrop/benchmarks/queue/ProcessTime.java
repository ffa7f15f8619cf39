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

/** Asks the operating system for the CPU time of this process, and to sync the disk. */
final class ProcessTime {
    /** {@code CLOCK_PROCESS_CPUTIME_ID} of macOS and Linux. */
    private static final int CLOCK = System.getProperty("os.name", "").startsWith("Mac") ? 12 : 2;
    private static final MethodHandle CLOCK_GETTIME = link("clock_gettime",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle SYNC = link("sync", FunctionDescriptor.ofVoid());

    private static final long STEP_MILLIS = 20;
    private static final int STEPS = 3;
    private static final int MOST_STEPS = 1000;
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private ProcessTime() {
    }

    @SuppressWarnings("restricted") // a separate program, which is started with native access
    private static MethodHandle link(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    /** Returns the CPU nanoseconds of all threads since the process began. The JDK has them only in steps of ten milliseconds. */
    static long cpuNanos() {
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

    /** Waits until this process has hardly used a processor for a while, so that the figures include no background work. */
    static void awaitIdle() throws InterruptedException {
        int resting = 0;
        long before = cpuNanos();
        for (int step = 0; resting < STEPS; step++) {
            if (step == MOST_STEPS) {
                throw new IllegalStateException("The background threads do not come to rest");
            }
            Thread.sleep(STEP_MILLIS);
            long now = cpuNanos();
            resting = now - before < BUSY_NANOS ? resting + 1 : 0;
            before = now;
        }
    }

    /** Waits until all changes to files are on the disk. */
    static void syncDisk() {
        try {
            SYNC.invokeExact();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A native call has thrown", e);
        }
    }
}
