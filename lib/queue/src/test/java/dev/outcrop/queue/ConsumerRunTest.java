package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs: the only consumer of a group finds many records while they are shown, without the group's lock. Tests of what others do meanwhile,
 * and of damage.
 */
class ConsumerRunTest extends OpenQueue {
    private static final int LENGTH = 600;
    private static final int RECORD = (int) QueueLayout.recordBytes(LENGTH);
    /** Fewer than a run has, with the records that are found at once before the first one. */
    private static final int RECORDS = 108;

    private ConsumerGroup group;
    private Consumer consumer;
    /** The number of appended records, withdrawn ones included. */
    private int offsets;

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(1 << 20).keepBytes(Long.MAX_VALUE);
    }

    @Override
    @BeforeEach
    void open() {
        options = options();
        super.open();
        group = queue.group("group");
        consumer = group.consumer();
    }

    private static byte[] bytes(int number, int length) {
        byte[] text = Integer.toString(number).getBytes(StandardCharsets.UTF_8);
        ByteBuffer filled = ByteBuffer.allocate(Math.max(length, text.length));
        filled.put(text);
        while (filled.hasRemaining()) {
            filled.put((byte) ' ');
        }
        return filled.array();
    }

    /** Appends records whose text is their offset. */
    private void append(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(queue.append(bytes(i, LENGTH))).isEqualTo(i);
        }
    }

    /** Polls once: "offset deliveries". Checks that each payload is that of its offset, and calls something while it is shown. */
    private static List<String> poll(Consumer from, LongConsumer meanwhile) {
        List<String> polled = new ArrayList<>();
        from.poll(1000, (offset, payload, deliveries) -> {
            assertThat(Polls.text(payload).strip()).isEqualTo(Long.toString(offset));
            polled.add(offset + " " + deliveries);
            meanwhile.accept(offset);
        });
        return polled;
    }

    private static List<String> poll(Consumer from) {
        return poll(from, _ -> {
        });
    }

    private static LongConsumer at(long where, Runnable action) {
        return offset -> {
            if (offset == where) {
                action.run();
            }
        };
    }

    private static List<String> counted(long from, long to, int deliveries) {
        return LongStream.range(from, to).mapToObj(offset -> offset + " " + deliveries).toList();
    }

    private static List<String> again(long from, long first, long to) {
        return Stream.concat(counted(from, first, 2).stream(), counted(first, to, 1).stream()).toList();
    }

    // --- Others come ---

    @Test
    void whoComesMeanwhileIsGivenWhatLiesBehind() {
        append(0, RECORDS);
        List<String> others = new ArrayList<>();
        try (Consumer other = group.consumer()) {
            // Not alone: nothing is left to this one.
            assertThat(other.poll(1, Polls.SKIP)).isEqualTo(1);
        }
        assertThat(poll(consumer, offset -> {
            if (offset == 70) {
                Consumer other = group.consumer();
                assertThat(poll(other)).isEmpty();
                assertThat(other.poll()).isNull();
                assertThat(group.inFlight()).isEqualTo(RECORDS);
                append(RECORDS, RECORDS + 30);
                others.addAll(poll(other));
                assertThat(other.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(30);
                other.close();
            }
        })).startsWith("0 2", "1 1").hasSize(RECORDS);
        assertThat(others).isEqualTo(counted(RECORDS, RECORDS + 30, 1));
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(RECORDS);
        assertThat(group.position()).isEqualTo(RECORDS + 30);
    }

    @Test
    void handlerMayPollSingleRecords() {
        append(0, RECORDS);
        List<Long> single = new ArrayList<>();
        assertThat(poll(consumer, at(50, () -> {
            assertThat(consumer.poll()).isNull();
            append(RECORDS, RECORDS + 1);
            try (Delivery next = consumer.poll()) {
                single.add(next == null ? -1 : next.offset());
            }
        }))).isEqualTo(counted(0, RECORDS, 1));
        assertThat(single).containsExactly((long) RECORDS);
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(RECORDS + 1);
    }

    @Test
    void whatWasNotShownComesUncountedWhenTheConsumerIsClosed() {
        append(0, RECORDS);
        assertThat(poll(consumer, at(80, consumer::close))).isEqualTo(counted(0, 81, 1));
        assertThat(poll(group.consumer())).isEqualTo(again(0, 81, RECORDS));
    }

    @Test
    void whatWasNotShownComesUncountedWhenTheConsumerIsClosedAfterAnotherOneHasCome() {
        append(0, RECORDS);
        List<Consumer> others = new ArrayList<>();
        assertThat(poll(consumer, at(80, () -> {
            Consumer other = group.consumer();
            others.add(other);
            assertThat(other.poll()).isNull();
            consumer.close();
        }))).isEqualTo(counted(0, 81, 1));
        assertThat(poll(others.getFirst())).isEqualTo(again(0, 81, RECORDS));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatTheHandlerHasFailedOnComesAgain(boolean isAnotherThere) {
        append(0, RECORDS);
        assertThatThrownBy(() -> poll(consumer, at(90, () -> {
            assertThat(consumer.acknowledgeUpTo(20)).isEqualTo(21);
            if (isAnotherThere) {
                assertThat(poll(group.consumer())).isEmpty();
            }
            throw new IllegalStateException("on purpose");
        }))).hasMessage("on purpose");
        assertThat(group.inFlight()).isZero();
        assertThat(poll(consumer)).isEqualTo(again(21, 91, RECORDS));
    }

    @Test
    void groupIsMovedMeanwhile() {
        append(0, RECORDS);
        assertThat(poll(consumer, at(60, () -> group.seek(30)))).isEqualTo(counted(0, 61, 1));
        assertThat(group.inFlight()).isZero();
        assertThat(poll(consumer, at(100, group::seekToEnd))).isEqualTo(counted(30, 101, 1));
        assertThat(poll(consumer)).isEmpty();
        append(RECORDS, RECORDS + 20);
        assertThat(poll(consumer)).isEqualTo(counted(RECORDS, RECORDS + 20, 1));
    }

    @Test
    void queueIsClosedMeanwhile() {
        append(0, RECORDS);
        assertThat(poll(consumer, at(60, queue::close))).isEqualTo(counted(0, 61, 1));
        open();
        assertThat(poll(consumer)).isEqualTo(counted(0, RECORDS, 1));
    }

    @Test
    void groupIsDeletedMeanwhile() {
        append(0, RECORDS);
        assertThat(poll(consumer, at(60, () -> queue.deleteGroup("group")))).isEqualTo(counted(0, 61, 1));
        assertThatThrownBy(() -> poll(consumer)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void deadlinesFromNowOnAreNotForWhatIsBeingShown() throws InterruptedException {
        append(0, RECORDS);
        List<String> others = new ArrayList<>();
        assertThat(consumer.poll(RECORDS, (offset, _, deliveries) -> {
            assertThat(deliveries).isEqualTo(1);
            if (offset == 60) {
                queue.group("group", new GroupOptions().visibilityTimeout(Duration.ofMinutes(1)));
                append(RECORDS, RECORDS + 1);
                others.addAll(poll(group.consumer()));
            }
        })).isEqualTo(RECORDS);
        queue.advance(Duration.ofMinutes(2));
        assertThat(group.inFlight()).isEqualTo(RECORDS);
        assertThat(others).containsExactly(RECORDS + " 1");
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(RECORDS);
        assertThat(poll(consumer).getFirst()).startsWith(RECORDS + " ");
    }

    @Test
    void moreTimeIsGivenMeanwhile() throws InterruptedException {
        append(0, RECORDS);
        assertThat(consumer.poll(RECORDS, (offset, _, _) -> {
            if (offset == 60) {
                assertThat(consumer.extend(40, Duration.ofMinutes(1))).isTrue();
            }
        })).isEqualTo(RECORDS);
        assertThat(poll(group.consumer())).isEmpty();
        queue.advance(Duration.ofMinutes(2));
        assertThat(poll(group.consumer())).containsExactly("40 2");
    }

    // --- Acknowledging ---

    @Test
    void eachIsAcknowledgedWhenItIsShown() {
        append(0, RECORDS);
        long all = group.lag().bytes();
        assertThat(poll(consumer, offset -> {
            assertThat(group.position()).isEqualTo(offset);
            assertThat(consumer.acknowledge(offset)).isTrue();
            assertThat(consumer.acknowledge(offset)).isFalse();
            assertThat(group.position()).isEqualTo(offset + 1);
            assertThat(group.lag().records()).isEqualTo(RECORDS - offset - 1);
            assertThat(group.lag().bytes()).isEqualTo(all - (offset + 1) * RECORD);
        })).isEqualTo(counted(0, RECORDS, 1));
        assertThat(group.inFlight()).isZero();
    }

    @Test
    void whatIsGivenBackMeanwhileComesBeforeTheNextRun() {
        append(0, RECORDS);
        Polls.appendWithdrawn(queue);
        append(RECORDS + 1, RECORDS + 40);
        List<String> expected = new ArrayList<>(counted(0, RECORDS, 1));
        expected.add("33 2");
        expected.add("66 2");
        expected.addAll(counted(RECORDS + 1, RECORDS + 40, 1));
        int[] left = {2};
        assertThat(poll(consumer, offset -> {
            if ((offset == 33 || offset == 66) && left[0]-- > 0) {
                assertThat(consumer.giveBack(offset)).isTrue();
            }
        })).isEqualTo(expected);
    }

    @Test
    void smallAndLargePayloadsAreMixed() {
        Random lengths = new Random(1);
        for (int i = 0; i < 3000; i++) {
            queue.append(bytes(i, lengths.nextInt(4) == 0 ? lengths.nextInt(20_000) : lengths.nextInt(1500)));
        }
        List<String> polled = new ArrayList<>();
        for (int before = -1; before < polled.size();) {
            before = polled.size();
            polled.addAll(poll(consumer, offset -> {
                if (offset % 7 == 0) {
                    assertThat(consumer.acknowledge(offset)).isTrue();
                }
            }));
        }
        assertThat(polled).isEqualTo(counted(0, 3000, 1));
    }

    @Test
    void aPollThatIsShortEndsTheRun() {
        append(0, RECORDS);
        List<Long> shown = new ArrayList<>();
        while (consumer.poll(37, (offset, _, _) -> shown.add(offset)) > 0) {
            assertThat(group.inFlight()).isEqualTo(shown.size());
        }
        assertThat(shown).isEqualTo(range(0, RECORDS));
    }

    @Test
    void visitorIsShownThemToo() {
        append(0, RECORDS);
        List<Long> shown = new ArrayList<>();
        assertThat(consumer.visit(1000, record -> {
            assertThat(Polls.text(record.segment()).strip()).isEqualTo(Long.toString(record.offset()));
            shown.add(record.offset());
            if (shown.size() == 70) {
                assertThat(poll(group.consumer())).isEmpty();
            }
        })).isEqualTo(RECORDS);
        assertThat(shown).isEqualTo(range(0, RECORDS));
    }

    // --- What lies there ---

    /** Appends all records but the 100th, which is claimed, and committed when it may be. Returns that one's append. */
    private FutureTask<Long> appendedAroundAClaim(CountDownLatch mayCommit) throws InterruptedException {
        append(0, 100);
        CountDownLatch isClaimed = new CountDownLatch(1);
        FutureTask<Long> slow = new FutureTask<>(() -> queue.append(LENGTH, to -> {
            isClaimed.countDown();
            Uninterrupted.await(mayCommit::await);
            to.copyFrom(MemorySegment.ofArray(bytes(100, LENGTH)));
        }));
        Thread.ofPlatform().daemon().start(slow);
        isClaimed.await();
        append(101, RECORDS);
        return slow;
    }

    @Test
    void whatIsNotCommittedYetEndsIt() throws Exception {
        CountDownLatch mayCommit = new CountDownLatch(1);
        FutureTask<Long> slow = appendedAroundAClaim(mayCommit);
        // No consumer gets a record behind it.
        assertThat(poll(consumer, at(60, () -> {
            assertThat(poll(group.consumer())).isEmpty();
            assertThat(group.inFlight()).isEqualTo(100);
        }))).isEqualTo(counted(0, 100, 1));
        assertThat(poll(consumer)).isEmpty();
        mayCommit.countDown();
        assertThat(slow.get()).isEqualTo(100);
        assertThat(poll(consumer)).isEqualTo(counted(100, RECORDS, 1));
    }

    @Test
    void whatIsCommittedMeanwhileIsInTheRun() throws Exception {
        CountDownLatch mayCommit = new CountDownLatch(1);
        FutureTask<Long> slow = appendedAroundAClaim(mayCommit);
        List<String> others = new ArrayList<>();
        assertThat(poll(consumer, at(60, () -> {
            Consumer other = group.consumer();
            assertThat(other.poll()).isNull();
            mayCommit.countDown();
            joined(slow);
            append(RECORDS, RECORDS + 10);
            others.addAll(poll(other));
        }))).isEqualTo(counted(0, RECORDS, 1));
        assertThat(others).isEqualTo(counted(RECORDS, RECORDS + 10, 1));
    }

    private static void joined(FutureTask<Long> task) {
        try {
            assertThat(task.get()).isNotNegative();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsWithdrawnIsLeftOut(boolean isAnotherThere) {
        append(0, 70);
        Polls.appendWithdrawn(queue);
        append(71, RECORDS);
        List<String> others = new ArrayList<>();
        List<String> polled = poll(consumer, at(50, () -> {
            if (isAnotherThere) {
                others.addAll(poll(group.consumer()));
            }
        }));
        List<String> all = new ArrayList<>(polled);
        all.addAll(others);
        List<String> expected = new ArrayList<>(counted(0, 70, 1));
        expected.addAll(counted(71, RECORDS, 1));
        assertThat(all).isEqualTo(expected);
        assertThat(polled).hasSize(isAnotherThere ? 70 : RECORDS - 1);
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(polled.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsDamagedIsNotShownToAnybody(boolean isAnotherThere) throws Exception {
        append(0, RECORDS);
        queue.close();
        // Opening looks at all records, and reading checks them again.
        open();
        damage(directory(), 70);
        assertThat(poll(consumer, at(50, () -> {
            if (isAnotherThere) {
                assertDamaged(group.consumer());
            }
        }))).isEqualTo(counted(0, 70, 1));
        assertDamaged(consumer);
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(70);
        group.seek(71);
        assertThat(poll(consumer)).isEqualTo(counted(71, RECORDS, 1));
    }

    private static void damage(Path queue, long offset) throws IOException {
        Sample.flip(Sample.segment(queue, 0), QueueLayout.HEADER + offset * RECORD + QueueLayout.PAYLOAD + 200, 0);
    }

    private static void assertDamaged(Consumer from) {
        assertDamaged(from, 70);
    }

    private static void assertDamaged(Consumer from, long offset) {
        assertThatThrownBy(() -> poll(from)).isInstanceOfSatisfying(QueueCorruptException.class,
                e -> assertThat(e.offset()).isEqualTo(offset));
    }

    @ParameterizedTest
    @EnumSource
    void damageIsReportedWhereItIs(ReadVerification verification) throws IOException {
        append(0, RECORDS);
        queue.close();
        for (int damaged = 0; damaged < RECORDS; damaged += TestSize.isNightly() ? 1 + damaged / 40 : 13) {
            Path copy = temporary.resolve("copy-" + damaged);
            Sample.copy(directory(), copy);
            try (Queue again = Queue.open(copy, options().verifyReads(verification))) {
                damage(copy, damaged);
                Consumer reader = again.group("group").consumer();
                if (damaged > 0) {
                    assertThat(poll(reader)).isEqualTo(counted(0, damaged, 1));
                }
                assertDamaged(reader, damaged);
                assertThat(again.group("group").inFlight()).isEqualTo(damaged);
                again.group("group").seek(damaged + 1);
                assertThat(poll(reader)).isEqualTo(counted(damaged + 1, RECORDS, 1));
                // Another group finds the same, although the records before the damage are known now.
                Consumer other = again.group("other").consumer();
                again.group("other").seekToBeginning();
                assertThat(damaged == 0 ? List.of() : poll(other)).isEqualTo(counted(0, damaged, 1));
                assertDamaged(other, damaged);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 30, 60, RECORDS})
    void whatWasCheckedIsNotCheckedAgain(int shown) throws IOException {
        append(0, RECORDS);
        queue.close();
        try (Queue again = Queue.open(directory(), options())) {
            ConsumerGroup first = again.group("group");
            ConsumerGroup second = again.group("second");
            second.seekToBeginning();
            try (Consumer one = first.consumer(); Consumer other = second.consumer()) {
                assertThat(one.poll(shown, Polls.SKIP)).isEqualTo(shown);
                for (int offset = 0; offset < RECORDS; offset++) {
                    damage(directory(), offset);
                }
                List<Long> delivered = new ArrayList<>();
                other.poll(shown, (offset, _, _) -> delivered.add(offset));
                assertThat(delivered).isEqualTo(range(0, shown));
                if (shown < RECORDS) {
                    assertDamaged(other, shown);
                }
            }
        }
    }

    /** A small record behind the run keeps another run from joining on. */
    @Test
    void whatWasCheckedBehindARunIsNotCheckedAgain() throws IOException {
        int length = 1100;
        int count = 150;
        for (int small = 50; small < 75; small += TestSize.isNightly() ? 1 : 8) {
            Path there = temporary.resolve("small-" + small);
            int[] positions = new int[count + 1];
            positions[0] = QueueLayout.HEADER;
            try (Queue filled = Queue.open(there, options())) {
                for (int i = 0; i < count; i++) {
                    int bytes = i == small ? 100 : length;
                    filled.append(bytes(i, bytes));
                    positions[i + 1] = positions[i] + (int) QueueLayout.recordBytes(bytes);
                }
            }
            try (Queue again = Queue.open(there, options());
                    Consumer one = again.group("group").consumer();
                    Consumer other = again.group("second").consumer()) {
                int shown = count - 10;
                again.group("group").seekToBeginning();
                again.group("second").seekToBeginning();
                assertThat(one.poll(shown, Polls.SKIP)).isEqualTo(shown);
                for (int i = 0; i < count; i++) {
                    Sample.flip(Sample.segment(there, 0), positions[i] + QueueLayout.PAYLOAD + 50, 0);
                }
                List<Long> delivered = new ArrayList<>();
                other.poll(shown, (offset, _, _) -> delivered.add(offset));
                assertThat(delivered).as("small record %d", small).isEqualTo(range(0, shown));
                assertDamaged(other, shown);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAnEarlierOpeningHasAppendedIsDeliveredWhenItIsShown(boolean isVisiting) {
        append(0, RECORDS);
        queue.close();
        open();
        LongConsumer meanwhile = offset -> {
            assertThat(group.position()).isEqualTo(offset);
            assertThat(consumer.acknowledge(offset)).isTrue();
            assertThat(group.lag().records()).isEqualTo(RECORDS - offset - 1);
        };
        if (isVisiting) {
            assertThat(consumer.visit(1000, record -> {
                assertThat(Polls.text(record.segment()).strip()).isEqualTo(Long.toString(record.offset()));
                meanwhile.accept(record.offset());
            })).isEqualTo(RECORDS);
        } else {
            assertThat(poll(consumer, meanwhile)).isEqualTo(counted(0, RECORDS, 1));
        }
        assertThat(group.inFlight()).isZero();
    }

    @Test
    void whatThisOpeningAppendsFollowsWhatAnEarlierOneHas() {
        append(0, 57);
        queue.close();
        open();
        append(57, RECORDS);
        assertThat(poll(consumer, at(30, () -> append(RECORDS, RECORDS + 20))))
                .startsWith(counted(0, RECORDS, 1).toArray(String[]::new));
        assertThat(consumer.poll(1000, Polls.SKIP)).isBetween(0, 20);
        assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(RECORDS + 20);
    }

    @Test
    void segmentsEndInTheMiddle() {
        queue.close();
        try (Queue small = Queue.open(temporary.resolve("small"), options().segmentSize(16 << 10))) {
            for (int i = 0; i < 1000; i++) {
                small.append(bytes(i, LENGTH));
            }
            assertThat(poll(small.group("group").consumer(), offset -> {
                if (offset % 100 == 99) {
                    small.append(bytes(1000 + (int) offset / 100, LENGTH));
                }
            })).isEqualTo(counted(0, 1000, 1));
        }
    }

    // --- At random ---

    /** A record is held by one open consumer at most, and never comes again once it is acknowledged. */
    private static final class Model {
        final Map<Long, Consumer> holders = new HashMap<>();
        final TreeSet<Long> acknowledged = new TreeSet<>();
        final List<Consumer> open = new ArrayList<>();

        void shown(Consumer to, long offset) {
            assertThat(acknowledged).doesNotContain(offset);
            Consumer before = holders.put(offset, to);
            assertThat(before).as("who holds record %d, beside %s", offset, to).isNull();
        }

        void givenBack(Consumer by) {
            holders.values().removeIf(by::equals);
        }
    }

    @ParameterizedTest
    @Tag("verify")
    @OneOf(6)
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void nothingIsGivenToTwoAndNothingIsLost(int run) {
        long seed = TestSize.seed(getClass()) + run;
        Random random = new Random(seed);
        Model model = new Model();
        model.open.add(consumer);
        TreeSet<Long> appended = new TreeSet<>();
        for (int round = 0; round < 60; round++) {
            appendSome(random, appended);
            Consumer one = model.open.get(random.nextInt(model.open.size()));
            pollAtRandom(one, random, model, 0);
            // Often a single one: only that is left to find its records itself.
            while (model.open.size() > (random.nextInt(3) == 0 ? 2 : 1)) {
                closeAny(random, model);
            }
        }
        while (!model.open.isEmpty()) {
            closeAny(random, model);
        }
        Consumer last = group.consumer();
        poll(last, offset -> model.shown(last, offset));
        while (!poll(last, offset -> model.shown(last, offset)).isEmpty()) {
            // And the next ones.
        }
        TreeSet<Long> all = new TreeSet<>(model.holders.keySet());
        all.addAll(model.acknowledged);
        assertThat(all).isEqualTo(appended);
        assertThat(group.lag().records()).isEqualTo(model.holders.size());
        assertThat(group.inFlight()).isEqualTo(model.holders.size());
    }

    /** Adds the offsets of those that are not withdrawn. */
    private void appendSome(Random random, Set<Long> appended) {
        for (int i = random.nextInt(300); i > 0; i--) {
            if (random.nextInt(100) == 0) {
                Polls.appendWithdrawn(queue);
            } else {
                appended.add(queue.append(bytes(offsets, random.nextInt(900))));
            }
            offsets++;
        }
    }

    private static void closeAny(Random random, Model model) {
        Consumer closed = model.open.remove(random.nextInt(model.open.size()));
        closed.close();
        model.givenBack(closed);
    }

    private void pollAtRandom(Consumer one, Random random, Model model, int depth) {
        try {
            List<Long> shown = new ArrayList<>();
            one.poll(1 + random.nextInt(400), (offset, payload, _) -> {
                assertThat(Polls.text(payload).strip()).isEqualTo(Long.toString(offset));
                model.shown(one, offset);
                shown.add(offset);
                happen(one, offset, random, model, depth, shown);
            });
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("on purpose");
        }
    }

    private void happen(Consumer one, long offset, Random random, Model model, int depth, List<Long> shown) {
        switch (random.nextInt(60)) {
            case 0, 1, 2, 3, 4 -> {
                assertThat(one.acknowledge(offset)).isTrue();
                model.acknowledged.add(offset);
                model.holders.remove(offset);
            }
            case 5 -> {
                List<Long> upTo = model.holders.entrySet().stream()
                        .filter(held -> held.getValue().equals(one) && held.getKey() <= offset).map(Map.Entry::getKey)
                        .toList();
                assertThat(one.acknowledgeUpTo(offset)).isEqualTo(upTo.size());
                model.acknowledged.addAll(upTo);
                upTo.forEach(model.holders::remove);
            }
            case 6 -> {
                if (random.nextInt(4) == 0) {
                    assertThat(one.giveBack(offset)).isTrue();
                    model.holders.remove(offset);
                }
            }
            case 7 -> {
                if (depth == 0 && model.open.size() < 4 && random.nextInt(3) == 0) {
                    Consumer other = group.consumer();
                    model.open.add(other);
                    pollAtRandom(other, random, model, 1);
                }
            }
            case 8 -> {
                try (Delivery next = one.poll()) {
                    if (next != null) {
                        model.shown(one, next.offset());
                    }
                }
            }
            case 9 -> {
                if (random.nextInt(6) == 0) {
                    shown.forEach(each -> model.holders.remove(each, one));
                    throw new IllegalStateException("on purpose");
                }
            }
            case 10 -> assertThat(group.inFlight()).isGreaterThanOrEqualTo(model.holders.size());
            default -> {
                // Most are only shown.
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void consumersComeAndGoWhileRecordsAreAppended(boolean isVisiting) throws Exception {
        long seed = TestSize.seed(getClass());
        int records = 60_000;
        consumer.close();
        Map<Long, Object> holders = new ConcurrentHashMap<>();
        AtomicInteger left = new AtomicInteger(records);
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        for (int t = 0; t < 4; t++) {
            Random random = new Random(seed + t);
            boolean isProducer = t < 2;
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    if (isProducer) {
                        for (int i = 0; i < records / 2; i++) {
                            appendSlowly(random, i);
                        }
                    } else {
                        while (left.get() > 0) {
                            comeAndGo(random, holders, left, isVisiting);
                        }
                    }
                } catch (Throwable e) {
                    failures.add(e);
                    left.set(0);
                }
            }));
        }
        Polls.joinAll(threads);
        assertThat(failures).isEmpty();
        assertThat(holders).isEmpty();
        assertThat(group.lag().records()).isZero();
    }

    /** The run begins with a withdrawn record, and ends there if another consumer comes before it was looked at. */
    @Test
    @Tag("verify")
    void whoComesJustWhenARunBeginsIsGivenWhatLiesBehind() throws Exception {
        queue.close();
        try (Queue large = Queue.open(temporary.resolve("large"), options().segmentSize(64 << 20))) {
            for (int i = 0; i < 81_000; i++) {
                if (i % 9 == 7) {
                    appendWithdrawn(large);
                } else {
                    large.append(bytes(i, LENGTH));
                }
            }
            ConsumerGroup shared = large.group("group");
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            AtomicInteger shown = new AtomicInteger();
            RecordHandler handler = (offset, payload, _) -> {
                shown.incrementAndGet();
                if (payload.byteSize() != LENGTH
                        || !Polls.text(payload.asSlice(0, 8)).strip().equals(Long.toString(offset))) {
                    wrong.add("record " + offset);
                }
            };
            long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            try (Consumer one = shared.consumer()) {
                FutureTask<Boolean> coming = new FutureTask<>(() -> {
                    Random random = new Random();
                    while (shared.lag().records() > 0 && wrong.isEmpty() && System.nanoTime() < end) {
                        try (Consumer other = shared.consumer()) {
                            int _ = other.poll(1, handler);
                            int _ = other.acknowledgeUpTo(Long.MAX_VALUE);
                        }
                        for (int i = random.nextInt(2000); i > 0; i--) {
                            Thread.onSpinWait();
                        }
                    }
                    return true;
                });
                Thread.ofPlatform().daemon().start(coming);
                while (one.poll(1000, handler) > 0 || !coming.isDone()) {
                    int _ = one.acknowledgeUpTo(Long.MAX_VALUE);
                }
                assertThat(coming.get()).isTrue();
                while (one.poll(1000, handler) > 0) {
                    int _ = one.acknowledgeUpTo(Long.MAX_VALUE);
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(shared.lag().records()).isZero();
            assertThat(shown).hasValue(81_000 - 81_000 / 9);
        }
    }

    private static void appendWithdrawn(Queue to) {
        assertThatThrownBy(() -> to.append(LENGTH, _ -> {
            throw new IllegalStateException("withdrawn");
        })).hasMessage("withdrawn");
    }

    private void appendSlowly(Random random, int number) {
        int length = random.nextInt(900);
        if (random.nextInt(1000) == 0) {
            Polls.appendWithdrawn(queue);
        }
        queue.append(length + Long.BYTES, to -> {
            to.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
            if (number % 5000 == 4999) {
                LockSupport.parkNanos(1);
            }
        });
    }

    private void comeAndGo(Random random, Map<Long, Object> holders, AtomicInteger left, boolean isVisiting)
            throws InterruptedException {
        TreeSet<Long> mine = new TreeSet<>();
        try (Consumer one = group.consumer()) {
            for (int polls = random.nextInt(40); polls >= 0 && left.get() > 0; polls--) {
                int fails = random.nextInt(8) == 0 ? random.nextInt(300) : -1;
                List<Long> shown = new ArrayList<>();
                LongConsumer showing = offset -> {
                    Object before = holders.put(offset, mine);
                    assertThat(before).as("who holds record %d", offset).isNull();
                    mine.add(offset);
                    shown.add(offset);
                    if (shown.size() == fails) {
                        // Before they are given back.
                        shown.forEach(each -> letGo(holders, mine, each));
                        throw new IllegalStateException("on purpose");
                    }
                };
                try {
                    if (isVisiting) {
                        one.visit(300, Duration.ofMillis(5), record -> showing.accept(record.offset()));
                    } else {
                        one.poll(300, Duration.ofMillis(5), (offset, _, _) -> showing.accept(offset));
                    }
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("on purpose");
                    continue;
                }
                Long upTo = random.nextBoolean() && !mine.isEmpty() ? mine.last() : null;
                acknowledge(one, upTo, holders, left, mine);
            }
            // Before they are given back.
            mine.forEach(offset -> holders.remove(offset));
        }
    }

    private static void letGo(Map<Long, Object> holders, Set<Long> mine, long offset) {
        holders.remove(offset);
        mine.remove(offset);
    }

    private static void acknowledge(Consumer one, @Nullable Long upTo, Map<Long, Object> holders, AtomicInteger left,
            Set<Long> mine) {
        if (upTo != null) {
            int count = one.acknowledgeUpTo(upTo);
            assertThat(count).isEqualTo(mine.size());
            mine.forEach(holders::remove);
            mine.clear();
            left.addAndGet(-count);
        }
    }
}
