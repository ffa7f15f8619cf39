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
        AtomicInteger halfDone = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Thread thread = new Thread(null, () -> {
            try {
                overflow(halfDone, done, Integer.MAX_VALUE);
            } catch (StackOverflowError e) {
                // As intended, at the very end.
            }
        }, "overflows", STACK_KIB << 10);
        thread.start();
        thread.join();
        assertThat(halfDone.get()).isZero();
        assertThat(done.get()).isPositive();
    }

    private static void overflow(AtomicInteger halfDone, AtomicInteger done, int levels) {
        Headroom.require(Headroom.RELEASE);
        halfDone.incrementAndGet();
        work(8);
        halfDone.decrementAndGet();
        done.incrementAndGet();
        if (levels > 0) {
            overflow(halfDone, done, levels - 1);
        }
    }

    private static int work(int calls) {
        return calls == 0 ? 0 : work(calls - 1) + 1;
    }
}
