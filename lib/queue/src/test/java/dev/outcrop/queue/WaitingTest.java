package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.Uninterrupted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ten thousand virtual threads wait for records: on a single carrier, which none of them keeps, and next to nothing is done until a record
 * comes.
 */
@Tag("verify")
class WaitingTest {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @OneOf(3)
    @CsvSource({"1, records", "4, interrupts", "4, close"})
    void manyWaitAtLittleCostAndAllAreWoken(int groups, String ending) throws Exception {
        String output = String.join("\n",
                Children.withOneCarrier().lines(WaitingProgram.class, directory, groups, ending));
        System.out.println(groups + " groups, " + ending + ": " + output);
        long all = WaitingProgram.THREADS;
        assertThat(output).contains("got " + (ending.equals("records") ? all : 0) + ", interrupted "
                + (ending.equals("interrupts") ? all : 0) + ", refused " + (ending.equals("close") ? all : 0));
        assertThat(output).doesNotContain("in flight");
        assertThat(number(output, "idle ms of processor time: ")).isLessThan(WaitingProgram.IDLE_MILLIS);
    }

    @ParameterizedTest
    @CsvSource({"4, records", "1, interrupts", "1, close"})
    @Tag("nightly")
    void alsoWithFewerOrMoreGroups(int groups, String ending) throws Exception {
        manyWaitAtLittleCostAndAllAreWoken(groups, ending);
    }

    private static Thread waiting(Callable<?> poll, AtomicReference<Throwable> failure) throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                Object _ = poll.call();
            } catch (Exception | Error e) {
                failure.set(e);
            }
        });
        Polls.waitWhile(() -> thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING);
        return thread;
    }

    /** The first one looks out for all, and may be gone for any reason. */
    @Test
    void whoIsBehindTakesThePlaceOfTheFirst() throws Exception {
        AtomicReference<Throwable> none = new AtomicReference<>();
        List<String> ends = new ArrayList<>();
        try (Queue queue = Queue.open(directory.resolve("queue"))) {
            ConsumerGroup group = queue.group("group");
            for (int way = 0; way < 4; way++) {
                Consumer leaving = group.consumer();
                AtomicReference<Throwable> left = new AtomicReference<>();
                Duration patience = way == 2 ? SHORT : LONG;
                Thread first = waiting(() -> {
                    try (Delivery delivery = leaving.poll(patience)) {
                        return delivery != null;
                    }
                }, left);
                try (Consumer consumer = group.consumer()) {
                    AtomicLong got = new AtomicLong(-1);
                    Thread behind = waiting(() -> {
                        try (Delivery delivery = Objects.requireNonNull(consumer.poll(LONG))) {
                            got.set(delivery.offset());
                            return delivery.acknowledge();
                        }
                    }, none);
                    switch (way) {
                        case 0 -> first.interrupt();
                        case 1 -> leaving.close();
                        case 2 -> first.join();
                        default -> queue.append(new byte[1]);
                    }
                    if (way < 3) {
                        first.join();
                        queue.append(new byte[1]);
                        behind.join();
                        assertThat(got).as("way %d", way).hasValue(way);
                    } else {
                        first.join();
                        leaving.close();
                        behind.join();
                        assertThat(got).as("what the first one had").hasValue(way);
                    }
                }
                leaving.close();
                ends.add(String.valueOf(left.get()).replaceAll(":.*", ""));
            }
            assertThat(ends).containsExactly("java.lang.InterruptedException", "java.lang.IllegalStateException",
                    "null", "null");
            assertThat(none).hasNullValue();
        }
    }

    @Test
    void whileOneHandlesItsRecordTheNextOneGetsTheNext() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (Queue queue = Queue.open(directory.resolve("queue"));
                Consumer consumer = queue.group("group").consumer();
                Consumer other = queue.group("group").consumer()) {
            CountDownLatch both = new CountDownLatch(2);
            RecordHandler meet = (_, _, _) -> {
                both.countDown();
                Uninterrupted.await(both::await);
            };
            Thread first = waiting(() -> consumer.poll(1, LONG, meet), failure);
            Thread second = waiting(() -> other.poll(1, LONG, meet), failure);
            queue.append(new byte[1]);
            queue.append(new byte[1]);
            first.join();
            second.join();
        }
        assertThat(failure).hasNullValue();
    }

    @Test
    void closingAConsumerWakesAllWhoWaitInItAndNoOther() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicReference<Throwable> none = new AtomicReference<>();
        try (Queue queue = Queue.open(directory.resolve("queue"));
                Consumer other = queue.group("group").consumer()) {
            Consumer shared = queue.group("group").consumer();
            List<Thread> threads = new ArrayList<>();
            Thread waits = waiting(() -> Objects.requireNonNull(other.poll(LONG)).acknowledge(), none);
            for (int i = 0; i < 20; i++) {
                threads.add(waiting(() -> shared.poll(LONG), failure));
            }
            shared.close();
            Polls.joinAll(threads);
            assertThat(failure.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
            assertThat(waits.isAlive()).isTrue();
            queue.append(new byte[1]);
            waits.join();
            assertThat(none).hasNullValue();
        }
    }

    private static long number(String output, String before) {
        return output.lines().filter(line -> line.startsWith(before))
                .mapToLong(line -> Long.parseLong(line.substring(before.length()))).findFirst().orElse(0);
    }
}
