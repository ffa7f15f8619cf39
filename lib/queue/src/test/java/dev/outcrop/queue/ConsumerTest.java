package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.Uninterrupted;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One consumer, or a few, in one run. */
class ConsumerTest extends OpenQueue {
    private static final Duration LONG = Duration.ofMinutes(2);

    private ConsumerGroup group;
    private Consumer consumer;

    @Test
    void whatWasNotShownYetIsNotAcknowledged() {
        Polls.appendNumbers(queue, 0, 100);
        List<Long> shown = new ArrayList<>();
        try (Consumer consumer = group.consumer()) {
            assertThatThrownBy(() -> consumer.poll(100, (offset, _, _) -> {
                shown.add(offset);
                assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(1);
                if (offset == 40) {
                    throw new IllegalStateException("on purpose");
                }
            })).hasMessage("on purpose");
            assertThat(group.position()).isEqualTo(41);
            assertThat(consumer.poll(100, (offset, _, _) -> shown.add(offset))).isEqualTo(59);
            assertThat(shown).isEqualTo(range(0, 100));
            assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(59);
        }
        assertThat(group.lag().records()).isZero();
    }

    @Override
    @BeforeEach
    void open() {
        options = new QueueOptions().segmentSize(1 << 20);
        super.open();
        group = queue.group("group");
        consumer = group.consumer();
    }

    private static Delivery polled(Consumer consumer) {
        return Objects.requireNonNull(consumer.poll());
    }

    // --- Polling ---

    @Test
    void recordsComeInOrder() {
        Polls.append(queue, "a", "b", "", "d");
        assertThat(Polls.poll(consumer, 3)).containsExactly("0 a", "1 b", "2 ");
        assertThat(Polls.poll(consumer, 3)).containsExactly("3 d");
        assertThat(Polls.poll(consumer, 3)).isEmpty();
        assertThat(consumer.poll()).isNull();
        assertThat(group.inFlight()).isEqualTo(4);
        Polls.append(queue, "e");
        assertThat(Polls.poll(consumer, 1)).containsExactly("4 e");
    }

    @Test
    void aDeliverySaysWhatThereIsToKnow() {
        // The queue's clock stands still while its thread does not get to run.
        Instant before = Instant.now().minusSeconds(60);
        Polls.append(queue, "first", "second");
        try (Delivery first = polled(consumer); Delivery second = polled(consumer)) {
            assertThat(Polls.text(first.segment())).isEqualTo("first");
            assertThat(Polls.text(second.segment())).isEqualTo("second");
            assertThat(second.offset()).isEqualTo(1);
            assertThat(second.deliveries()).isEqualTo(1);
            assertThat(second.time()).isAfter(before).isBefore(Instant.now().plusSeconds(60));
            assertThat(second.segment().isReadOnly()).isTrue();
            assertThat(second.acknowledge()).isTrue();
            assertThat(second.acknowledge()).isFalse();
            assertThat(first.giveBack()).isTrue();
            assertThat(first).hasToString("delivery of record 0, 5 bytes: \"first\"");
        }
        assertThat(Polls.pollCounts(consumer, 10)).containsExactly("0 2");
    }

    @Test
    void aDeliveryShowsHowItBeginsAsLongAsItCanBeRead() throws Exception {
        Polls.append(queue, "x".repeat(41));
        queue.append(new byte[]{0, (byte) 0xFF});
        Delivery text = polled(consumer);
        assertThat(text).hasToString("delivery of record 0, 41 bytes: \"" + "x".repeat(40) + "\"…");
        try (Delivery bytes = polled(consumer)) {
            assertThat(bytes).hasToString("delivery of record 1, 2 bytes: 0x00ff");
            AtomicReference<String> elsewhere = new AtomicReference<>("");
            Thread.ofPlatform().start(() -> elsewhere.set(bytes.toString())).join();
            assertThat(elsewhere.get()).isEqualTo("delivery of record 1, 2 bytes: what cannot be read here");
        }
        text.close();
        assertThat(text).hasToString("delivery of record 0, 41 bytes, closed");
    }

