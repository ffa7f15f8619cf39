package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations on two groups with several consumers, with restarts and kills between them, against a simple model of a group. */
class GroupModelTest extends QueueFixture {
    private static final int STEPS = TestSize.choose("outcrop.model.steps", 2500, 20_000);

    private Random random = new Random();
    private final List<Boolean> withdrawn = new ArrayList<>();
    private int opened;
    @SuppressWarnings("NullAway.Init") // at the start of the test
    private Queue queue;

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(8192).keepBytes(Long.MAX_VALUE);
    }

    /** A group as one would write it without caring for time and memory. */
    private final class Model {
        final String name;
        ConsumerGroup group;
        final Map<Consumer, TreeSet<Long>> held = new HashMap<>();
        final List<Consumer> consumers = new ArrayList<>();
        /** Acknowledged by consumers, or withdrawn and passed. */
        final TreeSet<Long> acknowledged = new TreeSet<>();
        final TreeSet<Long> ready = new TreeSet<>();
        final TreeSet<Long> later = new TreeSet<>();
        final Map<Long, Integer> counts = new HashMap<>();
        long floor;
        long end;

        Model(String name) {
            this.name = name;
            this.group = queue.group(name);
        }

        long floor() {
            while (floor < end && acknowledged.contains(floor)) {
                floor++;
            }
            return floor;
        }

        long lag() {
            long lag = withdrawn.size() - floor();
            for (long offset = floor; offset < withdrawn.size(); offset++) {
                lag -= acknowledged.contains(offset) ? 1 : 0;
            }
            return lag;
        }

        /** "offset deliveries" of the next record, or null. */
        @Nullable
        String take(Consumer consumer) {
            Long offset = ready.pollFirst();
            while (offset == null) {
                if (end == withdrawn.size()) {
                    return null;
                }
                if (withdrawn.get((int) end)) {
                    acknowledged.add(end++);
                } else if (acknowledged.contains(end)) {
                    end++;
                } else {
                    offset = end++;
                }
            }
            Objects.requireNonNull(held.get(consumer)).add(offset);
            return offset + " " + counts.merge(offset, 1, Integer::sum);
        }

        void giveBackAll(Consumer consumer) {
            TreeSet<Long> mine = Objects.requireNonNull(held.get(consumer));
            ready.addAll(mine);
            mine.clear();
        }

        void move(long offset) {
            floor = offset;
            end = offset;
            acknowledged.clear();
            forgetDeliveries();
        }

        private void forgetDeliveries() {
            ready.clear();
            later.clear();
            counts.clear();
            held.values().forEach(TreeSet::clear);
        }

        void reopened() {
            floor();
            while (acknowledged.contains(floor)) {
                floor++;
            }
            end = floor;
            forgetDeliveries();
            held.clear();
            consumers.clear();
            group = queue.group(name);
        }

        Consumer anyConsumer() {
            if (consumers.isEmpty() || (consumers.size() < 4 && random.nextInt(20) == 0)) {
                Consumer made = group.consumer();
                consumers.add(made);
                held.put(made, new TreeSet<>());
            }
            return consumers.get(random.nextInt(consumers.size()));
        }

        @Nullable
        Long anyHeld(Consumer consumer) {
            TreeSet<Long> mine = Objects.requireNonNull(held.get(consumer));
            if (mine.isEmpty()) {
                return null;
            }
            Long at = mine.ceiling(mine.first() + random.nextLong(mine.last() - mine.first() + 1));
            return at;
        }
    }

    @ParameterizedTest
    @Tag("verify")
    @OneOf(4)
    @ValueSource(ints = {1, 2, 3, 4})
    void theGroupIsWhatTheModelIs(int run) throws Exception {
        long seed = TestSize.seed(getClass()) + run;
        random = new Random(seed);
        queue = Queue.open(temporary.resolve("queue0"), options());
        try {
            List<Model> models = List.of(new Model("first"), new Model("second"));
            for (int step = 0; step < STEPS; step++) {
                String what = "seed " + seed + ", step " + step;
                Model model = models.get(random.nextInt(2));
                step(model, what);
                assertThat(model.group.position()).as(what).isEqualTo(model.floor());
                assertThat(model.group.lag().records()).as(what).isEqualTo(model.lag());
                assertThat(model.group.inFlight()).as(what)
                        .isEqualTo(model.held.values().stream().mapToInt(TreeSet::size).sum());
                if (random.nextInt(200) == 0) {
                    reopen();
                    models.forEach(Model::reopened);
                }
            }
        } finally {
            queue.close();
        }
    }

    private void reopen() throws Exception {
        if (random.nextBoolean()) {
            Path copy = Sample.afterKill(queue.directory(), temporary.resolve("queue" + ++opened));
            queue.close();
            queue = Queue.open(copy, options());
        } else {
            queue.close();
            queue = Queue.open(queue.directory(), options());
        }
    }

    private void step(Model model, String what) {
        Consumer consumer = model.anyConsumer();
        TreeSet<Long> mine = Objects.requireNonNull(model.held.get(consumer));
        Long held = model.anyHeld(consumer);
        switch (random.nextInt(20)) {
            case 0, 1, 2 -> append(random.nextInt(30));
            case 3, 4 -> pollOne(model, consumer, what);
            case 5, 6 -> pollMany(model, consumer, 1 + random.nextInt(40), what);
            case 7 -> pollAndFail(model, consumer, what);
            case 8, 9, 10 -> {
                if (held != null) {
                    assertThat(consumer.acknowledge(held)).as(what).isTrue();
                    mine.remove(held);
                    model.acknowledged.add(held);
                    assertThat(consumer.acknowledge(held)).as(what).isFalse();
                }
            }
            case 11, 12 -> {
                if (held != null) {
                    List<Long> upTo = List.copyOf(mine.headSet(held, true));
                    assertThat(consumer.acknowledgeUpTo(held)).as(what).isEqualTo(upTo.size());
                    upTo.forEach(mine::remove);
                    model.acknowledged.addAll(upTo);
                }
            }
            case 13 -> {
                long[] all = mine.stream().mapToLong(Long::longValue).toArray();
                assertThat(consumer.acknowledge(all)).as(what).isEqualTo(all.length);
                model.acknowledged.addAll(mine);
                mine.clear();
            }
            case 14, 15 -> {
                if (held != null) {
                    assertThat(consumer.giveBack(held)).as(what).isTrue();
                    mine.remove(held);
                    model.ready.add(held);
                }
            }
            case 16 -> {
                if (held != null) {
                    assertThat(consumer.giveBack(held, Duration.ofHours(1))).as(what).isTrue();
                    mine.remove(held);
                    model.later.add(held);
                }
            }
            case 17 -> {
                consumer.close();
                model.giveBackAll(consumer);
                model.consumers.remove(consumer);
                model.held.remove(consumer);
            }
            case 18 -> {
                // No consumer holds a record that was never delivered.
                long offset = model.end + random.nextInt(3);
                if (offset > withdrawn.size() || !model.acknowledged.contains(offset)) {
                    assertRefused(consumer, offset, what);
                }
            }
            default -> {
                if (random.nextInt(5) == 0) {
                    move(model, what);
                }
            }
        }
    }

    private void assertRefused(Consumer consumer, long offset, String what) {
        try {
            // If the group was moved since this consumer was given something, it is told that this has no effect.
            assertThat(consumer.acknowledge(offset)).as(what).isFalse();
        } catch (IllegalArgumentException e) {
            assertThat(e).as(what).hasMessageContaining("Record " + offset);
        }
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            boolean isWithdrawn = random.nextInt(8) == 0;
            if (isWithdrawn) {
                Polls.appendWithdrawn(queue);
            } else {
                Polls.append(queue, "x".repeat(random.nextInt(10) == 0 ? random.nextInt(3000) : random.nextInt(20)));
            }
            withdrawn.add(isWithdrawn);
        }
        assertThat(queue.nextOffset()).isEqualTo(withdrawn.size());
    }

    private static void pollOne(Model model, Consumer consumer, String what) {
        try (Delivery delivery = consumer.poll()) {
            assertThat(delivery == null ? null : delivery.offset() + " " + delivery.deliveries()).as(what)
                    .isEqualTo(model.take(consumer));
        }
    }

    private static void pollMany(Model model, Consumer consumer, int max, String what) {
        List<String> expected = taken(model, consumer, max);
        assertThat(Polls.pollCounts(consumer, max)).as(what).isEqualTo(expected);
    }

    private static List<String> taken(Model model, Consumer consumer, int max) {
        List<String> taken = new ArrayList<>();
        while (taken.size() < max) {
            String next = model.take(consumer);
            if (next == null) {
                break;
            }
            taken.add(next);
        }
        return taken;
    }

    /** The handler throws at some record, or not at all if there are too few. */
    private void pollAndFail(Model model, Consumer consumer, String what) {
        int max = 1 + random.nextInt(20);
        int failAt = random.nextInt(max);
        List<String> expected = taken(model, consumer, max);
        List<String> shown = new ArrayList<>();
        boolean hasFailed = false;
        try {
            consumer.poll(max, (offset, _, deliveries) -> {
                shown.add(offset + " " + deliveries);
                if (shown.size() == failAt + 1) {
                    throw new UnsupportedOperationException("on purpose");
                }
            });
        } catch (UnsupportedOperationException e) {
            hasFailed = true;
        }
        assertThat(hasFailed).as(what).isEqualTo(expected.size() > failAt);
        assertThat(shown).as(what).isEqualTo(hasFailed ? expected.subList(0, failAt + 1) : expected);
        if (hasFailed) {
            for (int i = 0; i < expected.size(); i++) {
                long offset = Long.parseLong(expected.get(i).split(" ", 2)[0]);
                Objects.requireNonNull(model.held.get(consumer)).remove(offset);
                model.ready.add(offset);
                if (i > failAt) {
                    model.counts.merge(offset, -1, Integer::sum);
                }
            }
            // The lag alone shows how many records behind the failure had been taken, and with them passed as withdrawn.
            pollMany(model, model.anyConsumer(), max, what);
        }
    }

    private void move(Model model, String what) {
        long to = random.nextInt(withdrawn.size() + 1);
        switch (random.nextInt(4)) {
            case 0 -> {
                to = 0;
                assertThat(model.group.seekToBeginning()).as(what).isZero();
            }
            case 1 -> {
                to = withdrawn.size();
                assertThat(model.group.seekToEnd()).as(what).isEqualTo(to);
            }
            default -> assertThat(model.group.seek(to)).as(what).isEqualTo(to);
        }
        model.move(to);
    }
}
