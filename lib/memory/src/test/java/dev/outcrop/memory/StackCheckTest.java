package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StackCheckTest {
    private static final int STACK_KIB = 1024;
    /** More calls than a compiler waits for, and than the class itself counts. */
    private static final int MANY_CALLS = 200_000;

    @Test
    void whatAStackCannotHoldIsRefusedBeforeAnythingIsDone() throws InterruptedException {
        for (int call = 0; call < MANY_CALLS; call++) {
            StackCheck.require(8);
        }
        AtomicInteger done = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, () -> {
            try {
                assertThatThrownBy(() -> {
                    StackCheck.require(STACK_KIB);
                    done.incrementAndGet();
                }).isInstanceOf(StackOverflowError.class);
                StackCheck.require(STACK_KIB / 8);
                done.incrementAndGet();
            } catch (Throwable e) {
                failure.set(e);
            }
        }, "small", STACK_KIB << 10);
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
        assertThat(done.get()).isEqualTo(1);
    }

    @Test
    void whereThereWasRoomTheWorkThatFollowsFits() throws InterruptedException {
        requireThatWorkFits(() -> StackCheck.require(StackCheck.RELEASE), 8);
    }

    private static void requireThatWorkFits(Runnable requirement, int frames) throws InterruptedException {
        AtomicInteger halfDone = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Thread thread = new Thread(null, () -> {
            try {
                overflow(requirement, frames, halfDone, done, Integer.MAX_VALUE);
            } catch (StackOverflowError e) {
                // As intended, at the very end.
            }
        }, "overflows", STACK_KIB << 10);
        thread.start();
        thread.join();
        assertThat(halfDone.get()).isZero();
        assertThat(done.get()).isPositive();
    }

    private static void overflow(Runnable requirement, int frames, AtomicInteger halfDone, AtomicInteger done,
            int levels) {
        requirement.run();
        halfDone.incrementAndGet();
        work(frames);
        halfDone.decrementAndGet();
        done.incrementAndGet();
        if (levels > 0) {
            overflow(requirement, frames, halfDone, done, levels - 1);
        }
    }

    private static int work(int calls) {
        return calls == 0 ? 0 : work(calls - 1) + 1;
    }
}
