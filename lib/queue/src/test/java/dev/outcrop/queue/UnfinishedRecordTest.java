package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.PayloadWriter;
import dev.outcrop.queue.internal.append.QueueBounds;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.files.ChecksumCursor;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.repair.Recovery;
import dev.outcrop.testsupport.ChildJvm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record that cannot be finished is never waited for in silence. Where only memory is missing, the queue goes on. */
@Tag("verify")
class UnfinishedRecordTest {
    /** Copied in parts. */
    private static final int LARGE = 9 << 10;

    @TempDir
    private Path directory;

    private List<String> run(Class<?> program, int length, String... options) throws Exception {
        ChildJvm jvm = ChildJvm.bare().option("--enable-native-access=ALL-UNNAMED").option("-Xint")
                .option("-XX:+UseSerialGC");
        for (String option : options) {
            jvm.option(option);
        }
        return jvm.lines(program, directory.resolve("queue"), length);
    }

    private interface Appending {
        void append(Queue queue);
    }

    private static final class Trial {
        private static final int LENGTH = 40;

        private final Path path;
        private final TreeSet<Long> acknowledged = new TreeSet<>();
        private int failures;

        Trial(Path path) {
            this.path = path;
            Thread watch = new Thread(() -> {
                try {
                    TimeUnit.SECONDS.sleep(360);
                    System.out.println("hung");
                } catch (InterruptedException e) {
                    return;
                } finally {
                    Runtime.getRuntime().halt(1);
                }
            });
            watch.setDaemon(true);
            watch.start();
        }

        Queue open() {
            return Queue.open(path, new QueueOptions().segmentSize(1 << 20).keepBytes(Long.MAX_VALUE)
                    .backgroundThread(false));
        }

        static byte[] bytes() {
            return Payloads.of(1, 1, LENGTH);
        }

        /** Lets something run out in appending, and looks whether the queue works afterwards. */
        void run(Queue queue, Appending failing) {
            try {
                failing.append(queue);
                return;
            } catch (StackOverflowError | OutOfMemoryError e) {
                failures++;
            }
            acknowledged.add(queue.append(bytes()));
            queue.sync();
        }

        /**
         * Opens the queue, reads it and appends once, because the first append prepares pages before it claims, and the trials are to fail
         * behind that. In another thread, because a thread's first checksum needs memory.
         */
        Queue prepared() {
            return CompletableFuture.supplyAsync(() -> {
                Queue queue = open();
                requireAll(queue);
                acknowledged.add(queue.append(bytes()));
                return queue;
            }).join();
        }

        void requireAll(Queue queue) {
            TreeSet<Long> left = new TreeSet<>(acknowledged);
            try (Consumer consumer = queue.group("all").consumer()) {
                queue.group("all").seekToBeginning();
                Polls.all(consumer, 1000, (offset, payload, _) -> {
                    Payloads.intact(payload);
                    left.remove(offset);
                });
            }
            if (!left.isEmpty()) {
                throw new AssertionError(left + " are not there");
            }
        }

        void print() {
            System.out.println("failed " + (failures > 0));
        }
    }

    /** Lets a record writer use up all memory, and appends when there is hardly any. */
    static final class Full {
        private static @Nullable Object @Nullable [] taken;

        public static void main(String[] arguments) {
            Trial trial = new Trial(Path.of(arguments[0]));
            Queue queue = trial.prepared();
            byte[] bytes = Payloads.of(1, 1, Integer.parseInt(arguments[1]));
            trial.run(queue, Full::append);
            for (int left = 0; left < 400; left += 8) {
                int some = left;
                trial.run(queue, to -> append(to, bytes, some));
            }
            trial.requireAll(queue);
            queue.close();
            trial.print();
        }

        private static void append(Queue queue) {
            try {
                queue.append(8, _ -> take());
            } finally {
                taken = null;
            }
        }

        private static void append(Queue queue, byte[] bytes, int left) {
            byte[][] rest = {new byte[left]};
            try {
                take();
            } catch (OutOfMemoryError _) {
                rest[0] = bytes;
            }
            try {
                queue.append(bytes);
            } finally {
                taken = null;
            }
        }

