package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A null that a method does not take is refused with the name of its parameter, and nothing happens. */
@SuppressWarnings("NullAway") // what a caller without such a check can do
class NullArgumentsTest extends OpenQueue {
    private static void refuses(String name, ThrowingCallable call) {
        assertThatExceptionOfType(NullPointerException.class).isThrownBy(call).withMessage(name);
    }

    private static List<MemorySegment> withNull(int at) {
        List<MemorySegment> payloads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            payloads.add(i == at ? null : MemorySegment.ofArray(new byte[8]));
        }
        return payloads;
    }

    @Test
    void payloads() {
        MemorySegment there = MemorySegment.ofArray(new byte[8]);
        refuses("payload", () -> queue.append((MemorySegment) null));
        refuses("payload", () -> queue.append((byte[]) null));
        refuses("payload", () -> queue.append((ByteBuffer) null));
        refuses("first", () -> queue.append(null, there));
        refuses("second", () -> queue.append(there, null));
        refuses("writer", () -> queue.append(8, null));
        refuses("payloads", () -> queue.append((List<MemorySegment>) null));
        refuses("payloads[1]", () -> queue.append(withNull(1)));
        refuses("payloads[0]", () -> queue.append(Arrays.asList(null, there)));
        for (Durability durability : List.of(Durability.PAGE_CACHE, Durability.SYNCED,
                Durability.groupCommit(Duration.ofSeconds(1), 1000))) {
            Appender appender = queue.with(durability);
            refuses("payload", () -> appender.append((MemorySegment) null));
            refuses("payload", () -> appender.append((byte[]) null));
            refuses("payload", () -> appender.append((ByteBuffer) null));
            refuses("first", () -> appender.append(null, there));
            refuses("second", () -> appender.append(there, null));
            refuses("writer", () -> appender.append(8, null));
            refuses("payloads", () -> appender.append((List<MemorySegment>) null));
            refuses("payloads[2]", () -> appender.append(withNull(2)));
        }
        AsyncAppender appender = queue.async();
        refuses("payload", () -> appender.append((MemorySegment) null));
        refuses("payload", () -> appender.append((byte[]) null));
        refuses("payload", () -> appender.append((ByteBuffer) null));
        refuses("first", () -> appender.append(null, there));
        refuses("second", () -> appender.append(there, null));
        refuses("writer", () -> appender.append(8, null));
        refuses("payloads", () -> appender.append((List<MemorySegment>) null));
        refuses("payloads[0]", () -> appender.append(withNull(0)));
        assertThat(queue.nextOffset()).isZero();
    }

    @Test
    void values() {
        TypedQueue<String> typed = new TypedQueue<>(queue, Codec.utf8());
        refuses("durability", () -> typed.with(null));
        refuses("group", () -> typed.consumer(null));
        refuses("value", () -> typed.append(null));
        refuses("values", () -> typed.appendAll(null));
        refuses("value", () -> typed.with(Durability.SYNCED).append(null));
        refuses("values", () -> typed.with(Durability.SYNCED).appendAll(null));
        refuses("value", () -> typed.async().append(null));
        refuses("values", () -> typed.async().appendAll(null));
        TypedQueue<String> broken = new TypedQueue<>(queue, Codec.of(_ -> null, String::new));
        refuses("the bytes from the encoder", () -> broken.append("a"));
        refuses("the bytes from the encoder", () -> broken.appendAll(List.of("a")));
        refuses("lookup", () -> Codec.ofRecord(null, Lag.class));
        refuses("type", () -> Codec.ofRecord(MethodHandles.lookup(), null));
        assertThat(queue.nextOffset()).isZero();
    }

    @Test
    void options() {
        refuses("options", () -> Queue.open(temporary.resolve("other"), null).close());
        refuses("durability", () -> queue.with(null));
        refuses("name", () -> queue.group(null));
        refuses("options", () -> queue.group("group", null));
        refuses("name", () -> queue.findGroup(null));
        refuses("name", () -> queue.deleteGroup(null));
        refuses("timeout", () -> new QueueOptions().fullTimeout(null));
        refuses("time", () -> new QueueOptions().keepFor(null));
        refuses("durability", () -> new QueueOptions().durability(null));
        refuses("verification", () -> new QueueOptions().verifyReads(null));
        refuses("time", () -> new GroupOptions().visibilityTimeout(null));
        refuses("time", () -> new GroupOptions().delay(null));
        refuses("queue", () -> new GroupOptions().deadLetters(1, (Queue) null));
        refuses("handler", () -> new GroupOptions().deadLetters(1, (DeadLetterHandler) null));
        refuses("interval", () -> Durability.groupCommit(null, 1));
        refuses("progress", () -> QueueFiles.verify(directory(), (LongConsumer) null));
        refuses("progress", () -> QueueFiles.repair(directory(), (LongConsumer) null));
        refuses("name", () -> QueueFiles.deleteTailer(directory(), null));
        refuses("name", () -> Tailer.open(directory(), null).close());
        refuses("record", () -> DeadLetter.read(null));
        refuses("record", () -> DeadLetter.isDeadLetter(null));
        assertThat(queue.groups()).isEmpty();
        assertThat(temporary.resolve("other")).doesNotExist();
    }

    @Test
    void readers() {
        Polls.append(queue, "a");
        ConsumerGroup group = queue.group("group");
        try (Consumer consumer = group.consumer(); Tailer tailer = Tailer.open(directory())) {
            refuses("timeout", () -> consumer.poll(null));
            refuses("handler", () -> consumer.poll(1, (RecordHandler) null));
            refuses("timeout", () -> consumer.poll(1, null, Polls.SKIP));
            refuses("visitor", () -> consumer.visit(1, (RecordVisitor) null));
            refuses("timeout", () -> consumer.visit(1, null, _ -> {
            }));
            refuses("time", () -> group.seek(null));
            refuses("timeout", () -> tailer.poll((Duration) null));
            refuses("time", () -> tailer.seek((Instant) null));
            assertThat(consumer.visit(1, record -> refuses("buffer", () -> record.get((MemorySegment) null)))).isOne();
            consumer.giveBack(0);
            try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                refuses("offsets", () -> consumer.acknowledge(null));
                refuses("delay", () -> consumer.giveBack(0, null));
                refuses("time", () -> consumer.extend(0, null));
                refuses("reason", () -> consumer.reject(0, null));
                refuses("delay", () -> delivery.giveBack(null));
                refuses("time", () -> delivery.extend(null));
                refuses("reason", () -> delivery.reject(null));
                assertThat(delivery.acknowledge()).isTrue();
            }
        }
    }
}
