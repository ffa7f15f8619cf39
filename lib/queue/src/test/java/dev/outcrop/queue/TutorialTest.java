package dev.outcrop.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How to use a queue, in the order of docs/queue.md, which shows the parts between tags; the first is also in the README. */
class TutorialTest {
    @TempDir
    private Path directory;
    private long total;
    private int longest;

    @Test
    void appendAndConsume() throws InterruptedException {
        Path path = directory.resolve("orders");
        List<String> done = new ArrayList<>();
        // tag::readme[]
        try (Queue queue = Queue.open(path); Consumer consumer = queue.group("billing").consumer()) {
            long offset = queue.append("order 1".getBytes(UTF_8)); // survives kill -9 from here on
            queue.with(Durability.SYNCED).append("order 2".getBytes(UTF_8)); // and from here on a power cut

            consumer.poll(100, Duration.ofSeconds(1), (at, payload, deliveries) -> {
                done.add(new String(payload.toArray(ValueLayout.JAVA_BYTE), UTF_8)); // the bytes in the mapped file
                consumer.acknowledge(at); // otherwise it is delivered again
            });
            System.out.println("from record " + offset + " on: " + done);
        }
        // end::readme[]
        assertThat(done).containsExactly("order 1", "order 2");
    }

    @Test
    void visit() {
        MemorySegment buffer = Arena.ofAuto().allocate(100);
        try (Queue queue = Queue.open(directory.resolve("numbers"));
                Consumer consumer = queue.group("sum").consumer()) {
            MemorySegment payload = MemorySegment.ofArray(new byte[20]);
            for (long number = 1; number <= 3; number++) {
                payload.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
                queue.append(payload);
            }
            // tag::visit[]
            consumer.visit(100, record -> {
                total += record.get(ValueLayout.JAVA_LONG_UNALIGNED, 0); // in place; total is a field
                longest = Math.max(longest, record.get(buffer)); // into a segment of yours: copied, if it fits
                consumer.acknowledge(record.offset());
            });
            // end::visit[]
            assertThat(queue.group("sum").position()).isEqualTo(3);
        }
        assertThat(total).isEqualTo(6);
        assertThat(longest).isEqualTo(20);
        assertThat(buffer.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(3);
    }

    @Test
    void giveBack() {
        // tag::redelivery[]
        try (Queue queue = Queue.open(directory.resolve("mails"));
                Consumer consumer = queue.group("senders").consumer()) {
            queue.append("to Ann".getBytes(UTF_8));
            try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                if (send(delivery)) {
                    delivery.acknowledge();
                } else {
                    delivery.giveBack(Duration.ofSeconds(30)); // to any consumer of the group, not before that
                }
            }
        }
        // end::redelivery[]
    }

    @Test
    void deadLetters() throws InterruptedException {
        List<String> dead = new ArrayList<>();
        // tag::dead[]
        try (Queue letters = Queue.open(directory.resolve("undeliverable"));
                Queue queue = Queue.open(directory.resolve("all mails"));
                Consumer consumer = queue.group("senders", new GroupOptions()
                        .visibilityTimeout(Duration.ofSeconds(30)) // then another consumer gets the mail
                        .deadLetters(5, letters)) // after that, it goes there
                        .consumer();
                Consumer people = letters.group("people").consumer()) {
            queue.append("to nobody".getBytes(UTF_8));
            consumer.poll(10, Duration.ofSeconds(1), (offset, mail, deliveries) -> {
                consumer.extend(offset, Duration.ofMinutes(2)); // this one takes longer
                consumer.reject(offset, "no such address"); // there is no use in trying again
            });

            people.poll(10, (offset, record, deliveries) -> {
                DeadLetter letter = DeadLetter.read(record);
                dead.add(letter.group() + ", record " + letter.offset() + ": " + letter.reason());
                people.acknowledge(offset);
            });
        }
        // end::dead[]
        assertThat(dead).containsExactly("senders, record 0: no such address");
    }

    @Test
    void delayAndLag() throws InterruptedException {
        List<Long> reminded = new ArrayList<>();
        Duration delay = Duration.ofMillis(20);
        // tag::delay[]
        try (Queue queue = Queue.open(directory.resolve("orders of today"))) {
            ConsumerGroup reminders = queue.group("reminders", new GroupOptions().delay(delay));
            queue.append("order 1".getBytes(UTF_8));
            try (Consumer consumer = reminders.consumer();
                    Delivery delivery = Objects.requireNonNull(consumer.poll(Duration.ofMinutes(1)))) {
                reminded.add(delivery.offset()); // not before the record is so old
                delivery.acknowledge();
            }
            Lag lag = reminders.lag();
            System.out.println(lag.records() + " records, " + lag.bytes() + " bytes, for " + lag.time());
        }
        // end::delay[]
        assertThat(reminded).containsExactly(0L);
    }

