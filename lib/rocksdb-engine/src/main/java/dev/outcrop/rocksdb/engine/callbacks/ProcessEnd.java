package dev.outcrop.rocksdb.engine.callbacks;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outcrop.memory.NativeCalls;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Makes sure that a process can end after RocksDB has called Java.
 *
 * <p>When the process exits, RocksDB waits for the threads of its pools, in an exit handler of C. A thread that has called Java detaches
 * from the JVM when it ends. But at that time the JVM has already ended, and blocks the thread. So the process would hang, even if all
 * databases are closed. The remedy depends on the C library:
 * <ul>
 * <li>glibc has handlers that know the exit status, {@code on_exit}. Our handler ends the process at once, before RocksDB's handler runs.
 * So it skips all handlers that were registered before it, such as the handlers of other native libraries;
 * <li>elsewhere a shutdown hook replaces such threads by new ones while the JVM is alive, after it has stopped all callers of Java. The
 * hook does not help with {@link Runtime#halt}, which runs no hooks.
 * </ul>
 */
public final class ProcessEnd {
    /** Uses the hook also with glibc, for tests. */
    private static final boolean USE_HOOK = Boolean.getBoolean("outcrop.exit.hook");
    /** The time for a program's own shutdown hooks to close databases before their background work is stopped. */
    private static final int GRACE_MILLIS = 1000;
    /** How long to wait for RocksDB's threads. It is limited, because a thread may be in a callback that never returns. */
    private static final int PATIENCE_MILLIS = 5000;
    private static final int PAUSE_MILLIS = 5;

    static {
        SymbolLookup c = Linker.nativeLinker().defaultLookup();
        if (!USE_HOOK && c.find("on_exit").isPresent()) {
            endAtOnce(c);
        } else {
            addHook();
        }
    }

    private ProcessEnd() {
    }

    /** Prepares the end, before RocksDB gets the first callback. */
    public static void prepare() {
        // The static initializer does it once.
    }

    private static void endAtOnce(SymbolLookup c) {
        // RocksDB registers its handler when its environment is made. The last registered handler runs first.
        NativeEnv.destroy(NativeEnv.ofSystem());
        try {
            requireZero((int) NativeCalls.linkLibc("on_exit", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS))
                    .invokeExact(c.find("_exit").orElseThrow(), MemorySegment.NULL));
            // Registered last, so it runs before that: fflush(NULL) writes buffered output of C, as at any exit.
            requireZero((int) NativeCalls
                    .linkLibc("__cxa_atexit", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS))
                    .invokeExact(c.find("fflush").orElseThrow(), MemorySegment.NULL, MemorySegment.NULL));
        } catch (Throwable e) {
            throw NativeCalls.unexpected(e);
        }
    }

    private static void requireZero(int failure) {
        if (failure != 0) {
            throw new OutOfMemoryError("C has no memory for another handler at exit");
        }
    }

    private static void addHook() {
        try {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("outcrop-exit").unstarted(ProcessEnd::run));
        } catch (IllegalStateException e) {
            // The JVM is ending already.
        }
    }

    private static void run() {
        try {
            await(GRACE_MILLIS, () -> !OpenDatabases.callBack() || !othersAreRunning());
            OpenDatabases.stopCallbacks();
            renewThreads();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes RocksDB end its idle threads, and start new ones. */
    private static void renewThreads() throws InterruptedException {
        if (!rocksdbThreadsAreAttached()) {
            return;
        }
        long env = NativeEnv.ofSystem();
        int low = NativeEnv.lowThreads(env);
        int high = NativeEnv.highThreads(env);
        int bottom = NativeEnv.bottomThreads(env);
        setThreads(env, 0, 0, 0);
        if (!await(PATIENCE_MILLIS, () -> !rocksdbThreadsAreAttached())) {
            System.getLogger(CallbackFailures.LOGGER).log(Level.WARNING,
                    "Threads of RocksDB are still in callbacks; the process may not end by itself");
        }
        setThreads(env, low, high, bottom);
        NativeEnv.destroy(env);
    }

    private static void setThreads(long env, int low, int high, int bottom) {
        NativeEnv.setLowThreads(env, low);
        NativeEnv.setHighThreads(env, high);
        NativeEnv.setBottomThreads(env, bottom);
    }

    /** Recognizes RocksDB's threads by the JVM's name for native threads, and by their frames, which all belong to our callbacks. */
    private static boolean rocksdbThreadsAreAttached() {
        return Thread.getAllStackTraces().entrySet().stream().anyMatch(ProcessEnd::isAttached);
    }

    private static boolean isAttached(Map.Entry<Thread, StackTraceElement[]> thread) {
        StackTraceElement[] frames = thread.getValue();
        if (!thread.getKey().isDaemon() || !thread.getKey().getName().startsWith("Thread-")) {
            return false;
        }
        return frames.length == 0 || (isOfCallback(frames[frames.length - 1])
                && Arrays.stream(frames).anyMatch(ProcessEnd::isOurs));
    }

    /**
     * Returns whether the thread began in a callback. A callback with a bound argument begins in a method of the JDK, but not in the method
     * that starts Java threads.
     */
    private static boolean isOfCallback(StackTraceElement outermost) {
        return isOurs(outermost) || outermost.getClassName().startsWith("java.lang.invoke.");
    }

    private static boolean isOurs(StackTraceElement frame) {
        return frame.getClassName().startsWith(CallbackFailures.LOGGER)
                || frame.getClassName().startsWith("org.rocksdb.");
    }

    /** Returns whether other shutdown hooks may be running. Usually hooks are not daemon threads. */
    private static boolean othersAreRunning() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> !thread.isDaemon() && !thread.equals(Thread.currentThread())
                        && !thread.getName().equals("DestroyJavaVM"));
    }

    private static boolean await(int millis, BooleanSupplier condition) throws InterruptedException {
        for (int waited = 0; waited < millis; waited += PAUSE_MILLIS) {
            if (condition.getAsBoolean()) {
                return true;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return condition.getAsBoolean();
    }
}
