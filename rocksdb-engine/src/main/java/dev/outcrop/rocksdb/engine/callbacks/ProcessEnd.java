package dev.outcrop.rocksdb.engine.callbacks;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.outcrop.memory.NativeCalls;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Lets the process end in which RocksDB has called Java.
 *
 * <p>RocksDB waits for the threads of its pools when the process exits, in a handler that C runs then. A thread that has called Java says
 * goodbye to the JVM when it ends; but by then the JVM has ended, and lets nobody out any more. So the process would hang, even if all
 * databases are closed. What helps depends on the C library:
 * <ul>
 * <li>glibc can be given a handler that knows the exit status, {@code on_exit}. Ours ends the process at once, before RocksDB's.
 * What it skips are handlers that were registered before it, such as those of other native libraries;
 * <li>elsewhere a shutdown hook replaces such threads by new ones while the JVM is alive, after it has stopped what could call
 * Java again. It does not help {@link Runtime#halt}, which runs no hooks.
 * </ul>
 */
public final class ProcessEnd {
    /** Uses the hook also where there is the other way; for tests. */
    private static final boolean USE_HOOK = Boolean.getBoolean("outcrop.exit.hook");
    /** How long a program's own shutdown hooks have to close databases before the background work of these is stopped. */
    private static final int GRACE_MILLIS = 1000;
    /** How long to wait for RocksDB's threads: one may be in a callback that never returns. */
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

    /** Called before RocksDB gets anything to call. */
    public static void prepare() {
        // The static initializer has done it, once.
    }

    private static void endAtOnce(SymbolLookup c) {
        // RocksDB registers its handler when its environment is made; the last one registered runs first.
        NativeEnv.destroy(NativeEnv.ofSystem());
        try {
            requireZero((int) NativeCalls.linkLibc("on_exit", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS))
                    .invokeExact(c.find("_exit").orElseThrow(), MemorySegment.NULL));
            // Before that: fflush(NULL), for what C has buffered of its output, as at any exit.
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
            await(GRACE_MILLIS, () -> !CallingDatabases.callBack() || !othersAreRunning());
            CallingDatabases.stopCallbacks();
            renewThreads();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** RocksDB ends its idle threads when it is to have none, and starts new ones when it is to have some. */
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

    /** The JVM gives native threads such names, makes them daemons, and they have no Java frames but those of our callbacks. */
    private static boolean rocksdbThreadsAreAttached() {
        return Thread.getAllStackTraces().entrySet().stream().anyMatch(ProcessEnd::isAttached);
    }

    private static boolean isAttached(Map.Entry<Thread, StackTraceElement[]> thread) {
        StackTraceElement[] frames = thread.getValue();
        return thread.getKey().isDaemon() && thread.getKey().getName().startsWith("Thread-")
                && (frames.length == 0 || frames[frames.length - 1].getClassName()
                        .startsWith(CallbackFailures.LOGGER));
    }

    /** Whether there may be other shutdown hooks at work: they are threads that are not daemons, as a rule. */
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
