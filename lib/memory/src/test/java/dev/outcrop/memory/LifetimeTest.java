package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.outcrop.testsupport.ChildJvm;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LifetimeTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final Lifetime lifetime = new Lifetime(this, "thing 42", freed::incrementAndGet);

    @Test
    void freesOnceHoweverOftenItIsClosed() {
        lifetime.close();
        lifetime.close();
        assertThat(freed).hasValue(1);
        assertThat(lifetime.isClosed()).isTrue();
    }

    @Test
    void useAfterCloseNamesWhatWasClosed() {
        lifetime.close();
        assertThatIllegalStateException().isThrownBy(lifetime::enter).withMessageContaining("thing 42")
                .withMessageContaining("closed");
    }

    @Test
    void closeWaitsForARunningCall() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        AtomicBoolean left = new AtomicBoolean();
        AtomicBoolean freedTooEarly = new AtomicBoolean();
        CountDownLatch goOn = new CountDownLatch(1);
        Thread caller = Thread.startVirtualThread(() -> {
            try (Scratch _ = lifetime.enter()) {
                entered.countDown();
                goOn.await();
                freedTooEarly.set(freed.get() != 0);
                left.set(true);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        entered.await();
        Thread closer = Thread.ofPlatform().start(lifetime::close);
        // Until the closer is parked, so that it really waits while the call goes on.
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThatIllegalStateException().isThrownBy(lifetime::enter);
        goOn.countDown();
        closer.join();
        caller.join();
        assertThat(left).isTrue();
        assertThat(freedTooEarly).isFalse();
        assertThat(freed).hasValue(1);
    }

    /** Each time it is asked to, one of the calls goes on; the first time, there is no memory for that. */
    @Test
    @Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void closeEndsTheWaitsOfRunningCallsUntilThereAreNone() {
        int calls = 5;
        CountDownLatch entered = new CountDownLatch(calls);
        Semaphore wait = new Semaphore(0);
        for (int i = 0; i < calls; i++) {
            Thread _ = Thread.ofPlatform().daemon().start(() -> {
                try (Scratch _ = lifetime.enter()) {
                    entered.countDown();
                    wait.acquireUninterruptibly();
                }
            });
        }
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger endedAtParts = new AtomicInteger();
        assertThatNoException().isThrownBy(entered::await);

        lifetime.close(() -> {
            if (ended.getAndIncrement() == 0) {
                throw new OutOfMemoryError("of a test");
            }
            wait.release();
        }, () -> endedAtParts.set(ended.get()));

        assertThat(endedAtParts.get()).isGreaterThan(calls);
        assertThat(freed).hasValue(1);
    }

    @Test
    void closeFromInsideACallIsRefused() {
        try (Scratch _ = lifetime.enter()) {
            assertThatIllegalStateException().isThrownBy(lifetime::close).withMessageContaining("thing 42")
                    .withMessageContaining("callback");
            assertThat(lifetime.isClosed()).isFalse();
        }
        lifetime.close();
        assertThat(freed).hasValue(1);
    }

    @Test
    void theLastLeaseFrees() {
        lease();
        lease();
        lifetime.close();
        assertThat(freed).hasValue(0);
        lifetime.release();
        assertThat(freed).hasValue(0);
        lifetime.release();
        assertThat(freed).hasValue(1);
    }

    @Test
    void leasesMayGoOnOtherThreads() throws Exception {
        for (int i = 0; i < 100; i++) {
            lease();
        }
        for (int i = 0; i < 100; i++) {
            Thread.ofPlatform().start(lifetime::release).join();
        }
        lifetime.close();
        assertThat(freed).hasValue(1);
    }

    @Test
    void leasesReleasedWhileClosingAreCountedOnce() throws Exception {
        for (int round = 0; round < 300; round++) {
            AtomicInteger times = new AtomicInteger();
            Lifetime each = new Lifetime(this, "thing " + round, times::incrementAndGet);
            int leases = 8;
            for (int i = 0; i < leases; i++) {
                try (Scratch scratch = each.enter()) {
                    each.lease(scratch);
                }
            }
            CountDownLatch start = new CountDownLatch(1);
            Thread[] threads = new Thread[leases + 1];
            for (int i = 0; i <= leases; i++) {
                Runnable action = i == leases ? each::close : each::release;
                threads[i] = Thread.ofVirtual().start(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    action.run();
                });
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(times).hasValue(1);
        }
    }

    @Test
    void anInterruptedCloserStillWaitsAndKeepsTheInterrupt() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread caller = Thread.ofPlatform().start(() -> {
            try (Scratch _ = lifetime.enter()) {
                entered.countDown();
                goOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        entered.await();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread closer = Thread.ofPlatform().start(() -> {
            Thread.currentThread().interrupt();
            lifetime.close();
            interrupted.set(Thread.currentThread().isInterrupted());
        });
        while (closer.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(freed).hasValue(0);
        goOn.countDown();
        closer.join();
        caller.join();
        assertThat(interrupted).isTrue();
        assertThat(freed).hasValue(1);
    }

    @AfterEach
    void close() {
        lifetime.close();
    }

    private void lease() {
        try (Scratch scratch = lifetime.enter()) {
            lifetime.lease(scratch);
        }
    }

    @Test
    @Tag("verify")
    void noCloserWaitsForAThreadThatGivesASpareScratchBackAndGetsNoCarrier() throws Exception {
        assertThat(ChildJvm.withNativeAccess().option("-Djdk.virtualThreadScheduler.parallelism=1")
                .option("-Djdk.virtualThreadScheduler.maxPoolSize=1").lines(SpareScratchesProgram.class))
                .containsExactly("fine");
    }
}
