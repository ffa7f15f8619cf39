package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Groups: what survives a restart, moving, several of them, the window, and the queue's bounds. */
class ConsumerGroupTest extends OpenQueue {
    private static final Duration HOUR = Duration.ofHours(1);

    private void open(String name, QueueOptions other) {
        queue.close();
        options = other;
        queue = Queue.open(temporary.resolve(name), other);
    }

    private Path groupFile(String name) {
        return directory().resolve("groups").resolve(name + ".group");
    }

    @Test
    void aGroupThatWaitsToBeMovedHoldsNobodyUp() throws Exception {
        ConsumerGroup group = queue.group("a");
        queue.append(new byte[1]);
        CountDownLatch isWriting = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        try (Consumer consumer = group.consumer();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> writing = threads.submit(() -> {
                boolean[] isAcknowledged = new boolean[1];
                queue.append(8, _ -> {
                    isWriting.countDown();
                    Uninterrupted.await(mayGoOn::await);
                    // Needs the group's lock, and the other call waits for this record.
                    isAcknowledged[0] = consumer.acknowledgeUpTo(0) > 0;
                    queue.group("another");
                });
                return isAcknowledged[0];
            });
            isWriting.await();
            FutureTask<Long> moved = new FutureTask<>(() -> group.seek(2));
            try {
                Polls.untilWaiting(Thread.ofVirtual().start(moved));
                mayGoOn.countDown();

                assertThat(moved.get()).isEqualTo(2);
                boolean _ = writing.get();
            } finally {
                // Ends a deadlock, so that the test can report it.
                mayGoOn.countDown();
                queue.close();
            }
        }
    }

    // --- Restart ---

    @Test
    void goesOnAfterARestart() {
        Polls.appendNumbers(queue, 0, 1000);
        Consumer consumer = queue.group("group").consumer();
        assertThat(Polls.take(consumer, 700)).hasSize(700);
        Polls.poll(consumer, 100);
        reopen();
        assertThat(queue.group("group").position()).isEqualTo(700);
        assertThat(queue.group("group").lag().records()).isEqualTo(300);
        assertThat(queue.group("group").inFlight()).isZero();
        assertThat(Polls.pollCounts(queue.group("group").consumer(), 2)).containsExactly("700 1", "701 1");
    }

    @Test
    void acknowledgementsOutOfOrderSurviveARestart() {
        Polls.appendNumbers(queue, 0, 500);
        Consumer consumer = queue.group("group").consumer();
        Polls.poll(consumer, 400);
        LongStream.range(0, 400).filter(o -> o % 3 == 0 || (o > 200 && o < 300)).forEach(consumer::acknowledge);
        reopen();
        ConsumerGroup group = queue.group("group");
        assertThat(group.position()).isEqualTo(1);
        List<Long> expected = LongStream.range(0, 500).filter(o -> o >= 400 || (o % 3 != 0 && (o <= 200 || o >= 300)))
                .boxed().toList();
        assertThat(group.lag().records()).isEqualTo(expected.size());
        Consumer after = group.consumer();
        assertThat(Polls.offsets(after)).isEqualTo(expected);
        assertThat(after.acknowledge(0)).isFalse();
        assertThat(after.acknowledge(3)).isFalse();
        assertThat(after.acknowledgeUpTo(499)).isEqualTo(expected.size());
        assertThat(group.position()).isEqualTo(500);
        reopen();
        assertThat(queue.group("group").position()).isEqualTo(500);
    }

    @Test
    void acknowledgementsSurviveAKill() throws IOException {
        Polls.appendNumbers(queue, 0, 300);
        Consumer consumer = queue.group("group").consumer();
        Polls.poll(consumer, 200);
        assertThat(consumer.acknowledgeUpTo(99)).isEqualTo(100);
        consumer.acknowledge(150);
        consumer.acknowledge(101);
        Path copy = Sample.afterKill(queue.directory(), temporary.resolve("copy"));
        try (Queue after = Queue.open(copy)) {
            assertThat(after.group("group").position()).isEqualTo(100);
            List<Long> expected = LongStream.range(100, 300).filter(o -> o != 101 && o != 150).boxed().toList();
            assertThat(Polls.offsets(after.group("group").consumer())).isEqualTo(expected);
        }
    }