    @Test
    void streams() {
        List<String> texts;
        try (Queue queue = Queue.open(directory.resolve("streamed"))) {
            queue.append("order 1".getBytes(UTF_8));
            // tag::stream[]
            try (Consumer consumer = queue.group("tools").consumer();
                    Stream<Delivery> there = consumer.stream()) { // or follow(), which waits for more
                texts = there.map(delivery -> new String(delivery.segment().toArray(ValueLayout.JAVA_BYTE), UTF_8))
                        .toList();
            } // nothing was acknowledged: all of it is there for the next one
              // end::stream[]
        }
        assertThat(texts).containsExactly("order 1");
    }

    private static boolean send(Delivery delivery) {
        return delivery.deliveries() > 1;
    }

    // tag::record[]
    record Order(long id, long customer, double amount) {
    }
    // end::record[]

    @Test
    void typed() {
        List<Order> billed = new ArrayList<>();
        List<Order> packed = new ArrayList<>();
        // tag::typed[]
        try (Queue queue = Queue.open(directory.resolve("typed"))) {
            TypedQueue<Order> orders = new TypedQueue<>(queue, Codec.ofRecord(MethodHandles.lookup(), Order.class));
            try (TypedConsumer<Order> billing = orders.consumer("billing");
                    TypedConsumer<Order> packing = orders.consumer("packing")) {
                orders.append(new Order(1, 4711, 12.5));
                billing.poll(10, (offset, order, deliveries) -> {
                    billed.add(order);
                    billing.acknowledge(offset);
                });
                packing.poll(10, (offset, order, deliveries) -> packed.add(order)); // each group sees all records
            }
        }
        // end::typed[]
        assertThat(billed).containsExactly(new Order(1, 4711, 12.5)).isEqualTo(packed);
    }

    @Test
    void bounded() {
        // tag::bounded[]
        QueueOptions options = new QueueOptions().maxBytes(1 << 20).fullTimeout(Duration.ofMillis(50));
        try (Queue queue = Queue.open(directory.resolve("bounded"), options)) {
            queue.group("slow");
            try {
                while (true) {
                    queue.append(new byte[1000]);
                }
            } catch (QueueFullException e) {
                System.out.println(queue.bytes() + " bytes wait for group slow"); // slow down, or drop it
            }
        }
        // end::bounded[]
    }

    @Test
    void tail() {
        Path path = directory.resolve("tailed");
        List<Long> seen = new ArrayList<>();
        try (Queue queue = Queue.open(path)) {
            queue.append(new byte[3]);
            // tag::tail[]
            try (Tailer tailer = Tailer.open(path)) { // also in another process
                while (tailer.poll()) {
                    seen.add(tailer.offset());
                    System.out.println(tailer.segment().byteSize() + " bytes");
                }
            }
            // end::tail[]
            List<Long> copied = new ArrayList<>();
            // tag::named[]
            try (Tailer tailer = Tailer.open(path, "copy")) { // one at a time, in whichever process
                while (tailer.poll()) {
                    copied.add(tailer.offset());
                    tailer.commit(); // the next one of this name goes on from here, also after kill -9
                }
            }
            // end::named[]
            assertThat(copied).isEqualTo(seen);
        }
        assertThat(seen).hasSize(1);
    }

    @Test
    void verify() {
        Path path = directory.resolve("verified");
        Queue.open(path).close();
        // tag::verify[]
        QueueCheck check = QueueFiles.verify(path); // changes nothing; the queue must be closed
        if (!check.isSound()) {
            System.out.println(check);
            QueueFiles.repair(path); // keeps all whole records, and copies the rest to the directory quarantine
        }
        // end::verify[]
        assertThat(check.isSound()).isTrue();
        assertThat(check.toString()).contains("is sound", ".segment: records 0 to before 0, 0 whole, 64 bytes",
                "state:\n  records are kept from 0 on, those before 0 are on the disk, closed orderly");
        try (Queue _ = Queue.open(path)) {
            assertThatExceptionOfType(QueueException.class).isThrownBy(() -> QueueFiles.verify(path));
        }
    }
}
