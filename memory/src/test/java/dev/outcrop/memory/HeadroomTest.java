package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeadroomTest {
    private static final int STACK_KIB = 1024;
    /** More calls than a compiler waits for, and than the class itself counts. */
    private static final int MANY_CALLS = 200_000;
    /** Each of some thousand calls. */
    private static final int ROUNDS = 50;

    @Test
    void whatAStackCannotHoldIsRefusedBeforeAnythingIsDone() throws InterruptedException {
        for (int call = 0; call < MANY_CALLS; call++) {
            Headroom.require(8);
        }
        AtomicInteger done = new AtomicInteger();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, () -> {
            try {
                assertThatThrownBy(() -> {
                    Headroom.require(STACK_KIB);
                    done.incrementAndGet();
                }).isInstanceOf(StackOverflowError.class);
                Headroom.require(STACK_KIB / 8);
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
        requireThatWorkFits(() -> Headroom.require(Headroom.RELEASE), 8);
    }

    /** In the interpreter, and as each compiler compiles it: 50 frames take most of what is required in the interpreter. */
    @Test
    void whereThereWereEightKibibytesTheWorkThatFollowsFits() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            requireThatWorkFits(Headroom::requireEight, 50);
        }
        // By now the work is compiled, and twice as much of it fits.
        requireThatWorkFits(Headroom::requireEight, 100);
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