    @Test
    void manyRoundsOfTheWindowSurviveAKill() throws IOException {
        open("large", new QueueOptions().segmentSize(1 << 20));
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        // Keeps some behind all the time, so that words are used again while others of the round before are needed.
        int appended = 0;
        for (int round = 0; round < 50; round++) {
            Polls.appendNumbers(queue, appended, appended + 5000);
            appended += 5000;
            Polls.all(consumer, 1000, (offset, _, _) -> {
                if (offset % 5000 != 4321) {
                    consumer.acknowledge(offset);
                }
            });
            if (round >= 10) {
                assertThat(consumer.acknowledge((round - 10) * 5000L + 4321)).isTrue();
            }
        }
        List<Long> expected = LongStream.range(40, 50).map(i -> i * 5000 + 4321).boxed().toList();
        assertThat(group.position()).isEqualTo(expected.getFirst());
        Path copy = Sample.afterKill(queue.directory(), temporary.resolve("copy"));
        try (Queue after = Queue.open(copy)) {
            assertThat(Polls.offsets(after.group("group").consumer())).isEqualTo(expected);
        }
        reopen();
        assertThat(Polls.offsets(queue.group("group").consumer())).isEqualTo(expected);
    }

    @Test
    void withdrawnRecordsDoNotHoldItUpAfterARestart() {
        Polls.append(queue, "0");
        Polls.appendWithdrawn(queue);
        Polls.append(queue, "2");
        Consumer consumer = queue.group("group").consumer();
        assertThat(Polls.poll(consumer, 5)).containsExactly("0 0", "2 2");
        consumer.acknowledge(2);
        reopen();
        consumer = queue.group("group").consumer();
        assertThat(queue.group("group").lag().records()).isEqualTo(1);
        assertThat(Polls.take(consumer, 5)).containsExactly("0 0");
        assertThat(queue.group("group").position()).isEqualTo(3);
        assertThat(queue.group("group").lag().records()).isZero();
    }

    // --- Several ---

