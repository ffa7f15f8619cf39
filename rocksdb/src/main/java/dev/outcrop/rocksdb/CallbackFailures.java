package dev.outcrop.rocksdb;

import dev.outcrop.memory.Upcall;
import java.lang.StackWalker.StackFrame;
import java.lang.System.Logger.Level;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens to exceptions that users' callbacks throw: none may go through RocksDB, so they wait here for the Java method that
 * called RocksDB, if the same thread has one, and are logged.
 */
final class CallbackFailures {
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    /** How many exceptions are waiting on all threads together. */
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final ThreadLocal<@Nullable Throwable> THROWN = new ThreadLocal<>();

    private CallbackFailures() {
    }

    /** Called inside an upcall, when user code has thrown. Logs the first failure of an object, the second, the fourth, … */
    static void add(long id, Throwable thrown) {
        if (THROWN.get() == null && hasJavaCaller()) {
            THROWN.set(thrown);
            WAITING.incrementAndGet();
        }
        Callbacks.Callback callback = Callbacks.of(id);
        int failures = ++callback.failures;
        if (Integer.bitCount(failures) == 1) {
            System.getLogger(CallbackFailures.class.getPackageName()).log(Level.ERROR,
                    "The " + callback + " has thrown an exception"
                            + (failures == 1 ? "" : ", for the " + failures + "th time"),
                    thrown);
        }
    }

    /** Called after native calls that cannot fail for the caller, such as closing: what was thrown during them is in the log only. */
    static void forget() {
        if (WAITING.getPlain() != 0) {
            take();
        }
    }

    /** Called after a native call: throws what a callback threw during it on this thread, if anything. Cheap if nothing was thrown. */
    static void rethrow() {
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
    static void rethrow(@Nullable RocksDBException failure) {
        Throwable thrown = take();
        if (thrown == null) {
            return;
        }
        // Only one: an exception object that is thrown again and again would collect them.
        if (failure != null && Arrays.stream(thrown.getSuppressed()).noneMatch(RocksDBException.class::isInstance)) {
            thrown.addSuppressed(failure);
        }
        throw unchecked(thrown);
    }

    /**
     * As {@link #rethrow()}, but does something first that must be done all the same: a callback such as an info log throws although RocksDB
     * has done what it was asked.
     */
    static <T> T rethrowAfter(Supplier<T> work) {
        // Now, because the work itself may forget it.
        Throwable thrown = WAITING.getPlain() == 0 ? null : take();
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

    private static @Nullable Throwable take() {
        Throwable thrown = THROWN.get();
        if (thrown != null) {
            THROWN.remove();
            WAITING.decrementAndGet();
        }
        return thrown;
    }

    /** Whether a Java method called RocksDB, which called back. RocksDB's own threads have no other Java frames than the callback's. */
    private static boolean hasJavaCaller() {
        return STACK.walk(frames -> frames.reduce((_, next) -> next)).map(StackFrame::getDeclaringClass)
                .map(outermost -> !Upcall.class.isAssignableFrom(outermost)).orElse(false);
    }
}
