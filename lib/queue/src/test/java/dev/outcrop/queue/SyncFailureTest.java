package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One sync that fails with EIO ends a queue: appends and syncs throw, nothing is tried again, and durable records stay. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class SyncFailureTest {
    private static final int PRODUCERS = 4;
    private static final int FAILS_AFTER = 200;

    @TempDir
    private Path directory;

    /** Appends until a sync fails, and then tries everything. */
    static final class Appender {
        private final Queue queue;
        private final Path control;
        private final String call;
        private final String suffix;
        private final AtomicInteger count = new AtomicInteger();
        private final Map<Long, Payloads.Id> durable = new ConcurrentSkipListMap<>();

        private Appender(Queue queue, Path control, String call, String suffix) {
            this.queue = queue;
            this.control = control;
            this.call = call;
            this.suffix = suffix;
        }

        static void main(String[] arguments) throws Exception {
            Durability durability = arguments[4].equals("groupCommit")
                    ? Durability.groupCommit(Duration.ofMillis(1), 100_000)
                    : Durability.PAGE_CACHE;
            Queue queue = Queue.open(Path.of(arguments[0]),
                    new QueueOptions().segmentSize(16 << 10).durability(durability));
            Appender appender = new Appender(queue, Path.of(arguments[1]), arguments[2], arguments[3]);
            queue.group("reader");
            appender.runProducers();
            appender.tryEverything();
        }

        private void runProducers() throws Exception {
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                List<Future<?>> futures = new ArrayList<>();
                for (int producer = 0; producer < PRODUCERS; producer++) {
                    int number = producer;
                    futures.add(threads.submit(() -> produce(number)));
                }
                Polls.awaitAll(futures);
            }
        }

        private Object produce(int producer) throws IOException, InterruptedException {
            for (int i = 0;; i++) {
                if (count.incrementAndGet() == FAILS_AFTER) {
                    WatchedDisk.fail(control, call, suffix, "once");
                }
                byte[] payload = Payloads.of(producer, i, 500);
                try {
                    long offset = i % 3 == 0
                            ? queue.async().append(MemorySegment.ofArray(payload)).get()
                            : queue.with(Durability.SYNCED).append(payload);
                    durable.put(offset, new Payloads.Id(producer, i));
                } catch (QueuePoisonedException e) {
                    System.out.println("poisoned " + e.getMessage());
                    return e;
                } catch (ExecutionException e) {
                    System.out.println((e.getCause() instanceof QueuePoisonedException ? "poisoned " : "unexpected ")
                            + e.getCause());
                    return e;
                }
            }
        }

        private void tryEverything() {
            byte[] payload = new byte[10];
            long next = queue.nextOffset();
            long end = queue.durableOffset();
            attempt("append", () -> queue.append(payload));
            attempt("appendDurable", () -> queue.with(Durability.SYNCED).append(payload));
            attempt("appendAsync", () -> queue.async().append(MemorySegment.ofArray(payload)).join());
            attempt("sync", queue::sync);
            System.out.println("moved " + (queue.nextOffset() != next || queue.durableOffset() != end));
            Map<Long, Payloads.Id> read = new TreeMap<>();
            try (Consumer consumer = queue.group("reader").consumer()) {
                Polls.all(consumer, 100, (offset, bytes, _) -> read.put(offset, Payloads.intact(bytes)));
            }
            System.out.println("readable " + read.entrySet().containsAll(durable.entrySet()));
            attempt("close", queue::close);
            attempt("close again", queue::close);
            durable.forEach(
                    (offset, id) -> System.out.println("durable " + offset + " " + id.producer() + " " + id.number()));
        }

        private static void attempt(String what, Runnable action) {
            try {
                action.run();
                System.out.println(what + ": done");
            } catch (RuntimeException e) {
                System.out.println(what + ": " + e.getClass().getSimpleName());
            }
        }
    }

    @Test
    void aFailedSyncOfRecordsPoisonsTheQueue() throws Exception {
        aFailedSyncPoisonsTheQueue("msync", ".segment", "pageCache", true);
    }

    @ParameterizedTest
    @OneOf(6)
    @CsvSource({"msync,.segment,groupCommit,true", "msync,.segment,pageCache,false",
            "fsync,/queue,pageCache,true", "fsync,/queue,groupCommit,true", "fsync,/queue,pageCache,false",
            "msync,/queue/queue,pageCache,true"})
    void aFailedSyncPoisonsTheQueue(String call, String suffix, String durability, boolean hasNativeAccess)
            throws Exception {
        WatchedDisk disk = new WatchedDisk(directory);
        List<String> lines = disk.run(Children.withNativeAccess(hasNativeAccess), Appender.class, call, suffix,
                durability);
        assertThat(lines).filteredOn(line -> line.startsWith("poisoned ")).hasSize(PRODUCERS)
                .allMatch(line -> line.contains("could not be written to the disk"));
        assertThat(lines).contains("append: QueuePoisonedException", "appendDurable: QueuePoisonedException",
                "sync: QueuePoisonedException", "moved false", "readable true", "close: QueuePoisonedException",
                "close again: done").doesNotContain("appendAsync: done");
        requireNothingTriedAgain(DiskTrace.read(disk), suffix);

        // The disk works again, and the next process finds its true content.
        Set<String> durable = lines.stream().filter(line -> line.startsWith("durable "))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(durable).hasSizeGreaterThan(FAILS_AFTER / 2);
        assertThat(read(disk.root.resolve("queue"))).containsAll(durable);
    }

    private static void requireNothingTriedAgain(DiskTrace trace, String suffix) {
        assertThat(trace.events()).anyMatch(event -> event.kind() == 'F');
        assertThat(trace.events().stream().dropWhile(event -> event.kind() != 'F').skip(1))
                .filteredOn(event -> event.kind() == 'B')
                .noneMatch(event -> event.text().endsWith(".segment") || ("/" + event.text()).endsWith(suffix));
    }

    private static Set<String> read(Path path) {
        Set<String> found = new TreeSet<>();
        try (Queue queue = Queue.open(path); Consumer consumer = queue.group("reader").consumer()) {
            Polls.all(consumer, 100, (offset, payload, _) -> {
                Payloads.Id id = Payloads.intact(payload);
                found.add("durable " + offset + " " + id.producer() + " " + id.number());
            });
            queue.with(Durability.SYNCED).append(new byte[10]);
        }
        return found;
    }

    /** Opens a queue twice, on a disk that fails the first time. */
    static final class Opener {
        static void main(String[] arguments) throws IOException {
            Path control = Path.of(arguments[1]);
            WatchedDisk.fail(control, arguments[2], arguments[3], "once");
            try {
                Queue.open(Path.of(arguments[0])).close();
                System.out.println("opened");
            } catch (UncheckedIOException e) {
                System.out.println("failed: " + e.getMessage());
            }
            try (Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(16 << 10))) {
                System.out.println(queue.with(Durability.SYNCED).append(new byte[10]));
            }
        }
    }

    @ParameterizedTest
    @OneOf(4)
    @CsvSource({"msync,/queue.new", "fsync,/queue", "fsync,/disk", "msync,/queue/queue"})
    void aQueueThatCannotBeMadeDurablyIsNotOpened(String call, String suffix) throws Exception {
        List<String> lines = new WatchedDisk(directory).run(ChildJvm.shortLived(), Opener.class, call, suffix);

        assertThat(lines).hasSize(2).endsWith("0").first().asString().startsWith("failed: The queue ")
                .contains("cannot be opened");
    }

    /** Closes a queue on a disk that fails at the last moment, and opens it again in the same process. */
    static final class Closer {
        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            Queue queue = Queue.open(path, new QueueOptions().segmentSize(16 << 10));
            queue.append(new byte[10]);
            queue.sync();
            WatchedDisk.fail(Path.of(arguments[1]), "msync", "/queue/queue", "once");
            Appender.attempt("close", queue::close);
            Appender.attempt("close again", queue::close);
            try (Queue again = Queue.open(path, new QueueOptions().segmentSize(16 << 10))) {
                System.out.println("next " + again.nextOffset());
            }
        }
    }

    @Test
    void aQueueWhoseClosingFailsCanBeOpenedAgain() throws Exception {
        assertThat(new WatchedDisk(directory).run(ChildJvm.shortLived(), Closer.class)).containsExactly(
                "close: QueuePoisonedException", "close again: done",
                "next 1");
    }

    /** Acknowledges all of a queue when the disk refuses the retired offset. */
    static final class Retirer {
        static void main(String[] arguments) throws Exception {
            Path path = Path.of(arguments[0]);
            QueueOptions options = new QueueOptions().segmentSize(16 << 10)
                    .backgroundThread(Boolean.parseBoolean(arguments[2]));
            Queue queue = Queue.open(path, options);
            try (Consumer consumer = queue.group("reader").consumer()) {
                Polls.append(queue, FAILS_AFTER, 500);
                WatchedDisk.fail(Path.of(arguments[1]), "msync", "/queue/queue", "once");
                consumer.poll(FAILS_AFTER, (offset, _, _) -> consumer.acknowledge(offset));
            }
            try {
                while (true) {
                    queue.append(new byte[500]);
                    Thread.sleep(1);
                }
            } catch (QueuePoisonedException e) {
                System.out.println("poisoned");
            }
            System.out.println("first " + queue.firstOffset());
            Appender.attempt("close", queue::close);
            try (Queue again = Queue.open(path, options)) {
                System.out.println(
                        "lag 0: " + (again.group("reader").lag().records() == again.nextOffset() - FAILS_AFTER));
            }
        }
    }

    /** Otherwise names would change because of an offset that is not on the disk. */
    @ParameterizedTest
    @OneOf(2)
    @ValueSource(booleans = {true, false})
    void nothingIsGivenBackBeforeTheDiskSaysThatItIsRetired(boolean inBackground) throws Exception {
        List<String> lines = new WatchedDisk(directory).run(ChildJvm.shortLived(), Retirer.class, inBackground);
        assertThat(lines.stream().filter(line -> line.matches("(poisoned|first|close|lag).*")))
                .containsExactly("poisoned", "first 0", "close: QueuePoisonedException", "lag 0: true");
    }

    /** Fails where an acknowledgement needs the disk, in the middle of several. */
    static final class Acknowledger {
        private static final int WINDOW = 65_536;

        static void main(String[] arguments) throws Exception {
            Path path = Path.of(arguments[0]);
            QueueOptions options = new QueueOptions().segmentSize(4 << 20);
            try (Queue queue = Queue.open(path, options); Consumer consumer = queue.group("reader").consumer()) {
                Polls.append(queue, WINDOW + 64, 1);
                poll(consumer);
                consumer.acknowledge(LongStream.range(0, 10).toArray());
                consumer.acknowledge(LongStream.range(5000, WINDOW).toArray());
            }
            // The acknowledgements so far were called durable.
            Queue queue = Queue.open(path, options);
            ConsumerGroup group = queue.group("reader");
            Consumer consumer = group.consumer();
            poll(consumer);
            consumer.acknowledge(LongStream.range(10, 64).toArray());
            poll(consumer);
            CountDownLatch isClaimed = new CountDownLatch(1);
            CountDownLatch mayCommit = new CountDownLatch(1);
            Thread slow = Thread.ofPlatform().start(() -> queue.append(1, _ -> {
                isClaimed.countDown();
                Uninterrupted.await(mayCommit::await);
            }));
            isClaimed.await();
            WatchedDisk.fail(Path.of(arguments[1]), "msync", ".group", "once");
            if (arguments[2].equals("upTo")) {
                Appender.attempt("acknowledge", () -> consumer.acknowledgeUpTo(Long.MAX_VALUE));
            } else {
                Appender.attempt("acknowledge", () -> consumer.acknowledge(LongStream.concat(LongStream.range(64, 5000),
                        LongStream.range(WINDOW, WINDOW + 64)).toArray()));
            }
            System.out.println("position " + group.position() + ", in flight " + group.inFlight());
            Appender.attempt("append", () -> queue.append(new byte[1]));
            // A thread that is still copying may never finish.
            Appender.attempt("seek", () -> group.seek(queue.nextOffset()));
            mayCommit.countDown();
            slow.join();
            Appender.attempt("close", queue::close);
        }

        private static void poll(Consumer consumer) {
            Polls.all(consumer, 1000, Polls.SKIP);
        }
    }

    @ParameterizedTest
    @OneOf(2)
    @CsvSource({"upTo", "each"})
    void aFailedAcknowledgementPoisonsTheQueue(String how) throws Exception {
        assertThat(new WatchedDisk(directory).run(ChildJvm.shortLived(), Acknowledger.class, how)).containsSubsequence(
                "acknowledge: QueueException",
                "position 65536, in flight 64", "append: QueuePoisonedException", "seek: QueuePoisonedException",
                "close: QueuePoisonedException");
    }

    /** Goes on acknowledging when the group's file cannot be forced, after a file was given back. */
    static final class Follower {
        private static final int RECORDS = 70_000;
        private static final long MISSING = 50;

        static void main(String[] arguments) throws Exception {
            Path path = Path.of(arguments[0]);
            QueueOptions options = new QueueOptions().segmentSize(4 << 20);
            Queue queue = Queue.open(path, options);
            leaveTheFirstFile(queue);
            if (Boolean.parseBoolean(arguments[2])) {
                queue.close();
                queue = Queue.open(path, options);
            }
            WatchedDisk.fail(Path.of(arguments[1]), "msync", ".group", "always");
            ConsumerGroup group = queue.group("reader");
            Consumer consumer = group.consumer();
            for (int i = 0; i < RECORDS; i++) {
                // There is room for all of them in the second file.
                queue.append(new byte[1]);
                consumer.poll(10, (offset, _, _) -> consumer.acknowledge(offset));
            }
            System.out.println("first " + queue.firstOffset() + ", position " + group.position());
        }

        private static void leaveTheFirstFile(Queue queue) throws InterruptedException {
            // One record fills it.
            queue.append(new byte[(4 << 20) - 100]);
            Polls.append(queue, 100, 1);
            Consumer consumer = queue.group("reader").consumer();
            // Acknowledgements behind the open one are only in the words of the group's file meanwhile.
            consumer.poll(1000, (offset, _, _) -> {
                if (offset != MISSING) {
                    consumer.acknowledge(offset);
                }
            });
            Polls.waitWhile(() -> queue.firstOffset() == 0);
            consumer.acknowledge(MISSING);
        }
    }

    /** The words of the group's file come to stand for other records after 65,536 of them. */
    @ParameterizedTest
    @OneOf(2)
    @ValueSource(booleans = {false, true})
    void acknowledgingDoesNotWaitForTheDiskBecauseFilesWereGivenBack(boolean isReopened) throws Exception {
        assertThat(new WatchedDisk(directory).run(ChildJvm.shortLived(), Follower.class, isReopened))
                .contains("first 1, position " + (Follower.RECORDS + 101));
    }

    /** Appends and acknowledges, until acknowledgements cannot be forced and no file is given back. */
    static final class Forcer {
        private static final int MOST = 1_000_000;

        static void main(String[] arguments) throws Exception {
            Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(16 << 10));
            Consumer consumer = queue.group("reader").consumer();
            WatchedDisk.fail(Path.of(arguments[1]), arguments[2], arguments[3], "once");
            try {
                for (int i = 0; i < MOST; i++) {
                    queue.append(new byte[100]);
                    consumer.poll(10, (offset, _, _) -> consumer.acknowledge(offset));
                }
                System.out.println("nothing was said");
            } catch (QueuePoisonedException e) {
                System.out.println("poisoned: " + e.getMessage());
            }
        }
    }

    @ParameterizedTest
    @OneOf(3)
    @CsvSource({"msync,.group,What consumer group reader has acknowledged",
            "fsync,/queue,The names of the queue's files",
            "msync,/queue/queue,The queue's own file"})
    void retentionThatFailsPoisonsTheQueue(String call, String suffix, String what) throws Exception {
        assertThat(new WatchedDisk(directory).run(ChildJvm.shortLived(), Forcer.class, call, suffix))
                .anySatisfy(line -> assertThat(line).startsWith("poisoned: " + what));
    }

    /** Closes a queue whose disk has failed, and opens it again, while a thread is still copying a record into it. */
    static final class SlowCopier {
        private static final Duration PATIENCE = Duration.ofSeconds(1);

        static void main(String[] arguments) throws Exception {
            Path path = Path.of(arguments[0]);
            Queue queue = Queue.open(path, new QueueOptions().segmentSize(16 << 10));
            ConsumerGroup group = queue.group("reader");
            CountDownLatch isCopying = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            Thread slow = Thread.ofPlatform().start(() -> Appender.attempt("append",
                    () -> queue.with(Durability.SYNCED).append(3000, payload -> {
                        isCopying.countDown();
                        Uninterrupted.await(mayEnd::await);
                        payload.fill((byte) 1);
                    })));
            isCopying.await();
            WatchedDisk.fail(Path.of(arguments[1]), "msync", ".group", "once");
            Appender.attempt("move", group::seekToBeginning);
            Thread closing = Thread.ofPlatform().start(() -> Appender.attempt("close", queue::close));
            System.out.println("closed under it " + closing.join(PATIENCE));
            mayEnd.countDown();
            closing.join();
            slow.join();
            try (Queue again = Queue.open(path); Consumer consumer = again.group("reader").consumer()) {
                System.out.println("appended " + again.append(new byte[4000]));
                consumer.poll(10,
                        (offset, payload, _) -> System.out.println("read " + offset + " " + payload.byteSize()));
            }
        }
    }

    @Test
    void closingWaitsForThoseWhoAreCopyingAlsoIfTheDiskHasFailed() throws Exception {
        assertThat(new WatchedDisk(directory).run(ChildJvm.shortLived(), SlowCopier.class))
                .contains("append: QueuePoisonedException", "close: QueuePoisonedException")
                .containsSubsequence("move: UncheckedIOException", "closed under it false", "appended 1", "read 0 3000",
                        "read 1 4000");
    }
}
