package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A group's records as streams: the present ones, and all. */
class StreamTest extends OpenQueue {

    private void append(int records) {
        for (int i = 0; i < records; i++) {
            queue.append(new byte[]{(byte) queue.nextOffset()});
        }
    }

    private static byte value(Delivery delivery) {
        return delivery.segment().get(ValueLayout.JAVA_BYTE, 0);
    }

    @Test
    void whatIsThereComesInItsOrderAndNotMore() {
        append(1000);
        try (Consumer consumer = queue.group("group").consumer()) {
            List<Byte> values;
            try (Stream<Delivery> there = consumer.stream()) {
                append(10);
                values = there.peek(Delivery::acknowledge).map(StreamTest::value).toList();
            }
            assertThat(values).isEqualTo(IntStream.range(0, 1000).mapToObj(i -> (byte) i).toList());
            assertThat(queue.group("group").position()).isEqualTo(1000);
            assertThat(queue.group("group").inFlight()).isZero();
            try (Stream<Delivery> there = consumer.stream()) {
                assertThat(there.mapToLong(Delivery::offset)).hasSize(10);
            }
            try (Stream<Delivery> there = consumer.stream()) {
                assertThat(there).as("in its hands").isEmpty();
            }
            assertThat(queue.group("group").inFlight()).isEqualTo(10);
        }
        assertThat(queue.group("group").lag().records()).isEqualTo(10);
    }

    @Test
    void aDeliveryEndsWithTheNextOneOrTheStream() {
        append(5);
        List<Delivery> seen = new ArrayList<>();
        try (Consumer consumer = queue.group("group").consumer()) {
            try (Stream<Delivery> there = consumer.stream()) {
                Iterator<Delivery> iterator = there.iterator();
                seen.add(iterator.next());
                assertThat(value(seen.getFirst())).isZero();
                seen.add(iterator.next());
                assertThat(value(seen.getLast())).isEqualTo((byte) 1);
                assertThatIllegalStateException().isThrownBy(() -> seen.getFirst().segment());
            }
            assertThatIllegalStateException().isThrownBy(() -> seen.getLast().segment());
            assertThat(consumer.acknowledge(0)).isTrue();
            try (Stream<Delivery> there = consumer.stream()) {
                assertThat(there.limit(1).mapToLong(Delivery::offset)).containsExactly(2L);
            }
        }
    }

    @Test
    void whatIsGivenBackAtOnceDoesNotMakeItEndless() {
        append(5);
        try (Consumer consumer = queue.group("group").consumer(); Stream<Delivery> there = consumer.stream()) {
            assertThat(there.peek(Delivery::giveBack).mapToLong(Delivery::offset)).hasSize(5);
        }
    }

    /** The poll that puts it away goes on to the next one. */
    @Test
    void alsoBehindADeadRecordNothingComesThatWasAppendedLater() {
        append(2);
        List<Long> dead = new ArrayList<>();
        ConsumerGroup group = queue.group("group",
                new GroupOptions().deadLetters(1, letter -> dead.add(letter.offset())));
        try (Consumer consumer = group.consumer()) {
            for (long offset = 0; offset < 2; offset++) {
                assertThat(consumer.poll(1, Polls.SKIP)).isEqualTo(1);
            }
            assertThat(consumer.giveBack(0) && consumer.giveBack(1)).isTrue();
            try (Stream<Delivery> there = consumer.stream()) {
                append(2);
                assertThat(there.mapToLong(Delivery::offset)).isEmpty();
            }
            assertThat(dead).containsExactly(0L, 1L);
            try (Stream<Delivery> there = consumer.stream()) {
                assertThat(there.mapToLong(Delivery::offset)).containsExactly(2L, 3L);
            }
        }
    }

    /** Nor is it put away for a stream that ends before it. */
    @Test
    void whatIsDeadButCameLaterStays() {
        append(1);
        List<Long> dead = new ArrayList<>();
        ConsumerGroup group = queue.group("group",
                new GroupOptions().deadLetters(1, letter -> dead.add(letter.offset())));
        try (Consumer consumer = group.consumer(); Stream<Delivery> there = consumer.stream()) {
            append(1);
            try (Delivery first = Objects.requireNonNull(consumer.poll());
                    Delivery second = Objects.requireNonNull(consumer.poll())) {
                assertThat(first.acknowledge()).isTrue();
                assertThat(second.giveBack()).isTrue();
            }
            assertThat(there).isEmpty();
            assertThat(dead).isEmpty();
            assertThat(consumer.poll()).isNull();
            assertThat(dead).containsExactly(1L);
        }
    }

    @Test
    void followingGoesOnUntilTheConsumerIsClosed() throws InterruptedException {
        append(3);
        LinkedBlockingQueue<Long> offsets = new LinkedBlockingQueue<>();
        Consumer consumer = queue.group("group").consumer();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread following = follow(consumer, offsets, failure);
        for (long i = 0; i < 103; i++) {
            assertThat(offsets.take()).isEqualTo(i);
            if (i < 100) {
                append(1);
            }
        }
        // It waits: a record that it still had could not be acknowledged.
        consumer.close();
        following.join();
        assertThat(failure).hasNullValue();
    }

    @Test
    void followingEndsWithTheQueueOrAnInterrupt() throws InterruptedException {
        for (boolean isInterrupted : new boolean[]{true, false}) {
            LinkedBlockingQueue<Long> offsets = new LinkedBlockingQueue<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread following = follow(queue.group("group").consumer(), offsets, failure);
            append(1);
            assertThat(offsets.take()).isNotNegative();
            if (isInterrupted) {
                following.interrupt();
            } else {
                queue.close();
            }
            following.join();
            assertThat(failure).hasNullValue();
        }
    }

    private static Thread follow(Consumer consumer, LinkedBlockingQueue<Long> offsets,
            AtomicReference<Throwable> failure) {
        return Thread.ofPlatform().start(() -> {
            try (Stream<Delivery> all = consumer.follow()) {
                all.forEach(delivery -> {
                    delivery.acknowledge();
                    offsets.add(delivery.offset());
                });
            } catch (Throwable e) {
                failure.set(e);
            }
        });
    }

    @Test
    void aClosedConsumerHasNone() {
        Consumer consumer = queue.group("group").consumer();
        append(1);
        consumer.close();
        try (Stream<Delivery> there = consumer.stream()) {
            assertThatIllegalStateException().isThrownBy(there::findFirst);
        }
        try (Stream<Delivery> all = consumer.follow()) {
            assertThat(all).isEmpty();
        }
    }
}
