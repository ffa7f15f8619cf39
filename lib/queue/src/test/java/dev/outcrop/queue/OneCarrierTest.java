package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual threads that share one carrier. */
@Tag("verify")
class OneCarrierTest extends QueueFixture {
    /** Writing keeps the carrier: a thread that is to share a write must get it before. */
    @Test
    void virtualThreadsShareWrites() throws Exception {
        assertThat(Children.withOneCarrier().lines(Sharing.class, directory())).singleElement()
                .satisfies(syncs -> assertThat(Integer.parseInt(syncs))
                        .isLessThan(Sharing.PRODUCERS * Sharing.RECORDS / 2));
    }

    /** They never wait for anything, so nothing takes the carrier from them. */
    @Test
    void queueIsClosedAlthoughVirtualThreadsAppendWithoutAPause() throws Exception {
        assertThat(Children.withOneCarrier().lines(CloseWhileAppending.class, directory())).contains("closed");
    }

    @ParameterizedTest
    @OneOf(2)
    @ValueSource(strings = {"seek", "clock"})
    void nobodyWaitsForAThreadThatGetsNoCarrier(String what) throws Exception {
        assertThat(Children.withOneCarrier().lines(Starved.class, what, directory())).containsExactly("fine");
    }

    /** Appends durably from virtual threads, and prints how often the disk was written for that. Argument: directory. */
    static final class Sharing {
        static final int PRODUCERS = 8;
        static final int RECORDS = 50;

        public static void main(String[] arguments) throws InterruptedException {
            try (Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(64 << 10))) {
                List<Thread> producers = new ArrayList<>();
                for (int i = 0; i < PRODUCERS; i++) {
                    producers.add(Thread.ofVirtual().start(() -> {
                        for (int record = 0; record < RECORDS; record++) {
                            queue.with(Durability.SYNCED).append(new byte[10]);
                        }
                    }));
                }
                Polls.joinAll(producers);
                System.out.println(queue.statistics().syncs().count());
            }
        }
    }

    /** Closes a queue to which virtual threads and others append without a pause. Fails if that takes very long. Argument: directory. */
    static final class CloseWhileAppending {
        private static final int ROUNDS = TestSize.choose("outcrop.closings", 2, 20);
        private static final int MOST_SECONDS = 100;
        /** Files of two records, so that producers meet where one ends. */
        private static final int SEGMENT = 8192;
        private static final int SIZE = 3000;
        private static final int RECORDS = 400;

        public static void main(String[] arguments) throws InterruptedException {
            for (int round = 0; round < ROUNDS; round++) {
                Queue queue = Queue.open(Path.of(arguments[0] + round),
                        new QueueOptions().segmentSize(SEGMENT).keepBytes(1));
                List<Thread> producers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    producers.add(Thread.ofVirtual().start(() -> append(queue)));
                }
                producers.add(Thread.ofPlatform().daemon().start(() -> append(queue)));
                Polls.waitWhile(() -> queue.nextOffset() < RECORDS);
                Thread closer = Thread.ofPlatform().daemon().start(queue::close);
                if (!closer.join(Duration.ofSeconds(MOST_SECONDS))) {
                    System.out.println("not closed in round " + round);
                    System.exit(1);
                }
                Polls.joinAll(producers);
            }
            System.out.println("closed");
        }

        private static void append(Queue queue) {
            byte[] record = new byte[SIZE];
            try {
                while (queue.append(record) >= 0) {
                    // And the next one.
                }
            } catch (IllegalStateException e) {
                // Closed.
                return;
            }
        }
    }

    /**
     * For a JVM with one carrier, which somebody keeps. Prints what came of it, and hangs no longer than it must. Arguments: what to do,
     * directory.
     */
    @SuppressWarnings("ThreadPriorityCheck") // who yields all the time is what this is about
    static final class Starved {
        private static final Duration LONG = Duration.ofSeconds(100);
        private static final int TIMES = 2_000_000;

        public static void main(String[] arguments) throws InterruptedException {
            String result = arguments[0].equals("seek") ? seekInterrupted(Path.of(arguments[1])) : askForTheTime();
            System.out.println(result);
            if (result.startsWith("hangs")) {
                Runtime.getRuntime().halt(1);
            }
        }

        /** The carrier is all that the writer needs, for which the interrupted thread waits. */
        private static String seekInterrupted(Path directory) throws InterruptedException {
            Queue queue = Queue.open(directory);
            ConsumerGroup group = queue.group("group");
            CountDownLatch isWriting = new CountDownLatch(1);
            CountDownLatch mayGoOn = new CountDownLatch(1);
            CountDownLatch isSeeking = new CountDownLatch(1);
            AtomicBoolean isInterrupted = new AtomicBoolean();
            Thread writer = Thread.ofVirtual().start(() -> queue.append(1, _ -> {
                isWriting.countDown();
                Uninterrupted.await(mayGoOn::await);
            }));
            isWriting.await();
            Thread seeker = Thread.ofVirtual().start(() -> {
                isSeeking.countDown();
                Thread.currentThread().interrupt();
                group.seek(1);
                isInterrupted.set(Thread.currentThread().isInterrupted());
            });
            isSeeking.await();
            mayGoOn.countDown();
            if (!writer.join(LONG) || !seeker.join(LONG)) {
                return "hangs: the seek keeps the carrier";
            }
            queue.close();
            return isInterrupted.get() ? "fine" : "lost the interrupt";
        }

        /** A thread that goes on to the next file asks for the time: waiting for a virtual thread then would hold up all who append. */
        private static String askForTheTime() throws InterruptedException {
            Clock clock = new Clock(0);
            AtomicBoolean isOver = new AtomicBoolean();
            for (int i = 0; i < 3; i++) {
                Thread.ofPlatform().daemon().start(() -> {
                    while (!isOver.get()) {
                        clock.millis();
                    }
                });
            }
            Thread asking = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < TIMES; i++) {
                    if (i % 1000 == 0) {
                        // So that the others are there.
                        Thread.yield();
                    }
                    clock.millis();
                }
            });
            for (int i = 0; i < 2; i++) {
                Thread.ofVirtual().start(() -> {
                    while (!isOver.get()) {
                        Thread.yield();
                    }
                });
            }
            if (!asking.join(LONG)) {
                return "hangs: a thread that asks for the time does not get the carrier again";
            }
            isOver.set(true);
            return "fine";
        }
    }
}
