package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ExclusiveLifetimeTest {
    private final AtomicInteger freed = new AtomicInteger();
    private final ExclusiveLifetime lifetime = new ExclusiveLifetime(this, "iterator of things",
            freed::incrementAndGet);

    @Test
    void letsThreadsTakeTurns() throws Exception {
        lifetime.enter();
        lifetime.setWord(7, 42);
        lifetime.exit();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<Long> word = other.submit(() -> {
                lifetime.enter();
                try {
                    return lifetime.word(7);
                } finally {
                    lifetime.exit();
                }
            });
            assertThat(word.get(5, TimeUnit.MINUTES)).isEqualTo(42);
        }
        lifetime.close();
        assertThat(freed).hasValue(1);
    }

    @Test
    void refusesASecondThreadAtTheSameTimeAndItself() throws Exception {
        lifetime.enter();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            assertThat(other.submit(lifetime::enter)).failsWithin(5, TimeUnit.MINUTES).withThrowableThat()
                    .withMessageContaining("used by another thread").withCauseInstanceOf(IllegalStateException.class);
            assertThat(other.submit(() -> lifetime.word(0))).failsWithin(5, TimeUnit.MINUTES).withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class);
        }
        assertThatIllegalStateException().isThrownBy(lifetime::enter).withMessageContaining("callback");
        assertThatIllegalStateException().isThrownBy(lifetime::close).withMessageContaining("callback");
        lifetime.exit();
        lifetime.close();
        assertThat(freed).hasValue(1);
    }

    @Test
    void refusesUseAfterClose() {
        assertThat(lifetime.isClosed()).isFalse();
        lifetime.close();
        lifetime.close();
        assertThat(lifetime.isClosed()).isTrue();
        assertThat(freed).hasValue(1);
        assertThatIllegalStateException().isThrownBy(lifetime::enter).withMessage("The iterator of things is closed");
        assertThatIllegalStateException().isThrownBy(() -> lifetime.wordAddress(0));
        assertThatIllegalStateException().isThrownBy(() -> lifetime.setWord(0, 1));
    }

    @Test
    void hasEightWords() {
        lifetime.enter();
        assertThat(lifetime.wordAddress(7)).isEqualTo(lifetime.wordAddress(0) + 56);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> lifetime.word(8));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> lifetime.word(-1));
        lifetime.exit();
        lifetime.close();
    }

    @Test
    void closeWaitsForTheRunningCallAndKeepsTheInterrupt() throws Exception {
        CountDownLatch isInside = new CountDownLatch(1);
        CountDownLatch mayLeave = new CountDownLatch(1);
        try (ExecutorService other = Executors.newFixedThreadPool(2)) {
            Future<?> use = other.submit(() -> {
                lifetime.enter();
                isInside.countDown();
                mayLeave.await();
                assertThat(freed).hasValue(0);
                lifetime.exit();
                return null;
            });
            isInside.await();
            Future<Boolean> close = other.submit(() -> {
                Thread.currentThread().interrupt();
                lifetime.close();
                return Thread.interrupted();
            });
            assertThat(close.isDone()).isFalse();
            mayLeave.countDown();
            use.get(5, TimeUnit.MINUTES);
            assertThat(close.get(5, TimeUnit.MINUTES)).isTrue();
            assertThat(freed).hasValue(1);
        }
    }

    @Test
    void whatComesFirstRunsInsideAndMayRefuseToClose() {
        assertThatIllegalStateException().isThrownBy(() -> lifetime.close(() -> {
            lifetime.setWord(0, 7);
            assertThatIllegalStateException().isThrownBy(lifetime::enter);
            throw new IllegalStateException("not yet");
        })).withMessage("not yet");
        assertThat(lifetime.isClosed()).isFalse();
        lifetime.enter();
        assertThat(lifetime.word(0)).isEqualTo(7);
        lifetime.exit();
        assertThat(freed).hasValue(0);

        AtomicInteger runs = new AtomicInteger();
        lifetime.close(runs::incrementAndGet);
        lifetime.close(runs::incrementAndGet);
        assertThat(runs).hasValue(1);
        assertThat(freed).hasValue(1);
    }
}
