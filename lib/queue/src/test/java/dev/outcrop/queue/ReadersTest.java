package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.files.GroupLayout;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiting costs next to nothing, and a waiting thread is woken. */
class ReadersTest extends QueueFixture {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int ROUNDS = TestSize.choose("outcrop.wakes", 1000, 20_000);

    private Queue open() {
        return Queue.open(directory(), new QueueOptions().segmentSize(1 << 20));
    }

    @Test
    void whoeverWaitsForNothingHardlyLooks() throws InterruptedException {
        Readers readers = new Readers();
        AtomicInteger looks = new AtomicInteger();
        assertThat(readers.await(() -> {
            looks.incrementAndGet();
            return Long.MAX_VALUE;
        }, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500))).isFalse();
        // 100 at once, some ten in the first 100 ms, and ten in each second. One each millisecond would be 500 more.
        assertThat(looks.get()).isLessThan(150);
    }

    @Test
    void aTimeThatIsKnownIsKept() throws InterruptedException {
        long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        AtomicLong seen = new AtomicLong();
        assertThat(new Readers().await(() -> {
            seen.set(System.nanoTime());
            return Math.max(0, due - seen.get());
        }, System.nanoTime() + TimeUnit.SECONDS.toNanos(60))).isTrue();
        assertThat(seen.get()).isGreaterThanOrEqualTo(due);
    }

    /** If each hand-over took as long as the pause between two looks, all of them would take half an hour. */
    @ParameterizedTest
    @Tag("verify")
    @ValueSource(booleans = {true, false})
    void aConsumerThatHasWaitedLongIsWokenAtOnce(boolean isVirtual) throws Exception {
        AtomicLong read = new AtomicLong(-1);
        try (Queue queue = open(); Consumer consumer = queue.group("g").consumer()) {
            FutureTask<Void> reading = new FutureTask<>(() -> {
                for (int i = 0; i < ROUNDS; i++) {
                    try (Delivery delivery = Objects.requireNonNull(consumer.poll(LONG))) {
                        delivery.acknowledge();
                        read.set(delivery.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
                    }
                }
                return null;
            });
            Thread thread = isVirtual ? Thread.ofVirtual().start(reading) : Thread.ofPlatform().start(reading);
            for (long i = 0; i < ROUNDS; i++) {
                long number = i;
                queue.append(8, to -> to.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number));
                while (read.get() != number) {
                    LockSupport.parkNanos(1);
                    assertThat(reading.isDone() && read.get() != number).isFalse();
                }
                if (i % (ROUNDS / 5) == 0) {
                    // Until it looks seldom.
                    Thread.sleep(50);
                }
            }
            reading.get();
            thread.join();
        }
    }

    @Test
    void whoeverWaitsBecauseTooMuchIsNotAcknowledgedIsWoken() throws Exception {
        try (Queue queue = open();
                Consumer holding = queue.group("g").consumer();
                Consumer waiting = queue.group("g").consumer()) {
            int rounds = 50;
            Polls.append(queue, GroupLayout.OFFSETS + rounds * GroupLayout.WORD_OFFSETS, 0);
            Polls.all(holding, 10_000, Polls.SKIP);
            SynchronousQueue<Integer> taken = new SynchronousQueue<>();
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < rounds; i++) {
                        taken.put(waiting.poll(1000, LONG, Polls.SKIP));
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            for (int i = 1; i <= rounds; i++) {
                Polls.untilWaiting(thread);
                assertThat(holding.acknowledgeUpTo((long) i * GroupLayout.WORD_OFFSETS - 1))
                        .isEqualTo(GroupLayout.WORD_OFFSETS);
                assertThat(taken.take()).isEqualTo(GroupLayout.WORD_OFFSETS);
            }
            thread.join();
        }
    }

    @Test
    void aConsumerThatIsClosedAfterTheGroupWasMovedDoesNotWait() throws Exception {
        try (Queue queue = open()) {
            Consumer consumer = queue.group("g").consumer();
            queue.append(new byte[1]);
            consumer.poll(1, Polls.SKIP);
            FutureTask<Boolean> waiting = new FutureTask<>(() -> {
                try {
                    consumer.poll(LONG);
                    return false;
                } catch (IllegalStateException e) {
                    return true;
                }
            });
            Thread thread = Thread.ofPlatform().start(waiting);
            Polls.untilWaiting(thread);
            queue.group("g").seekToEnd();
            consumer.close();
            assertThat(waiting.get()).isTrue();
            thread.join();
        }
    }
}
