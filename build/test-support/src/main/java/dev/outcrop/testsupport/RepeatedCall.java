package dev.outcrop.testsupport;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A thread that repeats a call until it fails, or has succeeded very often. */
public final class RepeatedCall {
    private static final int MOST_CALLS = 10_000;
    private static final int PAUSE_MILLIS = 10;

    private final AtomicInteger done = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
    private final Thread thread;

    /** A call that may fail. It counts what it has done. */
    @FunctionalInterface
    public interface Call {
        void run(AtomicInteger done) throws Exception;
    }

    /** Starts the thread. */
    public RepeatedCall(Call call) {
        thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int i = 0; i < MOST_CALLS; i++) {
                    call.run(done);
                }
            } catch (Throwable e) {
                end.set(e);
            }
        });
    }

    /** Returns what the calls have counted. */
    public int done() {
        return done.get();
    }

    /** Waits until so much is done and the thread is in a method with this part in its name, or until a call has failed. */
    public void await(int count, String method) throws InterruptedException {
        while (thread.isAlive() && (done.get() < count || Arrays.stream(thread.getStackTrace())
                .noneMatch(frame -> frame.getMethodName().contains(method)))) {
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Waits for the end of the thread. Returns why a call failed, or null. */
    public @Nullable Throwable awaitFailure() throws InterruptedException {
        thread.join();
        return end.get();
    }
}
