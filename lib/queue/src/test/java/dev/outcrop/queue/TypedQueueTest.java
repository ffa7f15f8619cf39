package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TypedQueueTest extends OpenQueue {
    private record Price(long instrument, double bid, double ask, int depth) {
    }

    private static final Codec<Price> PRICES = Codec.ofRecord(MethodHandles.lookup(), Price.class);

    @Test
    void handsOutValues() throws InterruptedException {
        TypedQueue<Price> prices = new TypedQueue<>(queue, PRICES);
        Price first = new Price(1, 99.5, 100.5, 7);
        Price second = new Price(2, 1, 2, 3);
        assertThat(prices.append(first)).isZero();
        assertThat(prices.append(second)).isEqualTo(1);
        assertThat(prices.queue()).isSameAs(queue);
        try (TypedConsumer<Price> consumer = prices.consumer("desk")) {
            Received<Price> received = Objects.requireNonNull(consumer.poll());
            assertThat(received.value()).isEqualTo(first);
            assertThat(received.offset()).isZero();
            assertThat(received.deliveries()).isEqualTo(1);
            assertThat(received.time()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
            assertThat(consumer.giveBack(0, Duration.ZERO)).isTrue();
            assertThat(Objects.requireNonNull(consumer.poll(Duration.ofSeconds(1))).deliveries()).isEqualTo(2);
            assertThat(consumer.acknowledge(0)).isTrue();
            List<Price> rest = new ArrayList<>();
            assertThat(consumer.poll(10, (_, value, _) -> rest.add(value))).isEqualTo(1);
            assertThat(rest).containsExactly(second);
            assertThat(consumer.poll(10, Duration.ZERO, (_, value, _) -> rest.add(value))).isZero();
            assertThat(consumer.acknowledgeUpTo(1)).isEqualTo(1);
            assertThat(consumer.poll()).isNull();
            assertThat(consumer.consumer().group().position()).isEqualTo(2);
            assertThat(consumer).hasToString("consumer 1 of group desk");
        }
    }

    @Test
    void goesToTheDiskWhenToldSo() throws Exception {
        TypedQueue<Price> prices = new TypedQueue<>(queue, PRICES);
        TypedQueue<String> lines = new TypedQueue<>(queue, Codec.utf8());
        TypedQueue<String> arrays = new TypedQueue<>(queue, Codec.of(text -> text.getBytes(StandardCharsets.UTF_8),
                bytes -> new String(bytes, StandardCharsets.UTF_8)));
        assertThat(prices.with(Durability.PAGE_CACHE).append(new Price(1, 2, 3, 4))).isZero();
        assertThat(queue.durableOffset()).isZero();
        assertThat(lines.with(Durability.SYNCED).append("a")).isEqualTo(1);
        assertThat(arrays.with(Durability.SYNCED).append("b")).isEqualTo(2);
        assertThat(queue.durableOffset()).isEqualTo(3);
        assertThat(lines.async().append("c").get()).isEqualTo(3);
        assertThat(arrays.async().append("d").get()).isEqualTo(4);
        assertThat(queue.durableOffset()).isEqualTo(5);
        assertThat(arrays.with(Durability.SYNCED).append("e")).isEqualTo(5);
        assertThat(Polls.texts(queue).subList(1, 6)).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void appendsSeveralAtOnce() throws Exception {
        List<Price> some = List.of(new Price(1, 2, 3, 4), new Price(5, 6, 7, 8), new Price(9, 10, 11, 12));
        TypedQueue<Price> prices = new TypedQueue<>(queue, PRICES);
        assertThat(prices.appendAll(some)).isZero();
        assertThat(prices.with(Durability.PAGE_CACHE).appendAll(some)).isEqualTo(3);
        assertThat(queue.durableOffset()).isZero();
        assertThat(prices.with(Durability.SYNCED).appendAll(some)).isEqualTo(6);
        assertThat(queue.durableOffset()).isEqualTo(9);
        assertThat(prices.async().appendAll(some).get()).isEqualTo(9);
        assertThat(queue.durableOffset()).isEqualTo(12);
        try (TypedConsumer<Price> consumer = prices.consumer("desk")) {
            List<Price> read = new ArrayList<>();
            assertThat(consumer.poll(20, (_, value, _) -> read.add(value))).isEqualTo(12);
            assertThat(read).isEqualTo(Stream.generate(() -> some).limit(4).flatMap(List::stream).toList());
        }
        Codec<String> text = Codec.of(value -> value.getBytes(StandardCharsets.UTF_8),
                bytes -> new String(bytes, StandardCharsets.UTF_8));
        assertThat(new TypedQueue<>(queue, text).appendAll(List.of("a", "", "b"))).isEqualTo(12);
        assertThat(Polls.texts(queue).subList(12, 15)).containsExactly("a", "", "b");
        List<Long> withNull = new ArrayList<>();
        withNull.add(1L);
        withNull.add(null);
        assertThatThrownBy(() -> new TypedQueue<>(queue, Codec.longs()).appendAll(withNull))
                .isInstanceOf(NullPointerException.class).hasMessage("value");
        assertThat(queue.nextOffset()).isEqualTo(15);
    }

    @Test
    void consumerDoesWhatThatOfBytesDoes() {
        TypedQueue<String> lines = new TypedQueue<>(queue, Codec.utf8());
        lines.appendAll(List.of("a", "b", "c"));
        try (TypedConsumer<String> consumer = lines.consumer("reader")) {
            assertThat(consumer.group()).isSameAs(queue.group("reader"));
            assertThat(consumer.poll(10, (_, _, _) -> {
            })).isEqualTo(3);
            assertThat(consumer.acknowledge(new long[]{2, 0})).isEqualTo(2);
            assertThat(consumer.giveBack(1)).isTrue();
            Received<String> again = Objects.requireNonNull(consumer.poll());
            assertThat(again.value()).isEqualTo("b");
            assertThat(again.deliveries()).isEqualTo(2);
            assertThat(consumer.acknowledge(1)).isTrue();
            assertThat(consumer.group().position()).isEqualTo(3);
        }
    }

    @Test
    void textAndNumbersAndBytes() {
        TypedQueue<String> lines = new TypedQueue<>(queue, Codec.utf8());
        lines.append("größer");
        lines.append("");
        new TypedQueue<>(queue, Codec.longs()).append(7L);
        new TypedQueue<>(queue, Codec.bytes()).append(new byte[]{'o', 'k'});
        TypedConsumer<String> consumer = lines.consumer("reader");
        List<String> read = new ArrayList<>();
        consumer.poll(10, (_, line, _) -> read.add(line));
        assertThat(read).containsExactly("größer", "", "\7\0\0\0\0\0\0\0", "ok");
    }

    /** The other half of {@link Codec}'s documentation. */
    @Test
    void takesJsonFromJackson() {
        Codec<Map<String, Object>> json = Codec.of(TypedQueueTest::write, TypedQueueTest::read);
        TypedQueue<Map<String, Object>> orders = new TypedQueue<>(queue, json);
        Map<String, Object> order = Map.of("customer", "Grüße & Co.", "items", List.of(1, 2, 3));
        orders.append(order);
        try (TypedConsumer<Map<String, Object>> consumer = orders.consumer("billing")) {
            assertThat(Objects.requireNonNull(consumer.poll()).value()).isEqualTo(order);
        }
        Polls.append(queue, "{ no json");
        try (TypedConsumer<Map<String, Object>> consumer = orders.consumer("checking")) {
            List<Object> seen = new ArrayList<>();
            assertThatThrownBy(() -> consumer.poll(10, (_, value, _) -> seen.add(value)))
                    .isInstanceOf(QueueException.class)
                    .hasMessageContaining("Record 1 of 9 bytes").hasRootCauseInstanceOf(IOException.class);
            assertThat(seen).containsExactly(order);
            // Both were given back, because neither was acknowledged.
            assertThat(Objects.requireNonNull(consumer.poll()).offset()).isZero();
            assertThatThrownBy(consumer::poll).isInstanceOf(QueueException.class).hasMessageContaining("Record 1");
            assertThat(consumer.consumer().group().inFlight()).isEqualTo(1);
            assertThat(Polls.pollCounts(consumer.consumer(), 1)).containsExactly("1 3");
        }
    }

    private static byte[] write(Map<String, Object> value) {
        try {
            return JSON.std.asBytes(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> read(byte[] bytes) {
        try {
            return JSON.std.mapFrom(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatACodecThrowsWithdrawsTheRecord() {
        TypedQueue<String> failing = new TypedQueue<>(queue, new Codec<String>() {
            @Override
            public long size(String value) {
                return 5;
            }

            @Override
            public void write(String value, MemorySegment to) {
                throw new UnsupportedOperationException(value);
            }

            @Override
            public String read(MemorySegment from) {
                return "";
            }
        });
        assertThatThrownBy(() -> failing.append("a")).isInstanceOf(UnsupportedOperationException.class).hasMessage("a");
        assertThat(Polls.poll(queue.group("group").consumer(), 1)).isEmpty();
        assertThat(queue.nextOffset()).isEqualTo(1);
    }

    @Test
    void sizesThatNoRecordCanHaveAreRefused() {
        Codec<Long> sized = new Codec<>() {
            @Override
            public long size(Long value) {
                return value;
            }

            @Override
            public void write(Long value, MemorySegment to) {
                to.fill((byte) 1);
            }

            @Override
            public Long read(MemorySegment from) {
                throw new BufferUnderflowException();
            }
        };
        TypedQueue<Long> values = new TypedQueue<>(queue, sized);
        for (long size : new long[]{-1, 1L << 40, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> values.append(size)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(size + " bytes");
            assertThatThrownBy(() -> values.appendAll(List.of(1L, size))).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(size + " bytes");
        }
        assertThat(queue.nextOffset()).isZero();
    }

    @Test
    void codecThatThrowsWithoutAMessageIsNamed() {
        TypedQueue<String> lines = new TypedQueue<>(queue, Codec.of(String::getBytes, bytes -> {
            throw new BufferUnderflowException();
        }));
        lines.append("a");
        assertThatThrownBy(lines.consumer("reader")::poll).isInstanceOf(QueueException.class)
                .hasMessageContaining("BufferUnderflowException").hasMessageNotContaining("null");
    }

    @Test
    void tooLargeValuesAreRefused() {
        TypedQueue<String> lines = new TypedQueue<>(queue, Codec.utf8());
        assertThatThrownBy(() -> lines.append("x".repeat(1 << 16))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65536 bytes");
        assertThat(queue.nextOffset()).isZero();
    }
}