        private static void take() {
            for (int size = 1 << 20; size > 0; size /= 16) {
                try {
                    while (true) {
                        @Nullable
                        Object[] more = new @Nullable Object[size];
                        more[0] = taken;
                        taken = more;
                    }
                } catch (OutOfMemoryError e) {
                    if (size == 1) {
                        throw e;
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(ints = {Trial.LENGTH, LARGE})
    void noMemoryIsLeft(int length) throws Exception {
        assertThat(run(Full.class, length, "-Xmx16m")).containsExactly("failed true");
    }

    /** A writer with records that are copied and cannot be committed. */
    private static PayloadWriter<byte[]> uncommitted() {
        return new PayloadWriter<>() {
            @Override
            public void fill(SegmentFile segment, int position, int length, byte[] source,
                    @Nullable MemorySegment second) {
                PayloadWriter.BYTES.fill(segment, position, length, source, second);
            }

            @Override
            public void commit(SegmentFile segment, int position, long offset, int length, int kind, long time,
                    byte[] source, ChecksumCursor checksums) {
                throw new StackOverflowError();
            }
        };
    }

    /** Nothing is known to cause this; if something does, others are told. */
    @Test
    void aRecordThatCannotBeCommittedPoisonsTheQueue() throws Exception {
        PayloadWriter<byte[]> failing = uncommitted();
        // Says how exceptions are made, also if this is the first test in its JVM.
        Queue.open(directory.resolve("other")).close();
        try (QueueDirectory files = QueueDirectory.open(directory.resolve("queue"), 64 << 20, false, false)) {
            List<SegmentFile> segments = Recovery.run(files).segments();
            Log log = new Log(files, new Clock(0), new QueueBounds(Long.MAX_VALUE, Long.MAX_VALUE), new Readers(),
                    (_, _) -> {
                        // They are not read.
                    }, segments.getFirst(), segments.getLast());

            assertThatThrownBy(() -> log.append(1, failing, new byte[1], null, -1))
                    .isInstanceOf(StackOverflowError.class);

            assertThat(log.poison()).hasMessageContaining("Record 0 could not be finished");
            assertThatThrownBy(() -> log.append(1, PayloadWriter.BYTES, new byte[1], null, -1))
                    .isInstanceOf(QueuePoisonedException.class);
            log.close();
            segments.forEach(SegmentFile::close);
        }
    }

    /** Otherwise the next opening would give its place away, and the record would be lost, or overwrite another one. */
    @Test
    void closingWaitsForAWriterBehindARecordThatCannotBeCommitted() throws Exception {
        Path path = directory.resolve("queue");
        CountDownLatch isCopying = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Queue queue = Queue.open(path);
        queue.append("first".getBytes(StandardCharsets.UTF_8));
        // Both claim before the first one fails, because nothing is claimed in a poisoned queue.
        CompletableFuture<Long> behind = new CompletableFuture<>();
        PayloadWriter<byte[]> failing = uncommitted();
        Thread writer = Thread.ofPlatform().unstarted(() -> behind.complete(queue.append(6, payload -> {
            isCopying.countDown();
            awaitInterruptibly(mayGoOn);
            payload.copyFrom(MemorySegment.ofArray("behind".getBytes(StandardCharsets.UTF_8)));
        })));
        PayloadWriter<byte[]> failingAfterIt = new PayloadWriter<>() {
            @Override
            public void fill(SegmentFile segment, int position, int length, byte[] source,
                    @Nullable MemorySegment second) {
                writer.start();
                awaitInterruptibly(isCopying);
                failing.fill(segment, position, length, source, second);
            }

            @Override
            public void commit(SegmentFile segment, int position, long offset, int length, int kind, long time,
                    byte[] source, ChecksumCursor checksums) {
                failing.commit(segment, position, offset, length, kind, time, source, checksums);
            }
        };
        assertThatThrownBy(
                () -> queue.with(Durability.PAGE_CACHE).append(4, failingAfterIt, new byte[4], null))
                .isInstanceOf(StackOverflowError.class);

        CompletableFuture<Void> closing = close(queue);
        assertThatThrownBy(() -> closing.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        mayGoOn.countDown();
        assertThatThrownBy(() -> closing.get(5, TimeUnit.MINUTES)).hasCauseInstanceOf(QueuePoisonedException.class);

        assertThat(behind.get(5, TimeUnit.MINUTES)).isEqualTo(2);
        try (Queue again = Queue.open(path); Consumer consumer = again.group("all").consumer()) {
            assertThat(again.append("last".getBytes(StandardCharsets.UTF_8))).isEqualTo(3);
            List<String> found = new ArrayList<>();
            consumer.poll(10, (offset, payload, _) -> found
                    .add(offset + new String(payload.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
            assertThat(found).containsExactly("0first", "2behind", "3last");
        }
    }

    /** A record that was seen, and is gone now, is damage: waiting for its writer would not end. */
    @ParameterizedTest
    @ValueSource(longs = {0, 63, 189})
    void closingDoesNotWaitForARecordThatIsNoLongerThere(long damaged) throws Exception {
        Queue queue = Queue.open(directory.resolve("queue"), new QueueOptions().segmentSize(8192)
                .keepBytes(Long.MAX_VALUE));
        try (Consumer consumer = queue.group("all").consumer()) {
            for (int i = 0; i < 300; i++) {
                queue.append(new byte[100]);
            }
            int read = 0;
            while (read < 300) {
                read += consumer.poll(300, (_, _, _) -> {
                });
            }
        }
        Path segment = queue.directory().resolve("%020d.segment".formatted(damaged));
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(4096), 64 + 10 * 128L);
        }

        CompletableFuture<Void> closing = close(queue);
        assertThatThrownBy(() -> closing.get(5, TimeUnit.MINUTES)).hasCauseInstanceOf(QueueException.class);
    }

    private static CompletableFuture<Void> close(Queue queue) {
        return CompletableFuture.runAsync(queue::close, work -> Thread.ofPlatform().daemon().start(work));
    }

    private static void awaitInterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
