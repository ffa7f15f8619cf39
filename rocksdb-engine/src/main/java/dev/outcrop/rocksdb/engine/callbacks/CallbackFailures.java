package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.System.Logger.Level;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens to exceptions that users' callbacks throw: none may go through RocksDB, so they wait, in {@link RunningCallbacks}, for the
 * Java method that called RocksDB, if the same thread has one, and are logged.
 */
public final class CallbackFailures {
    /** The name of the logger, and what the names of all classes of the module begin with. */
    public static final String LOGGER = "dev.outcrop.rocksdb";
    /** How many exceptions are waiting on all threads together. */
    private static final AtomicInteger WAITING = new AtomicInteger();

    private CallbackFailures() {
    }

    /** Called inside an upcall, when user code has thrown. Logs the first failure of an object, the second, the fourth, … */
    public static void add(RunningCallbacks running, long id, Throwable thrown) {
        Callback callback = keep(running, id, thrown);
        int failures = ++callback.failures;
        if (Integer.bitCount(failures) == 1) {
            System.getLogger(LOGGER).log(Level.ERROR, "The " + callback
                    + " has thrown an exception" + (failures == 1 ? "" : ", which is its number " + failures), thrown);
        }
    }

    /** First of all, and without any new object: there may be no memory for the rest. */
    private static Callback keep(RunningCallbacks running, long id, Throwable thrown) {
        Callback callback = Callbacks.of(id);
        if (callback.target instanceof CheckedComparator comparator) {
            comparator.fail(thrown, running);
        }
        if (running.keep(thrown)) {
            WAITING.incrementAndGet();
        } else if (!running.hasJavaCaller()) {
            CompactionFailures.add(callback, thrown);
        }
        return callback;
    }

    /**
     * Called inside an upcall that could not be carried out: no stack or no memory was left to call the user's object, or to see what it
     * has thrown. Throws nothing and allocates nothing.
     */
    @SuppressWarnings("unused") // through a handle
    public static void lost(Throwable thrown, long id) {
        if (id == Callbacks.REHEARSAL) {
            return;
        }
        try {
            // The callback is no longer on the list of those that run: what it has thrown is for the level that is now the innermost.
            RunningCallbacks running = RunningCallbacks.enter(id);
            try {
                if (keep(running, id, thrown).target instanceof CheckedComparator comparator) {
                    comparator.leaveUnanswered(thrown, running);
                }
            } finally {
                running.exit();
            }
        } catch (Throwable e) {
            // Nothing is left to tell it with.
        }
    }

    /** An exception was taken from where it waited. */
    public static void taken() {
        WAITING.decrementAndGet();
    }

    /** Called after native calls that cannot fail for the caller, such as closing: what was thrown during them is in the log only. */
    public static void forget() {
        if (WAITING.getPlain() != 0) {
            Throwable _ = RunningCallbacks.ofThread().take();
        }
    }

    /** As {@link #forget()}, where it is known what is running on the thread. */
    public static void forget(RunningCallbacks running) {
        if (WAITING.getPlain() != 0) {
            Throwable _ = running.take();
        }
    }

    /** Called after a native call: throws what a callback threw during it on this thread, if anything. Cheap if nothing was thrown. */
    public static void rethrow() {
        // Plain: this thread itself would have counted up.
        if (WAITING.getPlain() != 0) {
            rethrow(null);
        }
    }

    /**
     * As {@link #rethrow()}.
     *
     * @param failure what RocksDB reports for the same call; becomes a suppressed exception of what is thrown
     */
    public static void rethrow(@Nullable RuntimeException failure) {
        Throwable thrown = RunningCallbacks.ofThread().take();
        if (thrown == null) {
            return;
        }
        // Only one: an exception object that is thrown again and again would collect them.
        if (failure != null && Arrays.stream(thrown.getSuppressed()).noneMatch(failure.getClass()::isInstance)) {
            thrown.addSuppressed(failure);
        }
        throw unchecked(thrown);
    }

    /**
     * As {@link #rethrow()}, but does something first that must be done all the same: a callback such as an info log throws although
     * RocksDB has done what it was asked.
     */
    public static <T> T rethrowAfter(Supplier<T> work) {
        // Now, because the work itself may forget it.
        Throwable thrown = WAITING.getPlain() == 0 ? null : RunningCallbacks.ofThread().take();
        T result = work.get();
        if (thrown != null) {
            throw unchecked(thrown);
        }
        return result;
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof RuntimeException runtime) {
            return runtime;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new UndeclaredThrowableException(thrown, "A callback has thrown a checked exception");
    }
}