    @Test
    void eachGroupSeesAll() {
        Polls.append(queue, "a", "b");
        Consumer one = queue.group("one").consumer();
        assertThat(Polls.take(one, 5)).containsExactly("0 a", "1 b");
        // A new one begins with the first record that is kept.
        Consumer two = queue.group("two").consumer();
        assertThat(Polls.take(two, 1)).containsExactly("0 a");
        assertThat(queue.group("one").lag().records()).isZero();
        assertThat(queue.group("two").lag().records()).isEqualTo(1);
        assertThatThrownBy(() -> two.acknowledge(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void consumersOfAGroupShareItsRecords() {
        ConsumerGroup group = queue.group("group");
        assertThat(queue.group("group")).isSameAs(group);
        Polls.append(queue, "a", "b", "c", "d");
        Consumer one = group.consumer();
        Consumer two = group.consumer();
        assertThat(Polls.poll(one, 1)).containsExactly("0 a");
        assertThat(Polls.poll(two, 2)).containsExactly("1 b", "2 c");
        assertThat(Polls.poll(one, 5)).containsExactly("3 d");
        assertThat(Polls.poll(two, 5)).isEmpty();
        assertThat(one.group()).isSameAs(group);
    }

    @Test
    void groupsHaveNames() {
        List<String> names = List.of("billing", "a b", "..", ".", "a/b", "Grüße", "%41", "A", "BILLING", "漢字 😀",
                "x\0y",
                "n".repeat(249));
        names.forEach(name -> {
            assertThat(queue.group(name).name()).isEqualTo(name);
            queue.group(name).consumer().close();
        });
        assertThat(queue.groups()).containsExactlyInAnyOrderElementsOf(names);
        assertThat(groupFile("billing")).exists();
        assertThat(groupFile("a%20b")).exists();
        assertThat(groupFile("%2E%2E")).exists();
        assertThat(groupFile("%47r%C3%BC%C3%9Fe")).exists();
        // On some file systems it would be the same file otherwise.
        assertThat(groupFile("%42%49%4C%4C%49%4E%47")).exists();
        Polls.append(queue, "a");
        names.forEach(name -> assertThat(Polls.take(queue.group(name).consumer(), 1)).containsExactly("0 a"));
        reopen();
        assertThat(queue.groups()).containsExactlyInAnyOrderElementsOf(names);
        names.forEach(name -> assertThat(queue.group(name).position()).isEqualTo(1));
    }

    @Test
    void badNamesAreRefused() {
        assertThatThrownBy(() -> queue.group("")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
        assertThatThrownBy(() -> queue.group("n".repeat(250))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("256").hasMessageContaining("255");
        assertThatThrownBy(() -> queue.group("ü".repeat(45))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> queue.group("\ud800")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("surrogate");
        assertThat(queue.groups()).isEmpty();
    }

    /** Also the file of a group with a name that differs only by case, where that makes no other file. */
    @Test
    void aFileThatWasThereBeforeStays() throws IOException {
        byte[] content = "somebody's".getBytes(StandardCharsets.UTF_8);
        Files.write(groupFile("group"), content);
        assertThatThrownBy(() -> queue.group("group")).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(groupFile("group").toString());
        assertThat(groupFile("group")).hasBinaryContent(content);
        assertThat(queue.groups()).isEmpty();
    }

    @Test
    void aFileWithoutTheNameOfAGroupIsLeftAlone() throws IOException {
        queue.group("group");
        // Half a byte, no text, more text than there can be, and characters that no longer stand for themselves.
        List<String> strays = List.of("%4", "%FF", "%FF".repeat(80), "A", "%67roup", "");
        for (String stray : strays) {
            Files.writeString(groupFile(stray), "somebody's");
        }
        reopen();
        assertThat(queue.groups()).containsExactly("group");
        queue.close();
        QueueFiles.repair(queue.directory());
        assertThat(QueueFiles.verify(queue.directory()).groups()).extracting(QueueCheck.Group::name)
                .containsExactly("group");
        assertThat(strays).allSatisfy(stray -> assertThat(groupFile(stray)).hasContent("somebody's"));
    }

    @Test
    void lookingForAGroupMakesNone() {
        assertThat(queue.findGroup("group")).isNull();
        for (String impossible : List.of("", "\ud800", "g".repeat(250), "G".repeat(84))) {
            assertThatThrownBy(() -> queue.findGroup(impossible)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> queue.group(impossible)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(queue.findGroup("g".repeat(249))).isNull();
        assertThat(queue.findGroup("G".repeat(83))).isNull();
        assertThat(queue.groups()).isEmpty();
        ConsumerGroup group = queue.group("group");
        assertThat(queue.findGroup("group")).isSameAs(group);
        queue.deleteGroup("group");
        assertThat(queue.findGroup("group")).isNull();
        queue.close();
        assertThatThrownBy(() -> queue.findGroup("group")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aDeletedGroupBeginsAgain() {
        Polls.append(queue, "a", "b");
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        Delivery delivery = Objects.requireNonNull(consumer.poll());
        queue.deleteGroup("group");
        queue.deleteGroup("group");
        assertThat(queue.groups()).isEmpty();
        assertThat(groupFile("group")).doesNotExist();
        List<Supplier<Object>> uses = List.of(group::position, group::lag, group::inFlight, group::consumer,
                group::seekToBeginning, group::seekToEnd, () -> group.seek(0), () -> group.seek(Instant.EPOCH),
                () -> consumer.acknowledge(0), () -> Polls.poll(consumer, 1), delivery::acknowledge);
        assertThat(uses).allSatisfy(use -> assertThatThrownBy(use::get).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Consumer group group").hasMessageContaining("deleted"));
        assertThat(Polls.text(delivery.segment())).isEqualTo("a");
        delivery.close();
        consumer.close();
        assertThat(group.name()).isEqualTo("group");
        assertThat(Polls.take(queue.group("group").consumer(), 5)).containsExactly("0 a", "1 b");
        reopen();
        assertThat(queue.group("group").position()).isEqualTo(2);
    }

    @Test
    void nothingCanBeUsedAfterTheQueueWasClosed() {
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        queue.close();
        List<Supplier<Object>> uses = List.of(group::position, group::lag, group::inFlight, group::consumer,
                group::seekToBeginning, group::seekToEnd, () -> group.seek(0), () -> group.seek(Instant.EPOCH),
                () -> consumer.acknowledgeUpTo(0), () -> Polls.poll(consumer, 1), () -> queue.group("group"),
                () -> queue.group("other"), queue::groups);
        assertThat(uses).allSatisfy(use -> assertThatThrownBy(use::get).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(String.valueOf(temporary.getFileName())).hasMessageContaining("closed"));
        consumer.close();
    }

    // --- Moving ---

    @Test
    void movesToAnOffset() {
        Polls.appendNumbers(queue, 0, 1000);
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        Polls.take(consumer, 600);
        Polls.poll(consumer, 10);
        consumer.acknowledge(605);
        assertThat(group.seek(300)).isEqualTo(300);
        assertThat(group.position()).isEqualTo(300);
        assertThat(group.lag().records()).isEqualTo(700);
        assertThat(group.inFlight()).isZero();
        // It has lost the records that it held.
        assertThat(consumer.acknowledge(601)).isFalse();
        assertThat(consumer.giveBack(602)).isFalse();
        assertThat(consumer.acknowledgeUpTo(1000)).isZero();
        assertThat(Polls.offsets(consumer)).isEqualTo(range(300, 1000));
        consumer.acknowledge(500);
        assertThat(group.seek(450)).isEqualTo(450);
        assertThat(Polls.take(consumer, 100)).contains("500 500").hasSize(100);
        assertThat(group.seek(1000)).isEqualTo(1000);
        assertThat(Polls.poll(consumer, 1)).isEmpty();
        assertThatThrownBy(() -> group.seek(1001)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1001").hasMessageContaining("1000");
        assertThatThrownBy(() -> group.seek(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void deliveriesAreCountedSinceTheGroupWasMovedOrTheQueueOpened() {
        Polls.append(queue, "a", "b");
        ConsumerGroup group = queue.group("group");
        try (Consumer consumer = group.consumer()) {
            for (int i = 0; i < 3; i++) {
                assertThat(Polls.pollCounts(consumer, 2)).containsExactly("0 1", "1 1");
                consumer.giveBack(0);
                assertThat(Polls.pollCounts(consumer, 2)).containsExactly("0 2");
                group.seek(0);
            }
            // Not only what it held.
            assertThat(consumer.visit(1, record -> assertThat(record.deliveries()).isEqualTo(1))).isEqualTo(1);
            consumer.giveBack(0);
            group.seekToBeginning();
            try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                assertThat(delivery.deliveries()).isEqualTo(1);
                delivery.giveBack();
            }
        }
        reopen();
        try (Consumer consumer = queue.group("group").consumer()) {
            assertThat(Polls.pollCounts(consumer, 2)).containsExactly("0 1", "1 1");
        }
    }

    @Test
    void movesToTheBeginningAndTheEnd() {
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        assertThat(group.seekToEnd()).isZero();
        Polls.appendNumbers(queue, 0, 500);
        assertThat(group.seekToEnd()).isEqualTo(500);
        assertThat(group.lag().records()).isZero();
        Polls.append(queue, "500");
        assertThat(Polls.take(consumer, 5)).containsExactly("500 500");
        assertThat(group.seekToBeginning()).isZero();
        assertThat(Polls.offsets(consumer)).hasSize(501);
    }

    @Test
    void aMoveSurvivesARestart() throws IOException {
        Polls.appendNumbers(queue, 0, 1000);
        Consumer consumer = queue.group("group").consumer();
        Polls.take(consumer, 600);
        queue.group("group").seek(100);
        Path copy = Sample.afterKill(queue.directory(), temporary.resolve("copy"));
        try (Queue after = Queue.open(copy)) {
            assertThat(Polls.offsets(after.group("group").consumer())).isEqualTo(range(100, 1000));
        }
        Polls.take(consumer, 5);
        reopen();
        assertThat(Polls.offsets(queue.group("group").consumer())).isEqualTo(range(105, 1000));
        queue.group("group").seek(900);
        reopen();
        assertThat(queue.group("group").position()).isEqualTo(900);
    }

    @Test
    void aDeliveryFromBeforeAMoveDoesNotAcknowledge() {
        Polls.append(queue, "a", "b");
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        try (Delivery before = Objects.requireNonNull(consumer.poll())) {
            group.seekToBeginning();
            try (Delivery after = Objects.requireNonNull(consumer.poll())) {
                assertThat(after.offset()).isEqualTo(before.offset());
                assertThat(after.deliveries()).isEqualTo(1);
                assertThat(before.acknowledge()).isFalse();
                assertThat(before.giveBack()).isFalse();
                assertThat(group.position()).isZero();
                assertThat(after.acknowledge()).isTrue();
            }
        }
        assertThat(group.position()).isEqualTo(1);
    }

    @Test
    void movesToATime() throws InterruptedException {
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        List<Instant> times = new ArrayList<>();
        while (times.stream().distinct().count() < 4) {
            Polls.appendNumbers(queue, 0, 200);
            for (int i = 0; i < 200; i++) {
                try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                    times.add(delivery.time());
                }
            }
            queue.advance(Duration.ofMillis(25));
        }
        int end = times.size();
        assertThat(times).isSorted();
        Stream<Instant> wanted = times.stream().distinct()
                .flatMap(time -> Stream.of(time.minusMillis(1), time.minusNanos(1), time, time.plusNanos(1)));
        wanted.forEach(time -> {
            long expected = 0;
            while (expected < end && times.get((int) expected).isBefore(time)) {
                expected++;
            }
            assertThat(group.seek(time)).as("%s", time).isEqualTo(expected);
            assertThat(group.position()).isEqualTo(expected);
        });
        assertThat(group.seek(Instant.MAX)).isEqualTo(end);
        assertThat(group.seek(Instant.MIN)).isZero();
        assertThat(group.seek(Instant.now().plusSeconds(60))).isEqualTo(end);
        assertThat(Polls.poll(consumer, 1)).isEmpty();
    }

    @Test
    void aWriterCannotMoveAGroup() {
        ConsumerGroup group = queue.group("group");
        queue.append(1, _ -> assertThatThrownBy(() -> group.seek(queue.nextOffset()))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("RecordWriter"));
        assertThat(group.seek(1)).isEqualTo(1);
    }

    /** A move waits for a thread that is copying a record before its offset, but no append waits for the move. */
    @Test
    void producersDoNotWaitForAMove() throws Exception {
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        CountDownLatch isClaimed = new CountDownLatch(1);
        CountDownLatch mayCommit = new CountDownLatch(1);
        List<String> polled = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<Integer> waiting = threads.submit(() -> consumer.poll(1, Duration.ofMinutes(1),
                    (offset, payload, _) -> polled.add(offset + " " + Polls.text(payload))));
            Future<Long> slow = threads.submit(() -> queue.append(1, _ -> {
                isClaimed.countDown();
                Uninterrupted.await(mayCommit::await);
            }));
            FutureTask<Long> move = new FutureTask<>(() -> group.seek(1));
            try {
                isClaimed.await();
                Polls.untilWaiting(Thread.ofPlatform().start(move));
                assertThat(move.isDone()).isFalse();
                Future<?> fast = threads.submit(() -> Polls.appendNumbers(queue, 1, 100));
                fast.get();
            } finally {
                mayCommit.countDown();
            }
            assertThat(slow.get()).isZero();
            assertThat(move.get()).isEqualTo(1);
            assertThat(waiting.get()).isEqualTo(1);
        }
        // Before it was moved, or afterwards.
        assertThat(polled).singleElement().satisfies(record -> assertThat(record).containsPattern("^(0 |1 1$)"));
    }

    // --- Damage ---

    @Test
    void aFileThatSaysNothingIsPutAside() throws IOException {
        Polls.appendNumbers(queue, 0, 10);
        Polls.take(queue.group("group").consumer(), 7);
        queue.close();
        // Both slots, and the word that would acknowledge the first records also without them.
        Sample.write(groupFile("group"), 0, ByteBuffer.allocate(4096 + 8).putLong(4096, 0x5555_5555_5555_5555L));
        byte[] damaged = Files.readAllBytes(groupFile("group"));
        queue = Queue.open(queue.directory(), options);
        assertThat(queue.directory().resolve("quarantine").resolve("group.group-0.bytes")).hasBinaryContent(damaged);
        assertThat(Polls.take(queue.group("group").consumer(), 3)).containsExactly("0 0", "1 1", "2 2");
        reopen();
        assertThat(queue.group("group").position()).isEqualTo(3);
        assertThat(queue.directory().resolve("quarantine")).isDirectoryNotContaining("glob:**-2*");
    }

    @Test
    void aGroupGoesOnBehindDamage() throws IOException {
        // Of what was appended since the queue was opened.
        open("always", options.verifyReads(ReadVerification.ALWAYS));
        Polls.appendNumbers(queue, 0, 10);
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        flipPayload(3);
        assertThat(Polls.take(consumer, 10)).hasSize(3);
        assertThatThrownBy(consumer::poll).isInstanceOfSatisfying(QueueCorruptException.class, e -> {
            assertThat(e.offset()).isEqualTo(3);
            assertThat(e.position()).isEqualTo(64 + 3 * 32);
            assertThat(group.seek(e.offset() + 1)).isEqualTo(4);
        });
        assertThat(Polls.poll(consumer, 2)).containsExactly("4 4", "5 5");
        consumer.giveBack(5);
        flipPayload(5);
        assertThatThrownBy(consumer::poll).isInstanceOfSatisfying(QueueCorruptException.class,
                e -> assertThat(e.offset()).isEqualTo(5));
    }

    @Test
    void damageIsReportedEachTimeAndNothingIsLost() throws IOException {
        // Of what was appended since the queue was opened.
        open("always", options.verifyReads(ReadVerification.ALWAYS));
        Polls.appendNumbers(queue, 0, 10);
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        flipPayload(3);
        assertThat(Polls.poll(consumer, 10)).containsExactly("0 0", "1 1", "2 2");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> Polls.poll(consumer, 10)).isInstanceOf(QueueCorruptException.class)
                    .hasMessageContaining("00000000000000000000.segment").hasMessageContaining("record 3");
            assertThatThrownBy(consumer::poll).isInstanceOf(QueueCorruptException.class);
            assertThatThrownBy(() -> consumer.poll(Duration.ofMinutes(1))).isInstanceOf(QueueCorruptException.class);
        }
        assertThat(consumer.acknowledgeUpTo(2)).isEqualTo(3);
        assertThat(group.position()).isEqualTo(3);
        flipPayload(3);
        assertThat(Polls.poll(consumer, 10)).hasSize(7).startsWith("3 3", "4 4");
        // Also a record that was sound at its first delivery.
        consumer.giveBack(5);
        flipPayload(5);
        assertThatThrownBy(() -> Polls.poll(consumer, 10)).isInstanceOf(QueueCorruptException.class)
                .hasMessageContaining("record 5");
        flipPayload(5);
        assertThat(Polls.pollCounts(consumer, 10)).containsExactly("5 2");
        assertThat(group.lag().records()).isEqualTo(7);
    }

    /** Flips a bit of the payload of a small record, in the file. */
    private void flipPayload(int record) throws IOException {
        Sample.flip(Sample.segment(queue.directory(), 0), 64 + record * 32L + 24, 0);
    }

    // --- The window ---

    @Test
    void deliversSoManyAheadOfTheFirstThatIsNotAcknowledged() {
        open("large", new QueueOptions().segmentSize(1 << 20));
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        Polls.appendNumbers(queue, 0, 70_000);
        assertThat(Polls.offsets(consumer)).hasSize(65_536);
        assertThat(consumer.poll()).isNull();
        LongStream.range(1, 65_536).forEach(consumer::acknowledge);
        assertThat(consumer.poll()).isNull();
        assertThat(group.lag().records()).isEqualTo(70_000 - 65_535);
        // Acknowledgements survive, also at the far end of the window.
        reopen();
        group = queue.group("group");
        Consumer after = group.consumer();
        assertThat(Polls.offsets(after)).containsExactly(0L);
        assertThat(after.poll()).isNull();
        after.acknowledge(0);
        assertThat(group.position()).isEqualTo(65_536);
        assertThat(Polls.offsets(after)).isEqualTo(range(65_536, 70_000));
    }

    @Test
    void theWindowMovesOn() {
        open("large", new QueueOptions().segmentSize(1 << 20));
        Consumer consumer = queue.group("group").consumer();
        Polls.appendNumbers(queue, 0, 70_000);
        Polls.offsets(consumer);
        consumer.acknowledgeUpTo(30);
        assertThat(consumer.poll()).isNull();
        consumer.acknowledge(31);
        assertThat(Polls.offsets(consumer)).isEqualTo(range(65_536, 65_568));
    }

    @Test
    void manyWithdrawnRecordsArePassed() {
        open("large", new QueueOptions().segmentSize(1 << 20));
        Polls.append(queue, "first");
        for (int i = 0; i < 70_000; i++) {
            Polls.appendWithdrawn(queue);
        }
        Polls.append(queue, "last");
        ConsumerGroup group = queue.group("group");
        Consumer consumer = group.consumer();
        assertThat(Polls.poll(consumer, 5)).containsExactly("0 first");
        assertThat(Polls.poll(consumer, 5)).isEmpty();
        consumer.acknowledge(0);
        assertThat(Polls.take(consumer, 5)).containsExactly("70001 last");
        assertThat(group.position()).isEqualTo(70_002);
    }

    // --- The queue's bounds and files ---

    @Test
    void theSlowestGroupMakesRoom() {
        open("bounded", new QueueOptions().segmentSize(1 << 20).maxRecords(10).fullTimeout(Duration.ZERO));
        Consumer one = queue.group("one").consumer();
        Consumer two = queue.group("two").consumer();
        Polls.appendNumbers(queue, 0, 10);
        assertFull();
        Polls.take(one, 5);
        assertFull();
        Polls.poll(two, 4);
        two.acknowledge(2);
        two.acknowledge(1);
        assertFull();
        two.acknowledge(0);
        Polls.appendNumbers(queue, 10, 13);
        assertFull();
        // Without the slower one there is more room; with another new one, or one that goes back, less.
        queue.deleteGroup("two");
        Polls.appendNumbers(queue, 13, 15);
        assertFull();
        Polls.take(one, 5);
        queue.group("one").seek(3);
        assertFull();
        queue.group("one").seekToEnd();
        Polls.append(queue, "15");
        queue.group("three");
        assertFull();
    }

    @Test
    void aGroupThatCannotBeginIsNotThere() throws IOException {
        open("damaged", new QueueOptions().segmentSize(8192).backgroundThread(false));
        queue.append(new byte[10]);
        queue.sync();
        Path segment = QueueDirectory.segment(queue.directory(), 0);
        byte[] content = Files.readAllBytes(segment);
        Sample.truncate(segment, 0);
        assertThatThrownBy(() -> queue.group("other")).isInstanceOf(QueueCorruptException.class);
        assertThat(queue.groups()).doesNotContain("other");
        Files.write(segment, content);
        assertThat(queue.group("other").lag().records()).isEqualTo(1);
    }

    @Test
    void aGroupWhoseFileCannotBeDeletedHoldsNothingBack() throws IOException {
        open("bounded", new QueueOptions().segmentSize(8192).maxRecords(1000).fullTimeout(Duration.ZERO)
                .backgroundThread(false));
        queue.group("two");
        Consumer one = queue.group("one").consumer();
        Polls.appendNumbers(queue, 0, 1000);
        assertThat(Polls.take(one, 1000)).hasSize(1000);
        assertFull();
        Path file = temporary.resolve("bounded/groups/two.group");
        Files.delete(file);
        Files.createDirectories(file.resolve("content"));
        assertThatThrownBy(() -> queue.deleteGroup("two")).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("two");
        assertThat(queue.groups()).containsExactly("one");
        assertThat(queue.firstOffset()).isPositive();
        Polls.append(queue, "1000");
    }

    private void assertFull() {
        assertThatThrownBy(() -> Polls.append(queue, "too much")).isInstanceOf(QueueFullException.class);
    }

    @Test
    void acknowledgingMakesRoomForWhoWaits() throws InterruptedException {
        open("bounded", new QueueOptions().segmentSize(1 << 16).maxBytes(1000));
        Consumer consumer = queue.group("group").consumer();
        Thread producer = Thread.ofVirtual().start(() -> Polls.appendNumbers(queue, 0, 1000));
        List<String> taken = new ArrayList<>();
        while (taken.size() < 1000) {
            consumer.poll(7, Duration.ofMinutes(1), (offset, payload, _) -> {
                taken.add(Polls.text(payload));
                consumer.acknowledge(offset);
            });
        }
        producer.join(60_000);
        assertThat(taken).isEqualTo(LongStream.range(0, 1000).mapToObj(Long::toString).toList());
    }

    @Test
    void filesGoWhenAllGroupsHaveAcknowledgedThemAndNotBefore() throws IOException {
        open("small", new QueueOptions().segmentSize(8192).backgroundThread(false));
        Consumer one = queue.group("one").consumer();
        Consumer two = queue.group("two").consumer();
        Polls.appendNumbers(queue, 0, 5000);
        assertThat(Polls.take(one, 5000)).hasSize(5000);
        assertThat(queue.firstOffset()).isZero();
        Delivery held = Objects.requireNonNull(two.poll());
        assertThat(Polls.poll(two, 5000)).hasSize(4999);
        two.giveBack(0);
        for (long offset = 4999; offset > 0; offset--) {
            two.acknowledge(offset);
        }
        assertThat(queue.firstOffset()).isZero();
        assertThat(Polls.take(two, 1)).containsExactly("0 0");
        // Somebody reads the first file.
        assertThat(queue.firstOffset()).isZero();
        assertThat(Polls.text(held.segment())).isEqualTo("0");
        held.close();
        long first = queue.firstOffset();
        assertThat(first).isGreaterThan(4500);
        assertThat(queue.group("three").position()).isEqualTo(first);
        assertThat(queue.group("one").seekToBeginning()).isEqualTo(first);
        assertThat(queue.group("one").seek(7)).isEqualTo(first);
        reopen();
        assertThat(queue.group("one").position()).isEqualTo(first);
        assertThat(queue.group("two").position()).isEqualTo(5000);
        assertThat(Polls.offsets(queue.group("three").consumer())).isEqualTo(range(first, 5000));
        assertThat(Sample.files(temporary.resolve("small"), ".segment")).hasSizeLessThan(5);
    }

    @Test
    void lagIsTheFirstRecordThatIsNotAcknowledgedAndWhatComesBehind() throws Exception {
        ConsumerGroup group = queue.group("group");
        assertThat(group.lag()).isEqualTo(new Lag(0, 0, Duration.ZERO));
        try (Consumer consumer = group.consumer()) {
            // Three of them fit into a file.
            Polls.append(queue, 5, 2000);
            long behind = queue.bytes();
            queue.advance(HOUR);
            assertThat(group.lag().records()).isEqualTo(5);
            assertThat(group.lag().bytes()).isEqualTo(behind - QueueLayout.HEADER);
            assertThat(group.lag().time()).isGreaterThanOrEqualTo(HOUR);

            consumer.poll(5, Polls.SKIP);
            assertThat(consumer.acknowledge(1)).isTrue();
            assertThat(group.lag().records()).isEqualTo(4);
            assertThat(group.lag().bytes()).isEqualTo(behind - QueueLayout.HEADER);
            assertThat(consumer.acknowledge(new long[]{0, 2, 3})).isEqualTo(3);
            assertThat(group.lag().records()).isEqualTo(1);
            assertThat(group.lag().bytes()).isEqualTo(2024);
            assertThat(consumer.acknowledge(4)).isTrue();
            assertThat(group.lag()).isEqualTo(new Lag(0, 0, Duration.ZERO));

            queue.append(new byte[2000]);
            assertThat(group.lag().bytes()).isEqualTo(2024);
            assertThat(group.lag().time()).isLessThan(HOUR);
            queue.advance(HOUR);
            // It is the first record of another file, and no consumer has asked for it.
            queue.append(new byte[2000]);
            group.seek(6);
            assertThat(group.lag().records()).isEqualTo(1);
            assertThat(group.lag().bytes()).isBetween(2024L, 2024L + 2100L + QueueLayout.HEADER);
            assertThat(group.lag().time()).isLessThan(HOUR);
        }
    }
}