    @Test
    void aDeliveryThatWasGivenBackSaysNothingAboutTheNextOne() {
        Polls.append(queue, "a");
        try (Delivery first = polled(consumer)) {
            assertThat(first.giveBack()).isTrue();
            try (Delivery second = polled(consumer)) {
                assertThat(second.deliveries()).isEqualTo(2);
                assertThatThrownBy(first::acknowledge).isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("record 0").hasMessageContaining("given back");
                assertThatThrownBy(first::giveBack).isInstanceOf(IllegalArgumentException.class);
                assertThat(group.inFlight()).isEqualTo(1);
                assertThat(second.acknowledge()).isTrue();
            }
        }
        assertThat(group.position()).isEqualTo(1);
    }

    @Test
    void payloadsEndWithTheirDelivery() {
        Polls.append(queue, "a");
        Delivery delivery = polled(consumer);
        MemorySegment payload = delivery.segment();
        delivery.close();
        delivery.close();
        assertThatThrownBy(() -> payload.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(delivery::segment).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("delivery of record 0 is closed");
        assertThatThrownBy(delivery::acknowledge).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(delivery::giveBack).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThat(delivery.offset()).isZero();
        // Closing it says nothing about the record.
        assertThat(group.inFlight()).isEqualTo(1);
        assertThat(consumer.acknowledge(0)).isTrue();
    }

    @Test
    void payloadsEndWithThePoll() {
        Polls.appendNumbers(queue, 0, 1000);
        List<MemorySegment> kept = new ArrayList<>();
        assertThat(consumer.poll(1000, (_, payload, _) -> kept.add(payload))).isEqualTo(1000);
        assertThat(kept).hasSize(1000).allSatisfy(payload -> assertThatThrownBy(
                () -> payload.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class));
    }

    @Test
    void payloadsCannotBeWritten() {
        Polls.append(queue, "a");
        consumer.poll(1, (_, payload, _) -> assertThatThrownBy(() -> payload.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
                .isInstanceOf(IllegalArgumentException.class));
        consumer.giveBack(0);
        assertThat(Polls.poll(consumer, 1)).containsExactly("0 a");
    }

    @Test
    void aDeliveryOutlivesItsConsumerAndTheQueue() {
        Polls.append(queue, "a");
        try (Delivery delivery = polled(consumer)) {
            consumer.close();
            assertThatThrownBy(delivery::acknowledge).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("consumer of group group is closed");
            queue.close();
            assertThat(Polls.text(delivery.segment())).isEqualTo("a");
            assertThatThrownBy(delivery::giveBack).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void largeAndSmallRecordsComeAsTheyAre() {
        int[] sizes = {0, 1, 7, 8, 9, 4096, 100_000, 300_000, 1_000_000, 5};
        for (int size : sizes) {
            byte[] payload = new byte[size];
            Arrays.fill(payload, (byte) size);
            queue.append(payload);
        }
        List<Integer> found = new ArrayList<>();
        assertThat(consumer.poll(100, (offset, payload, _) -> {
            byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
            byte[] expected = new byte[sizes[(int) offset]];
            Arrays.fill(expected, (byte) expected.length);
            assertThat(bytes).isEqualTo(expected);
            found.add(bytes.length);
        })).isEqualTo(sizes.length);
        assertThat(found).containsExactly(IntStream.of(sizes).boxed().toArray(Integer[]::new));
    }

    // --- Waiting ---

    @Test
    void waitsForARecord() throws Exception {
        FutureTask<String> waiting = new FutureTask<>(() -> {
            try (Delivery delivery = consumer.poll(LONG)) {
                return delivery == null ? "none" : Polls.text(delivery.segment());
            }
        });
        Polls.untilWaiting(Thread.ofVirtual().start(waiting));
        Polls.append(queue, "a");
        assertThat(waiting.get()).isEqualTo("a");

        FutureTask<Integer> batch = new FutureTask<>(() -> consumer.poll(10, LONG, Polls.SKIP));
        Polls.untilWaiting(Thread.ofPlatform().start(batch));
        Polls.append(queue, "b");
        assertThat(batch.get()).isEqualTo(1);
    }

    @Test
    void waitsNoLongerThanItWasTold() throws Exception {
        long start = System.nanoTime();
        assertThat(consumer.poll(Duration.ofMillis(30))).isNull();
        assertThat(consumer.poll(5, Duration.ofMillis(30), Polls.SKIP)).isZero();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(60_000_000);
        assertThat(consumer.poll(Duration.ZERO)).isNull();
    }

    @Test
    void isInterruptedWhileItWaits() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                consumer.poll(LONG);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        Polls.untilWaiting(waiting);
        waiting.interrupt();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void isToldThatTheQueueWasClosedWhileItWaits() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Consumer other = group.consumer();
        Thread waiting = Thread.ofPlatform().start(() -> {
            try {
                consumer.poll(LONG);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        AtomicReference<Throwable> thrownToOther = new AtomicReference<>();
        Thread otherWaiting = Thread.ofPlatform().start(() -> {
            try {
                other.poll(1, LONG, Polls.SKIP);
            } catch (Throwable e) {
                thrownToOther.set(e);
            }
        });
        Polls.untilWaiting(waiting);
        Polls.untilWaiting(otherWaiting);
        other.close();
        otherWaiting.join();
        assertThat(thrownToOther.get()).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("consumer of group");
        queue.close();
        waiting.join();
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed")
                .hasMessageContaining("group");
    }

    // --- Acknowledging ---

    @Test
    void acknowledgesInAnyOrder() {
        Polls.appendNumbers(queue, 0, 6);
        Polls.poll(consumer, 6);
        assertThat(group.lag().records()).isEqualTo(6);
        assertThat(consumer.acknowledge(3)).isTrue();
        assertThat(consumer.acknowledge(1)).isTrue();
        assertThat(group.position()).isZero();
        assertThat(group.lag().records()).isEqualTo(4);
        assertThat(group.inFlight()).isEqualTo(4);
        assertThat(consumer.acknowledge(0)).isTrue();
        assertThat(group.position()).isEqualTo(2);
        assertThat(consumer.acknowledge(new long[]{5, 2, 5, 3})).isEqualTo(2);
        assertThat(group.position()).isEqualTo(4);
        assertThat(group.lag().records()).isEqualTo(1);
        assertThat(consumer.acknowledge(4)).isTrue();
        assertThat(group.position()).isEqualTo(6);
        assertThat(group.lag().records()).isZero();
        assertThat(group.inFlight()).isZero();
    }

    @Test
    void acknowledgingTwiceIsHarmless() {
        Polls.append(queue, "a", "b");
        Polls.poll(consumer, 2);
        assertThat(consumer.acknowledge(1)).isTrue();
        assertThat(consumer.acknowledge(1)).isFalse();
        assertThat(consumer.acknowledge(0)).isTrue();
        assertThat(consumer.acknowledge(0)).isFalse();
        assertThat(consumer.acknowledge(1)).isFalse();
    }

    @Test
    void acknowledgesUpToARecordWhatItHolds() {
        Consumer other = group.consumer();
        Polls.appendNumbers(queue, 0, 100);
        for (int i = 0; i < 100; i++) {
            Polls.poll(i % 3 == 0 ? other : consumer, 1);
        }
        assertThat(consumer.acknowledgeUpTo(10)).isEqualTo(7);
        assertThat(consumer.acknowledgeUpTo(10)).isZero();
        assertThat(group.position()).isZero();
        assertThat(other.acknowledgeUpTo(10)).isEqualTo(4);
        assertThat(group.position()).isEqualTo(11);
        assertThat(other.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(30);
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(59);
        assertThat(group.position()).isEqualTo(100);
        assertThatThrownBy(() -> consumer.acknowledgeUpTo(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void acknowledgesUpToARecordAlsoWhatItGotLater() {
        Consumer other = group.consumer();
        Polls.appendNumbers(queue, 0, 10);
        Polls.poll(other, 1);
        Polls.poll(consumer, 5);
        assertThat(consumer.acknowledgeUpTo(5)).isEqualTo(5);
        other.giveBack(0);
        assertThat(Polls.poll(consumer, 2)).containsExactly("0 0", "6 6");
        assertThat(consumer.acknowledgeUpTo(5)).isEqualTo(1);
        assertThat(group.position()).isEqualTo(6);
    }

    @Test
    void doesNotAcknowledgeWhatItDoesNotHold() {
        Consumer other = group.consumer();
        Polls.appendNumbers(queue, 0, 5);
        Polls.poll(consumer, 2);
        Polls.poll(other, 1);
        for (long offset : new long[]{2, 3, 4, 5, 100_000, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> consumer.acknowledge(offset)).as("%d", offset)
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Record " + offset)
                    .hasMessageContaining("not delivered to it").hasMessageContaining("group group");
        }
        assertThatThrownBy(() -> consumer.acknowledge(new long[]{0, 1, 2})).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Record 2");
        assertThat(group.position()).isZero();
        assertThat(group.inFlight()).isEqualTo(3);
        consumer.giveBack(1);
        assertThatThrownBy(() -> consumer.acknowledge(1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("given it back");
        assertThatThrownBy(() -> consumer.giveBack(1)).isInstanceOf(IllegalArgumentException.class);
    }

    // --- Giving back ---

    @Test
    void whatIsGivenBackComesFirstInOrder() {
        Polls.appendNumbers(queue, 0, 200);
        Polls.poll(consumer, 150);
        for (long offset : new long[]{140, 3, 77, 64, 63}) {
            assertThat(consumer.giveBack(offset)).isTrue();
        }
        assertThat(Polls.pollCounts(consumer, 4)).containsExactly("3 2", "63 2", "64 2", "77 2");
        consumer.giveBack(5);
        consumer.giveBack(3);
        assertThat(Polls.pollCounts(consumer, 5)).containsExactly("3 3", "5 2", "140 2", "150 1", "151 1");
        assertThat(consumer.acknowledge(3)).isTrue();
        assertThat(consumer.giveBack(3)).isFalse();
    }

    @Test
    void whatIsGivenBackWithADelayComesLater() throws Exception {
        Polls.append(queue, "a", "b", "c");
        Polls.poll(consumer, 2);
        consumer.giveBack(0, LONG.multipliedBy(1000));
        // New records are delivered before.
        try (Delivery third = polled(consumer)) {
            assertThat(third.offset()).isEqualTo(2);
        }
        // Records with less delay come first, and not too early; two that are due may come in any order.
        long start = System.nanoTime();
        consumer.giveBack(1, Duration.ofMillis(60));
        consumer.giveBack(2, Duration.ofMillis(30));
        Set<Long> again = new TreeSet<>();
        for (int i = 0; i < 2; i++) {
            try (Delivery one = Objects.requireNonNull(consumer.poll(LONG))) {
                again.add(one.offset());
                assertThat(one.deliveries()).isEqualTo(2);
                assertThat(System.nanoTime() - start)
                        .isGreaterThanOrEqualTo(one.offset() == 1 ? 60_000_000 : 30_000_000);
            }
        }
        assertThat(again).containsExactly(1L, 2L);
        assertThat(consumer.poll()).isNull();
        assertThat(consumer.giveBack(1, Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
        assertThat(consumer.poll()).isNull();
        assertThat(group.lag().records()).isEqualTo(3);
    }

    @Test
    void manyDelaysEndInTheirOrder() throws Exception {
        Polls.appendNumbers(queue, 0, 100);
        Polls.poll(consumer, 100);
        for (int i = 0; i < 100; i++) {
            consumer.giveBack(i * 37L % 100, i % 7 == 0 ? Duration.ofHours(1) : Duration.ofMinutes(1 + i % 5));
        }
        queue.advance(Duration.ofMinutes(10));
        // All that are due, in the order of offsets.
        List<Long> expected = IntStream.range(0, 100).filter(i -> i % 7 != 0).mapToObj(i -> i * 37L % 100).sorted()
                .toList();
        assertThat(Polls.offsets(consumer)).isEqualTo(expected);
    }

    @Test
    void closingGivesBack() {
        Consumer other = group.consumer();
        Polls.appendNumbers(queue, 0, 10);
        Polls.poll(consumer, 3);
        Polls.poll(other, 2);
        Polls.poll(consumer, 2);
        consumer.acknowledge(1);
        consumer.close();
        consumer.close();
        assertThat(group.inFlight()).isEqualTo(2);
        assertThat(Polls.pollCounts(other, 10)).containsExactly("0 2", "2 2", "5 2", "6 2", "7 1", "8 1", "9 1");
        assertThat(other.acknowledgeUpTo(100)).isEqualTo(9);
        assertThat(group.position()).isEqualTo(10);
    }

    @Test
    void aClosedConsumerSaysSo() {
        Polls.append(queue, "a");
        Polls.poll(consumer, 1);
        consumer.close();
        List<ThrowingCallable> calls = List.of(() -> consumer.poll(),
                () -> consumer.poll(Duration.ZERO), () -> Polls.poll(consumer, 1), () -> consumer.acknowledge(0),
                () -> consumer.acknowledge(new long[]{0}), () -> consumer.acknowledgeUpTo(0),
                () -> consumer.giveBack(0), () -> consumer.giveBack(0, Duration.ofMillis(1)));
        assertThat(calls).allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This consumer of group group is closed"));
        assertThat(consumer).hasToString("consumer 1 of group group");
    }

    // --- Handlers ---

    @Test
    void whatAHandlerHasNotAcknowledgedWhenItThrowsIsGivenBack() {
        Polls.appendNumbers(queue, 0, 1000);
        assertThat(Polls.poll(consumer, 10)).hasSize(10);
        assertThatThrownBy(() -> consumer.poll(900, (offset, _, _) -> {
            if (offset % 2 == 0) {
                consumer.acknowledge(offset);
            }
            if (offset == 501) {
                throw new UnsupportedOperationException("at " + offset);
            }
        })).isInstanceOf(UnsupportedOperationException.class).hasMessage("at 501");
        // It still holds the records of the first poll.
        assertThat(group.inFlight()).isEqualTo(10);
        List<String> again = Polls.pollCounts(consumer, 2000);
        List<String> expected = new ArrayList<>();
        for (int i = 11; i < 1000; i += i < 501 ? 2 : 1) {
            expected.add(i + (i <= 501 ? " 2" : " 1"));
        }
        assertThat(again).isEqualTo(expected);
    }

    @Test
    void aHandlerMayCloseItsConsumer() {
        Polls.appendNumbers(queue, 0, 10);
        assertThat(consumer.poll(10, (offset, _, _) -> {
            if (offset == 1) {
                consumer.acknowledge(offset);
            } else if (offset == 3) {
                consumer.close();
            }
        })).isEqualTo(4);
        assertThat(Polls.pollCounts(group.consumer(), 10)).containsExactly("0 2", "2 2", "3 2", "4 1", "5 1", "6 1",
                "7 1", "8 1", "9 1");
    }

    @Test
    void aHandlerMayCloseTheQueue() {
        Polls.appendNumbers(queue, 0, 10);
        List<String> seen = new ArrayList<>();
        assertThat(consumer.poll(10, (offset, payload, _) -> {
            if (offset == 2) {
                consumer.acknowledge(offset);
                queue.close();
            }
            seen.add(Polls.text(payload));
        })).isEqualTo(3);
        assertThat(seen).containsExactly("0", "1", "2");
        assertThatThrownBy(() -> consumer.acknowledge(0)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("queue").hasMessageContaining("closed");
        consumer.close();
        queue = Queue.open(directory());
        assertThat(Polls.poll(queue.group("group").consumer(), 3)).containsExactly("0 0", "1 1", "3 3");
    }

    @Test
    void aHandlerMayMoveTheGroup() {
        Polls.appendNumbers(queue, 0, 10);
        assertThat(consumer.poll(10, (offset, _, _) -> {
            if (offset == 2) {
                group.seek(7);
            }
        })).isEqualTo(3);
        assertThat(consumer.acknowledge(1)).isFalse();
        assertThat(Polls.poll(consumer, 10)).containsExactly("7 7", "8 8", "9 9");
    }

    @Test
    void aHandlerMayUseEverythingElse() {
        Polls.append(queue, "a", "b");
        List<String> seen = new ArrayList<>();
        assertThat(consumer.poll(1, (offset, _, _) -> {
            try (Delivery next = polled(consumer)) {
                seen.add(Polls.text(next.segment()));
                next.acknowledge();
            }
            consumer.acknowledge(offset);
            Polls.append(queue, "c");
            assertThat(group.lag().records()).isEqualTo(1);
        })).isEqualTo(1);
        assertThat(seen).containsExactly("b");
        assertThat(group.position()).isEqualTo(2);
    }

    @Test
    void twoPollsAtOnceAreRefused() throws Exception {
        Polls.append(queue, "a", "b");
        consumer.poll(1, (_, _, _) -> assertThatThrownBy(() -> Polls.poll(consumer, 1))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("is being polled"));
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        Thread polling = Thread.ofPlatform().start(() -> consumer.poll(1, (_, _, _) -> {
            entered.countDown();
            Uninterrupted.await(leave::await);
        }));
        assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
        assertThatThrownBy(() -> Polls.poll(consumer, 1)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Make one consumer for each thread");
        // Everything else can be used meanwhile.
        assertThat(consumer.acknowledge(1)).isTrue();
        assertThat(consumer.poll()).isNull();
        leave.countDown();
        polling.join(60_000);
        assertThat(Polls.poll(consumer, 1)).isEmpty();
    }

    @Test
    void closingWhileAHandlerRunsEndsThePollBehindIt() throws Exception {
        Polls.appendNumbers(queue, 0, 5);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        FutureTask<Integer> polling = new FutureTask<>(() -> consumer.poll(5, (_, payload, _) -> {
            entered.countDown();
            Uninterrupted.await(leave::await);
            assertThat(Polls.text(payload)).isEqualTo("0");
        }));
        Thread.ofPlatform().start(polling);
        assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
        consumer.close();
        assertThat(Polls.poll(group.consumer(), 5)).hasSize(5);
        leave.countDown();
        assertThat(polling.get()).isEqualTo(1);
    }

    @Test
    void badArgumentsAreRefused() {
        assertThatThrownBy(() -> consumer.poll(0, Polls.SKIP)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max").hasMessageContaining("0");
        assertThatThrownBy(() -> nullHandler(consumer)).isInstanceOf(NullPointerException.class).hasMessage("handler");
    }

    @SuppressWarnings("NullAway") // what a caller without such a check can do
    private static void nullHandler(Consumer consumer) {
        consumer.poll(1, (RecordHandler) null);
    }

    // --- Threads ---

    @Test
    void aConsumerMovesBetweenThreads() throws Exception {
        Polls.appendNumbers(queue, 0, 30);
        for (int i = 0; i < 30; i += 3) {
            int first = i;
            FutureTask<List<String>> task = new FutureTask<>(() -> Polls.take(consumer, 3));
            if (i % 2 == 0) {
                Thread.ofVirtual().start(task);
            } else {
                Thread.ofPlatform().start(task);
            }
            assertThat(task.get()).containsExactly(first + " " + first,
                    first + 1 + " " + (first + 1), first + 2 + " " + (first + 2));
        }
        assertThat(group.position()).isEqualTo(30);
    }

    @Test
    void payloadsAreForTheThreadThatPolledThem() throws Exception {
        Polls.append(queue, "a");
        Delivery delivery = polled(consumer);
        FutureTask<Boolean> other = new FutureTask<>(() -> {
            assertThatThrownBy(() -> delivery.segment().get(ValueLayout.JAVA_BYTE, 0))
                    .isInstanceOf(WrongThreadException.class);
            assertThatThrownBy(delivery::close).isInstanceOf(WrongThreadException.class);
            assertThat(delivery.acknowledge()).isTrue();
            return true;
        });
        Thread.ofPlatform().start(other);
        other.get();
        assertThat(Polls.text(delivery.segment())).isEqualTo("a");
        delivery.close();
    }

    // --- Withdrawn records ---

    @Test
    void withdrawnRecordsCountAsAcknowledged() {
        Polls.appendWithdrawn(queue);
        Polls.append(queue, "1");
        Polls.appendWithdrawn(queue);
        Polls.appendWithdrawn(queue);
        Polls.append(queue, "4");
        Polls.appendWithdrawn(queue);
        assertThat(Polls.poll(consumer, 10)).containsExactly("1 1", "4 4");
        assertThat(group.position()).isEqualTo(1);
        assertThat(group.lag().records()).isEqualTo(2);
        assertThat(consumer.acknowledge(2)).isFalse();
        consumer.acknowledge(4);
        assertThat(group.position()).isEqualTo(1);
        consumer.acknowledge(1);
        assertThat(group.position()).isEqualTo(6);
        assertThat(group.lag().records()).isZero();
    }

    // --- Exclusive ---

    @Test
    void anExclusiveConsumerIsTheOnlyOne() {
        consumer.close();
        queue.append(new byte[1]);
        try (Consumer alone = group.exclusiveConsumer()) {
            assertThatThrownBy(group::consumer).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("group").hasMessageContaining("exclusive");
            assertThatThrownBy(group::exclusiveConsumer).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("exclusive");
            assertThat(alone.poll(10, (offset, _, _) -> alone.acknowledge(offset))).isEqualTo(1);
            try (Consumer elsewhere = queue.group("another").consumer()) {
                assertThat(elsewhere.group().position()).isZero();
            }
        }
        group.consumer().close();
        group.exclusiveConsumer().close();
    }

    @Test
    void anExclusiveConsumerIsRefusedWhileThereAreOthers() {
        Consumer first = consumer;
        Consumer second = group.consumer();
        assertThatThrownBy(group::exclusiveConsumer).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 others are open");
        first.close();
        first.close();
        assertThatThrownBy(group::exclusiveConsumer).hasMessageContaining("1 other one is open");
        second.close();
        try (Consumer alone = group.exclusiveConsumer()) {
            // Closing one that is closed already does not let others in.
            second.close();
            assertThatThrownBy(group::consumer).isInstanceOf(IllegalStateException.class);
            group.seekToEnd();
            assertThatThrownBy(group::consumer).isInstanceOf(IllegalStateException.class);
            assertThat(alone.poll()).isNull();
        }
        group.consumer().close();
    }

    // --- Timeouts below zero: the deadline has passed, as in java.util.concurrent ---

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT-1S", "PT-9223372036854775808S"})
    void withANegativeTimeoutItTakesWhatIsThereAndWaitsForNothing(Duration timeout) throws Exception {
        try (Tailer tailer = Tailer.open(directory())) {
            assertThat(consumer.poll(timeout)).isNull();
            assertThat(consumer.poll(1, timeout, Polls.SKIP)).isZero();
            assertThat(consumer.visit(1, timeout, _ -> {
            })).isZero();
            assertThat(tailer.poll(timeout)).isFalse();

            Polls.append(queue, 3, 1);
            try (Delivery delivery = consumer.poll(timeout)) {
                assertThat(delivery).isNotNull();
            }
            assertThat(consumer.poll(1, timeout, Polls.SKIP)).isOne();
            assertThat(consumer.visit(1, timeout, _ -> {
            })).isOne();
            assertThat(tailer.poll(timeout)).isTrue();
        }
    }

    @Test
    void aDelayBelowZeroIsNone() {
        Duration delay = Duration.ofSeconds(-1);
        queue.append(new byte[1]);
        for (int deliveries = 1; deliveries < 4; deliveries++) {
            try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                assertThat(delivery.deliveries()).isEqualTo(deliveries);
                assertThat(deliveries == 1 ? delivery.giveBack(delay) : consumer.giveBack(0, delay)).isTrue();
            }
        }
    }

    // --- Times of records ---

    @Test
    void aHandlerIsToldWhenItsRecordWasAppended() throws Exception {
        List<Long> expected = new ArrayList<>();
        try (Tailer tailer = Tailer.open(queue.directory())) {
            while (expected.stream().distinct().count() < 3) {
                queue.append(new byte[1]);
                queue.advance(Duration.ofMillis(20));
                while (tailer.poll()) {
                    expected.add(tailer.time());
                }
            }
        }
        List<Long> found = new ArrayList<>();
        assertThat(consumer.poll(expected.size(), (_, _, _) -> found.add(consumer.time()))).isEqualTo(expected.size());
        assertThat(found).isEqualTo(expected).isSorted();
    }

    @Test
    void noRecordIsOlderThanTheOneBeforeIt() throws Exception {
        List<Long> found = new ArrayList<>();
        queue.append(1, _ -> {
            queue.append(new byte[1]);
            queue.advance(Duration.ofHours(1));
        });
        assertThat(consumer.poll(10, (_, _, _) -> found.add(consumer.time()))).isEqualTo(2);
        assertThat(found).isSorted();
    }

    @Test
    void nobodyElseIsToldATime() {
        queue.append(new byte[1]);
        assertThatThrownBy(consumer::time).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("No record is being shown").hasMessageContaining("group");
        assertThat(consumer.poll(1, (_, _, _) -> assertThatThrownBy(
                () -> CompletableFuture.supplyAsync(consumer::time).join())
                .hasRootCauseInstanceOf(IllegalStateException.class))).isEqualTo(1);
        assertThatThrownBy(consumer::time).isInstanceOf(IllegalStateException.class);
    }
}
