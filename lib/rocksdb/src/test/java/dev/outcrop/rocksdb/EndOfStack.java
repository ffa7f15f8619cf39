package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tries operations where a thread's stack ends: at each depth from the last one on, until there is room for them. One thread at a time; all
 * state is in fields, because a call could be one too many.
 */
final class EndOfStack {
    /** Holds a thousand frames and more, and what opening a database takes. */
    private static final long STACK = 512 << 10;
    static final long SEED = TestSize.seed(EndOfStack.class);
    /** One level of so many is tried; which ones, the seed says. */
    private static final int ONE_OF = TestSize.choose("outcrop.stack.one.of", 6, 1);
    private static final int PHASE = (int) (SEED % ONE_OF);
    /** So many levels are tried in such steps; the steps get longer then, until there is room. */
    private static final int FINE = 300;
    private static final int STEP = 16;
    private static final int MOST = 1 << 14;
    /** Only ends a hang. */
    private static final long HANG_SECONDS = 300;

    /** Something that is done again and again. */
    interface Action {
        void run() throws Exception;
    }

    /** A tried call, and the calls around it that have stack enough. */
    record Operation(String name, int warmUp, int wanted, boolean isRepeated, Action prepare, Action action,
            Action settle) {
        Operation withoutWarmUp() {
            return new Operation(name, 0, wanted, isRepeated, prepare, action, settle);
        }
    }

    /** Objects that operations have made and not closed yet. Stored without a call, which might need stack. */
    static final @Nullable AutoCloseable[] LEFT = new AutoCloseable[MOST];
    static int left;
    /** A throwable other than {@link StackOverflowError}. */
    private static final List<String> FAILURES = new ArrayList<>();

    private static @Nullable Operation current;
    private static int level;
    private static int nextLevel;
    private static int succeeded;
    private static int failed;
    private static @Nullable Throwable unexpected;
    /** So the JDK wraps what overflows where it walks a stack, and calls by reflection for that. */
    private static @Nullable Throwable ofTheJdk;

    private EndOfStack() {
    }

    /** Calls itself until the stack ends, then tries the operation on the way back. */
    @SuppressWarnings({"InfiniteRecursion", "NullAway", "StaticAssignmentOfThrowable"}) // on purpose; and a check would be a call more
    private static void dive() throws Exception {
        try {
            dive();
        } catch (StackOverflowError e) {
            // The end.
        }
        if (succeeded < current.wanted && ++level >= nextLevel) {
            nextLevel = level + (level < FINE ? ONE_OF : succeeded > 0 ? STEP : level / STEP);
            try {
                current.action.run();
                succeeded++;
            } catch (StackOverflowError e) {
                failed++;
            } catch (InternalError e) {
                ofTheJdk = e;
                failed++;
            } catch (Throwable e) {
                unexpected = e;
            }
        }
    }

    /** Calls itself and the operation in turns until the stack ends. */
    @SuppressWarnings({"InfiniteRecursion", "NullAway"}) // likewise
    private static int deepen() throws Exception {
        current.action.run();
        return deepen() + 1;
    }

    @SuppressWarnings("StaticAssignmentOfThrowable") // it is reported at once
    private static void attempt(Operation operation, boolean isDive) {
        try {
            current = operation;
            operation.prepare.run();
            for (int i = 0; i < operation.warmUp; i++) {
                operation.action.run();
            }
            operation.settle.run();
            operation.prepare.run();
            level = 0;
            nextLevel = PHASE;
            succeeded = 0;
            failed = 0;
            unexpected = null;
            ofTheJdk = null;
            if (isDive) {
                dive();
            } else {
                try {
                    int _ = deepen();
                } catch (StackOverflowError e) {
                    failed = 1;
                    succeeded = 1;
                }
            }
            operation.settle.run();
        } catch (Throwable e) {
            unexpected = e;
        }
        if (ofTheJdk != null && !isOverflow(ofTheJdk)) {
            unexpected = ofTheJdk;
        }
        if (unexpected != null || succeeded == 0 || failed == 0) {
            report(operation.name + " succeeded at " + succeeded + " depths and failed at " + failed, unexpected);
        }
    }

    private static boolean isOverflow(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof StackOverflowError) {
                return true;
            }
        }
        return false;
    }

    /** Closes what operations have made and could not close. */
    static void closeLeft() throws Exception {
        while (left > 0) {
            AutoCloseable each = LEFT[--left];
            LEFT[left] = null;
            if (each != null) {
                each.close();
            }
        }
    }

    static void report(String what, @Nullable Throwable thrown) {
        FAILURES.add(what);
        System.out.println("FAILED: " + what);
        if (thrown != null) {
            System.out.println(thrown);
            for (Throwable each = thrown; each != null; each = each.getCause()) {
                StackTraceElement[] trace = each.getStackTrace();
                System.out.println(each + " at " + List.of(trace).subList(0, Math.min(12, trace.length)));
            }
        }
    }

    static List<String> failures() {
        return FAILURES;
    }

    /** Runs something in a thread, and ends the process if that hangs. */
    static void inThread(String what, boolean isVirtual, Runnable body) {
        Thread thread = isVirtual
                ? Thread.ofVirtual().unstarted(body)
                : Thread.ofPlatform().stackSize(STACK).unstarted(body);
        thread.start();
        try {
            if (!thread.join(Duration.ofSeconds(HANG_SECONDS))) {
                System.out.println("FAILED: " + what + " hangs at " + List.of(thread.getStackTrace()));
                Runtime.getRuntime().halt(3);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void attempt(Operation operation, boolean isDive, boolean isVirtual) {
        long start = System.nanoTime();
        inThread(operation.name, isVirtual, () -> attempt(operation, isDive));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        System.out
                .println(operation.name + (isVirtual ? ", virtual" : "") + (isDive ? "" : ", deeper and deeper") + ": "
                        + succeeded + " and " + failed + " failed, " + millis + " ms");
    }
}
