package dev.outcrop.rocksdb.engine.callbacks;

import java.lang.System.Logger.Level;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Handles the exceptions of users' callbacks. No exception may go through RocksDB. So exceptions are logged, and wait in
 * {@link RunningCallbacks} for the Java method that called RocksDB, if the thread has such a method.
 */
public final class CallbackFailures {
    /** The name of the logger, and the prefix of the names of all classes of the module. */
    public static final String LOGGER = "dev.outcrop.rocksdb";
    /** The total number of exceptions that are waiting on all threads. */
    private static final AtomicInteger WAITING = new AtomicInteger();

    private CallbackFailures() {
    }

    /** Handles an exception of user code, inside an upcall. Logs the first failure of an object, the second, the fourth, … */
    public static void add(RunningCallbacks running, long id, Throwable thrown) {
        Callback callback = keep(running, id, thrown);
        int failures = ++callback.failures;
        if (Integer.bitCount(failures) == 1) {
            System.getLogger(LOGGER).log(Level.ERROR, "The " + callback
                    + " has thrown an exception" + (failures == 1 ? "" : ", which is its number " + failures), thrown);
        }
    }

    /** Keeps the exception before anything else, and without a new object: memory may have run out. */
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
     * Handles an upcall that failed because no stack or no memory was left to call the user's object, or to handle its exception. Throws
     * nothing and allocates nothing.
     */
    @SuppressWarnings("unused") // through a handle
    public static void lost(Throwable thrown, long id) {
        if (id == Callbacks.WARM_UP) {
            return;
        }
        try {
            // The callback is no longer on the list: its exception is for the level that is now the innermost.
            RunningCallbacks running = RunningCallbacks.enter(id);
            try {
                if (keep(running, id, thrown).target instanceof CheckedComparator comparator) {
                    comparator.leaveUnanswered(thrown, running);
                }
            } finally {
                running.exit();
            }
        } catch (Throwable e) {
            // No stack or memory is left to report it.
        }
    }

    /** Notes that a waiting exception was taken. */
    public static void taken() {
        WAITING.decrementAndGet();
    }

    /** Drops the exceptions of native calls that cannot fail for the caller, such as closing: they are only logged. */
    public static void forget() {
        if (WAITING.getPlain() != 0) {
            Throwable _ = RunningCallbacks.ofThread().take();
        }
    }

    /** Does the same as {@link #forget()}, for a caller that knows the thread's callbacks. */
    public static void forget(RunningCallbacks running) {
        if (WAITING.getPlain() != 0) {
            Throwable _ = running.take();
        }
    }

    /** Throws the exception of a callback during the last native call of this thread, if there is one. Cheap if there is none. */
    public static void rethrow() {
        // A plain read: this thread itself would have incremented the number.
        if (WAITING.getPlain() != 0) {
            rethrow(null);
        }
    }

    /**
     * As {@link #rethrow()}.
     *
     * @param failure the failure of the same call as RocksDB reports it; becomes a suppressed exception
     */
    public static void rethrow(@Nullable RuntimeException failure) {
        Throwable thrown = RunningCallbacks.ofThread().take();
        if (thrown == null) {
            return;
        }
        // Adds only one: if the same exception is thrown again and again, it would collect suppressed exceptions.
        if (failure != null && Arrays.stream(thrown.getSuppressed()).noneMatch(failure.getClass()::isInstance)) {
            thrown.addSuppressed(failure);
        }
        throw unchecked(thrown);
    }

    /**
     * Does the same as {@link #rethrow()}, but finishes the work first: a callback such as an info log may throw although RocksDB has done
     * its work.
     */
    public static <T> T rethrowAfter(Supplier<T> work) {
        // Taken before the work, because the work may drop it.
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
