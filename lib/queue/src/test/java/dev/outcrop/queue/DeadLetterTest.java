package dev.outcrop.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outcrop.testsupport.FlightRecordings;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records that no consumer can handle go to the dead letters, and are always in one of both places. */
class DeadLetterTest extends OpenQueue {
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final int KILLS = TestSize.choose("outcrop.deadletter.kills", 2, 100);

    private Queue dead;

    @Override
    @BeforeEach
    void open() {
        super.open();
        dead = Queue.open(temporary.resolve("dead"),
                new QueueOptions().segmentSize(8192).maxRecords(3).fullTimeout(Duration.ZERO));
        dead.group("people");
    }

    @Override
    @AfterEach
    void close() {
        super.close();
        dead.close();
    }

    private static void giveBack(Consumer consumer, long offset) {
        try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
            assertThat(delivery.offset()).isEqualTo(offset);
            assertThat(delivery.giveBack()).isTrue();
        }
    }

    /** Reads the dead letters that are left: offset|deliveries|reason|payload. */
    private List<String> letters() {
        List<String> letters = new ArrayList<>();
        try (Consumer people = dead.group("people").consumer()) {
            Polls.all(people, 10, (offset, record, _) -> {
                DeadLetter letter = DeadLetter.read(record);
                assertThat(letter.group()).isEqualTo("group");
                letters.add(letter.offset() + "|" + letter.deliveries() + "|" + letter.reason() + "|"
                        + Polls.text(letter.payload()));
                people.acknowledge(offset);
            });
        }
        return letters;
    }

    @Test
    void whatIsDeliveredTooOftenGoesToAnotherQueue() {
        Polls.append(queue, "good", "bad", "good too");
        Instant appended = Instant.now();
        ConsumerGroup group = queue.group("group", new GroupOptions().deadLetters(2, dead));
        try (Consumer consumer = group.consumer()) {
            try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                assertThat(delivery.acknowledge()).isTrue();
            }
            giveBack(consumer, 1);
            assertThat(dead.nextOffset()).isZero();
            giveBack(consumer, 1);
            try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                assertThat(Polls.text(delivery.segment())).isEqualTo("good too");
                assertThat(dead.durableOffset()).as("before it is gone here").isEqualTo(1);
                assertThat(group.position()).isEqualTo(2);
                assertThat(delivery.acknowledge()).isTrue();
            }
            assertThat(consumer.poll()).isNull();
        }
        assertThat(queue.statistics().deadLetters()).isEqualTo(1);
        try (Tailer tailer = Tailer.open(dead.directory())) {
            assertThat(tailer.poll()).isTrue();
            assertThat(DeadLetter.isDeadLetter(tailer.segment())).isTrue();
            DeadLetter letter = DeadLetter.read(tailer.segment());
            assertThat(letter.time()).isBetween(appended.minusSeconds(60), letter.died());
            assertThat(letter.died()).isBefore(Instant.now().plusMillis(1));
            assertThat(letter.size()).isEqualTo(tailer.segment().byteSize());
        }
        assertThat(letters()).containsExactly("1|2|it was delivered 2 times and not acknowledged|bad");
    }

    @Test
    void alsoWhatAHandlerThrowsOnOrWhatIsKeptForTooLong() throws InterruptedException {
        Polls.append(queue, "a", "b", "c");
        GroupOptions options = new GroupOptions().deadLetters(1, dead).visibilityTimeout(LONG);
        try (Consumer consumer = queue.group("group", options).consumer()) {
            assertThatIllegalStateException().isThrownBy(() -> consumer.poll(1, (_, _, _) -> {
                throw new IllegalStateException("bad");
            }));
            try (Delivery kept = Objects.requireNonNull(consumer.poll())) {
                assertThat(kept.offset()).isEqualTo(1);
                assertThat(consumer.poll(10, (offset, _, deliveries) -> {
                    assertThat(deliveries).isEqualTo(1);
                    consumer.acknowledge(offset);
                })).isEqualTo(1);
                queue.advance(LONG.multipliedBy(2));
                assertThat(consumer.poll(Duration.ofMillis(200))).isNull();
                assertThat(kept.acknowledge()).isFalse();
            }
            assertThat(queue.group("group").position()).isEqualTo(3);
        }
        assertThat(letters()).extracting(letter -> letter.charAt(0)).containsExactlyInAnyOrder('0', '1');
    }

    @Test
    void whatIsRejectedGoesAtOnce() {
        Polls.append(queue, "a", "b");
        ConsumerGroup group = queue.group("group", new GroupOptions().deadLetters(10, dead));
        try (Consumer consumer = group.consumer()) {
            try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                assertThat(delivery.reject("no such customer: Ännchen")).isTrue();
                assertThat(delivery.reject("again")).isFalse();
                assertThat(delivery.acknowledge()).isFalse();
            }
            assertThat(consumer.poll(1, (offset, _, _) -> consumer.reject(offset, ""))).isEqualTo(1);
            assertThatIllegalArgumentException().isThrownBy(() -> consumer.reject(2, "never delivered"));
        }
        assertThat(group.position()).isEqualTo(2);
        assertThat(letters()).containsExactly("0|1|no such customer: Ännchen|a", "1|1||b");
    }

    @Test
    void whatCannotBePutAwayStaysAndThatIsSaid() throws InterruptedException {
        Polls.append(queue, "a", "b");
        AtomicBoolean isBroken = new AtomicBoolean(true);
        List<String> letters = new ArrayList<>();
        ConsumerGroup group = queue.group("group", new GroupOptions().deadLetters(1, letter -> {
            if (isBroken.get()) {
                throw new IOException("the mail server is down.");
            }
            letters.add(Polls.text(letter.payload()));
        }));
        try (Consumer consumer = group.consumer()) {
            giveBack(consumer, 0);
            assertThatExceptionOfType(QueueException.class).isThrownBy(consumer::poll)
                    .withMessage("Record 0 of consumer group group, delivered 1 times, could not be put with the dead"
                            + " letters: the mail server is down. It stays in its group")
                    .withCauseInstanceOf(IOException.class);
            assertThat(group.position()).isZero();
            try (Delivery other = pollAnother(consumer)) {
                assertThat(other.offset()).as("others go on").isEqualTo(1);
                assertThatExceptionOfType(QueueException.class).isThrownBy(() -> other.reject("no"));
                isBroken.set(false);
                assertThat(other.reject("no")).isTrue();
            }
            assertThat(letters).containsExactly("b");
            while (group.position() < 2) {
                // It is tried again after a second.
                assertThat(consumer.poll(Duration.ofMillis(100))).isNull();
            }
            assertThat(letters).containsExactly("b", "a");
        }
    }

    /** Again if it comes so late that the first record is tried again. */
    private static Delivery pollAnother(Consumer consumer) {
        while (true) {
            try {
                return Objects.requireNonNull(consumer.poll());
            } catch (QueueException e) {
                assertThat(e).hasMessageContaining("Record 0");
            }
        }
    }

    @Test
    void aQueueThatIsFullOrClosedLosesNothing() throws InterruptedException {
        Polls.append(queue, "0", "1", "2", "3", "4");
        ConsumerGroup group = queue.group("group", new GroupOptions().deadLetters(1, dead));
        try (Consumer consumer = group.consumer()) {
            assertThat(consumer.poll(3, (offset, _, _) -> consumer.reject(offset, "no"))).isEqualTo(3);
            giveBack(consumer, 3);
            assertThatExceptionOfType(QueueException.class).isThrownBy(consumer::poll)
                    .withCauseInstanceOf(QueueFullException.class);
            assertThat(group.position()).isEqualTo(3);
            assertThat(letters()).hasSize(3);
            try (Delivery last = Objects.requireNonNull(consumer.poll(LONG))) {
                assertThat(last.offset()).isEqualTo(4);
                while (group.position() == 3) {
                    assertThat(consumer.poll(Duration.ofMillis(100))).isNull();
                }
                assertThat(letters()).hasSize(1);
                dead.close();
                assertThatExceptionOfType(QueueException.class).isThrownBy(() -> last.reject("no"))
                        .withMessageContaining("is closed");
                assertThat(group.inFlight()).isEqualTo(1);
                assertThat(last.acknowledge()).isTrue();
            }
        }
        assertThat(group.position()).isEqualTo(5);
    }

    /** The sink is called without the group's lock. */
    @Test
    void othersGoOnWhileARecordIsPutAway() throws Exception {
        Polls.append(queue, "a", "b");
        CountDownLatch isHandling = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        ConsumerGroup group = queue.group("group", new GroupOptions().deadLetters(1, _ -> {
            isHandling.countDown();
            mayEnd.await();
        }));
        try (Consumer consumer = group.consumer(); Consumer other = group.consumer()) {
            giveBack(consumer, 0);
            Thread polling = Thread.ofVirtual().start(() -> {
                try (Delivery delivery = consumer.poll()) {
                    assertThat(delivery).isNull();
                }
            });
            isHandling.await();
            try (Delivery delivery = Objects.requireNonNull(other.poll())) {
                assertThat(delivery.offset()).isEqualTo(1);
                assertThat(delivery.acknowledge()).isTrue();
            }
            assertThat(group.position()).isZero();
            assertThat(group.inFlight()).isEqualTo(1);
            mayEnd.countDown();
            polling.join();
            assertThat(group.position()).isEqualTo(2);
        }
    }

    private static final class SlowHandler implements DeadLetterHandler {
        final CountDownLatch isHandling = new CountDownLatch(1);
        final CountDownLatch mayEnd = new CountDownLatch(1);
        final AtomicInteger entered = new AtomicInteger();
        final ConcurrentLinkedQueue<Long> letters = new ConcurrentLinkedQueue<>();
        volatile boolean isBroken;

        @Override
        public void handle(DeadLetter letter) throws Exception {
            entered.incrementAndGet();
            isHandling.countDown();
            mayEnd.await();
            if (isBroken) {
                throw new IOException("no room");
            }
            letters.add(letter.offset());
        }
    }

    private static boolean isRejected(Consumer consumer, long offset) {
        try {
            return consumer.reject(offset, "no");
        } catch (QueueException e) {
            assertThat(e).hasMessageContaining("no room");
            return false;
        }
    }

    /** Rejects the first record; on a busy machine it may be too late for that, and it is tried again. */
    private static boolean isRejectedInTime(Consumer consumer, SlowHandler handler) {
        boolean[] isRejected = new boolean[1];
        while (handler.entered.get() == 0) {
            consumer.poll(1, (offset, _, _) -> isRejected[0] = isRejected(consumer, offset));
        }
        return isRejected[0];
    }

    @Test
    void whatIsBeingRejectedDoesNotComeToOthersHoweverLongThatTakes() throws Exception {
        Polls.append(queue, "a");
        SlowHandler handler = new SlowHandler();
        ConsumerGroup group = queue.group("group",
                new GroupOptions().deadLetters(9, handler).visibilityTimeout(Duration.ofMillis(500)));
        long timeouts;
        try (Consumer consumer = group.consumer(); Consumer other = group.consumer()) {
            FutureTask<Boolean> rejecting = new FutureTask<>(() -> isRejectedInTime(consumer, handler));
            Thread.ofPlatform().start(rejecting);
            handler.isHandling.await();
            timeouts = queue.statistics().timeouts();
            assertThat(other.poll(Duration.ofMillis(700))).isNull();
            assertThat(group.inFlight()).isEqualTo(1);
            assertThat(consumer.acknowledge(0)).as("as if it was put away").isFalse();
            assertThat(consumer.giveBack(0)).isFalse();
            assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isZero();
            handler.mayEnd.countDown();
            assertThat(rejecting.get()).isTrue();
        }
        assertThat(handler.letters).containsExactly(0L);
        assertThat(group.position()).isEqualTo(1);
        assertThat(queue.statistics().timeouts()).isEqualTo(timeouts);
    }

    @Test
    void ofTwoThatRejectTheSameOnlyOneDoes() throws Exception {
        Polls.append(queue, "a");
        SlowHandler handler = new SlowHandler();
        ConsumerGroup group = queue.group("group", new GroupOptions().deadLetters(9, handler));
        try (Consumer consumer = group.consumer(); Delivery delivery = Objects.requireNonNull(consumer.poll())) {
            FutureTask<Boolean> first = new FutureTask<>(() -> isRejected(consumer, 0));
            FutureTask<Boolean> second = new FutureTask<>(() -> isRejected(consumer, 0));
            Thread.ofPlatform().start(first);
            Thread.ofPlatform().start(second);
            handler.isHandling.await();
            while (!first.isDone() && !second.isDone()) {
                assertThat(handler.entered).as("how many put it away").hasValue(1);
            }
            assertThat(delivery.reject("once more")).isFalse();
            assertThat(delivery.acknowledge()).isFalse();
            handler.mayEnd.countDown();
            assertThat(List.of(first.get(), second.get())).containsExactlyInAnyOrder(true, false);
        }
        assertThat(handler.letters).containsExactly(0L);
        assertThat(queue.statistics().deadLetters()).isEqualTo(1);
        assertThat(group.position()).isEqualTo(1);
    }

    @Test
    void whatCouldNotBeRejectedHasATimeAgain() throws Exception {
        Polls.append(queue, "a");
        SlowHandler handler = new SlowHandler();
        handler.isBroken = true;
        ConsumerGroup group = queue.group("group",
                new GroupOptions().deadLetters(9, handler).visibilityTimeout(Duration.ofMillis(500)));
        try (Consumer consumer = group.consumer(); Consumer other = group.consumer()) {
            FutureTask<Boolean> rejecting = new FutureTask<>(() -> isRejectedInTime(consumer, handler));
            Thread.ofPlatform().start(rejecting);
            handler.isHandling.await();
            long timeouts = queue.statistics().timeouts();
            assertThat(other.poll(Duration.ofMillis(700))).isNull();
            handler.mayEnd.countDown();
            assertThat(rejecting.get()).isFalse();
            boolean isAcknowledged = false;
            while (!isAcknowledged) { // It may be too late for that, too.
                try (Delivery again = Objects.requireNonNull(other.poll(LONG))) {
                    assertThat(again.offset()).isZero();
                    assertThat(consumer.acknowledge(0)).isFalse();
                    isAcknowledged = again.acknowledge();
                }
            }
            assertThat(queue.statistics().timeouts()).isGreaterThan(timeouts);
        }
        assertThat(handler.letters).isEmpty();
    }

    @Test
    void whatIsBeingRejectedByAConsumerThatIsClosedComesOnlyIfThatFails() throws Exception {
        for (boolean isBroken : new boolean[]{true, false}) {
            Polls.append(queue, "a");
            SlowHandler handler = new SlowHandler();
            handler.isBroken = isBroken;
            ConsumerGroup group = queue.group("group", new GroupOptions().deadLetters(9, handler));
            Consumer consumer = group.consumer();
            try (Consumer other = group.consumer()) {
                FutureTask<Boolean> rejecting = new FutureTask<>(() -> isRejected(consumer, queue.nextOffset() - 1));
                assertThat(consumer.poll(1, (_, _, _) -> Thread.ofPlatform().start(rejecting))).isEqualTo(1);
                handler.isHandling.await();
                consumer.close();
                assertThat(other.poll()).isNull();
                handler.mayEnd.countDown();
                assertThat(rejecting.get()).isNotEqualTo(isBroken);
                assertThat(other.poll(1, (offset, _, _) -> other.acknowledge(offset))).isEqualTo(isBroken ? 1 : 0);
                assertThat(group.position()).isEqualTo(queue.nextOffset());
            }
        }
    }

    @Test
    void whatIsPutAwayWhileTheGroupIsMovedComesAgain() {
        Polls.append(queue, "a");
        ConsumerGroup group = queue.group("group");
        ConsumerGroup moved = queue.group("group",
                new GroupOptions().deadLetters(1, _ -> assertThat(group.seekToBeginning()).isZero()));
        assertThat(moved).isSameAs(group);
        try (Consumer consumer = group.consumer()) {
            giveBack(consumer, 0);
            try (Delivery again = Objects.requireNonNull(consumer.poll())) {
                assertThat(again.offset()).isZero();
                assertThat(again.deliveries()).isEqualTo(1);
                assertThat(again.reject("no")).isFalse();
            }
            assertThat(group.position()).isZero();
        }
    }

    @Test
    void theGreatestNumberOfDeliveriesIsExact() {
        int most = 65_535;
        Polls.append(queue, "bad");
        List<String> letters = new ArrayList<>();
        GroupOptions options = new GroupOptions().deadLetters(most, letter -> {
            letters.add(letter.deliveries() + ": " + letter.reason());
            if (letters.size() == 1) {
                throw new IOException("try again");
            }
        });
        try (Consumer consumer = queue.group("group", options).consumer()) {
            for (int i = 1; i <= most; i++) {
                assertThat(Polls.pollCounts(consumer, 1)).containsExactly("0 " + i);
                consumer.giveBack(0);
            }
            assertThatExceptionOfType(QueueException.class).isThrownBy(() -> consumer.poll(1, Polls.SKIP))
                    .withMessageContaining("delivered 65535 times");
            queue.advance(Duration.ofSeconds(2));
            assertThat(consumer.poll(1, Polls.SKIP)).as("no delivery more").isZero();
        }
        String letter = "65535: it was delivered 65535 times and not acknowledged";
        assertThat(letters).containsExactly(letter, letter);
    }

    @Test
    void badInputIsRefused() {
        Polls.append(queue, "a");
        GroupOptions options = new GroupOptions();
        assertThatIllegalArgumentException().isThrownBy(() -> options.deadLetters(0, dead))
                .withMessageContaining("from 1 to 65535, not 0");
        assertThatIllegalArgumentException().isThrownBy(() -> options.deadLetters(65536, dead));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.group("group", new GroupOptions().deadLetters(1, queue)))
                .withMessageContaining("the same queue");
        assertThat(queue.groups()).isEmpty();
        try (Consumer consumer = queue.group("group").consumer();
                Delivery delivery = Objects.requireNonNull(consumer.poll())) {
            assertThatIllegalStateException().isThrownBy(() -> delivery.reject("no"))
                    .withMessageContaining("GroupOptions.deadLetters");
        }
        assertThatExceptionOfType(QueueException.class)
                .isThrownBy(() -> DeadLetter.read(MemorySegment.ofArray("something else".getBytes(UTF_8))))
                .withMessageContaining("14 bytes is not a dead letter").withMessageContaining("something else");
        DeadLetter letter = new DeadLetter("g", 1, 2, Instant.EPOCH, Instant.EPOCH, "r", MemorySegment.NULL);
        MemorySegment record = MemorySegment.ofArray(new byte[(int) letter.size()]);
        letter.writeTo(record);
        assertThat(DeadLetter.read(record).reason()).isEqualTo("r");
        record.set(ValueLayout.JAVA_INT_UNALIGNED, 40, 3);
        assertThatExceptionOfType(QueueException.class).isThrownBy(() -> DeadLetter.read(record))
                .withMessageContaining("texts of 3 and 1 bytes");
        record.set(ValueLayout.JAVA_INT_UNALIGNED, 36, 2);
        assertThatExceptionOfType(QueueException.class).isThrownBy(() -> DeadLetter.read(record))
                .withMessageContaining("version 2");
    }

    @Test
    @Tag("verify")
    void theFlightRecorderShowsThem() throws IOException {
        Polls.append(queue, "a");
        List<RecordedEvent> events = FlightRecordings.during(temporary.resolve("events.jfr"), () -> {
            try (Consumer consumer = queue.group("group", new GroupOptions().deadLetters(9, dead)).consumer()) {
                consumer.poll(1, (offset, _, _) -> consumer.reject(offset, "why not"));
            }
        }, "dev.outcrop.QueueDeadLetter");
        assertThat(FlightRecordings.named(events, "dev.outcrop.QueueDeadLetter")).singleElement().satisfies(event -> {
            assertThat(event.getString("group")).isEqualTo("group");
            assertThat(event.getString("reason")).isEqualTo("why not");
            assertThat(event.getLong("offset")).isZero();
            assertThat(event.getInt("deliveries")).isEqualTo(1);
        });
    }

    @Test
    @Tag("verify")
    void afterAKillNoRecordIsInNeitherQueue() throws Exception {
        close();
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        Path both = temporary.resolve("both");
        int records = 0;
        try (Queue sink = Queue.open(both.resolve("dead"), DeadLetterProgram.options())) {
            sink.group("people");
        }
        for (int round = 0; round < KILLS; round++) {
            try (Queue source = Queue.open(both.resolve("queue"), DeadLetterProgram.options())) {
                source.group(DeadLetterProgram.GROUP);
                // Anew in each round: all may be put away before the child is killed.
                for (int i = 0; i < 500; i++) {
                    source.append(Payloads.of(0, records++, 50));
                }
            }
            Path file = temporary.resolve("report" + round);
            Report report = new Report(file, DeadLetterProgram.REPORT_BYTES);
            try (RunningJvm child = RunningJvm.start(DeadLetterProgram.class, both, file)) {
                long enough = random.nextInt(200);
                while (report.get(DeadLetterProgram.IS_OPEN) == 0 || report.get(DeadLetterProgram.DEAD) < enough) {
                    assertThat(child.isAlive()).isTrue();
                    LockSupport.parkNanos(100_000);
                }
                child.kill();
            }
            assertThat(missing(both, records)).as("seed %d, round %d", seed, round).isEmpty();
        }
    }

    private static Set<Long> missing(Path both, int records) {
        Set<Long> missing = new TreeSet<>();
        for (long i = 0; i < records; i++) {
            missing.add(i);
        }
        try (Queue source = Queue.open(both.resolve("queue"), DeadLetterProgram.options());
                Consumer left = source.group(DeadLetterProgram.GROUP).consumer()) {
            Polls.all(left, 100, (_, payload, _) -> missing.remove(Payloads.intact(payload).number()));
        }
        try (Queue sink = Queue.open(both.resolve("dead"), DeadLetterProgram.options());
                Consumer people = sink.group("people").consumer()) {
            Polls.all(people, 100,
                    (_, record, _) -> missing.remove(Payloads.intact(DeadLetter.read(record).payload()).number()));
        }
        return missing;
    }

    /** Fails to handle any record, so that all go to the dead letters, until it is killed. Arguments: directory, file of the report. */
    static final class DeadLetterProgram {
        static final int IS_OPEN = 0;
        static final int DEAD = 1;
        static final int REPORT_BYTES = 4096;
        static final String GROUP = "group";

        static QueueOptions options() {
            return new QueueOptions().segmentSize(16 << 10);
        }

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            Report report = new Report(Path.of(arguments[1]), REPORT_BYTES);
            Queue dead = Queue.open(directory.resolve("dead"), options());
            Queue queue = Queue.open(directory.resolve("queue"), options());
            Consumer consumer = queue.group(GROUP, new GroupOptions().deadLetters(2, dead)).consumer();
            report.set(IS_OPEN, 1);
            while (true) {
                try (Delivery delivery = consumer.poll(Duration.ofMinutes(5))) {
                    if (delivery != null) {
                        boolean _ = delivery.giveBack();
                    }
                }
                report.set(DEAD, queue.statistics().deadLetters());
            }
        }
    }
}
