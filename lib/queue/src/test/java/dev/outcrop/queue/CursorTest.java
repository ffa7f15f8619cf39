package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Cursor;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.QueueBounds;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentHeader;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading while others append and write to the disk. */
class CursorTest {
    static {
        // Which users of the lowest floors alone do themselves.
        QueueFailures.install();
    }

    private static final int RECORDS = 200_000;
    private static final int ROUNDS = TestSize.choose("outcrop.cursor.segments", 2, 50);
    private static final int MANY_ROUNDS = TestSize.choose("outcrop.cursor.rounds", 10_000, 500_000);
    private static final int SMALL = 4096;
    private static final int SIZE = QueueLayout.HEADER + RECORDS * QueueLayout.PAYLOAD;

    @TempDir
    private Path directory;

    /** A segment with claimed records, none of which is committed. */
    private SegmentFile claimed(String name) throws IOException {
        Path path = directory.resolve(name);
        MappedFile.create(path, SIZE);
        SegmentFile segment = SegmentFile.begin(MappedFile.open(path), path, new SegmentHeader(1, 2, 0, SIZE, 3), 0);
        segment.tail.set(RECORDS, SIZE, false);
        return segment;
    }

    private static void commitAndSettle(SegmentFile segment) {
        for (int i = 0; i < RECORDS; i++) {
            segment.commit(QueueLayout.HEADER + i * QueueLayout.PAYLOAD, i, 0, QueueLayout.KIND_RECORD, 4);
            segment.settle(i + 1);
        }
    }

    private void read(String name, boolean skips) throws Exception {
        SegmentFile segment = claimed(name);
        assertThat(segment.lease()).isTrue();
        try (Cursor cursor = new Cursor(segment, 0, QueueLayout.HEADER)) {
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> commitAndSettle(segment));
            try {
                while (cursor.offset() < RECORDS) {
                    boolean _ = skips ? cursor.skip() : cursor.next();
                }
            } finally {
                writer.get();
            }
        } finally {
            segment.close();
        }
    }

    @Test
    void recordThatIsCommittedAndSettledBetweenTwoLooksIsNotDamaged() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            read("next" + round, false);
            read("skip" + round, true);
        }
    }

    /** One record comes, and then the segment's end, while a reader looks for either. */
    @Test
    void noRecordIsPassedOverWhereASegmentEnds() throws Exception {
        Path path = directory.resolve("first");
        Path behind = directory.resolve("second");
        MappedFile.create(path, SMALL);
        MappedFile.create(behind, SMALL);
        try (MappedFile file = MappedFile.open(path);
                MappedFile fileBehind = MappedFile.open(behind);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            CyclicBarrier barrier = new CyclicBarrier(2);
            AtomicReferenceArray<SegmentFile> segments = new AtomicReferenceArray<>(2);
            Future<?> writer = threads.submit(() -> {
                for (int round = 0; round < MANY_ROUNDS; round++) {
                    SegmentFile segment = SegmentFile.begin(file, path, new SegmentHeader(1, round, 0, SMALL, 3), 0);
                    segments.set(0, segment);
                    segments.set(1, SegmentFile.begin(fileBehind, behind,
                            new SegmentHeader(1, round, 1, SMALL, 3), SMALL));
                    barrier.await();
                    segment.commit(QueueLayout.HEADER, 0, 0, QueueLayout.KIND_RECORD, 4);
                    segment.tail.set(1, QueueLayout.HEADER + QueueLayout.PAYLOAD, false);
                    segment.next = segments.get(1);
                    segment.tail.set(1, QueueLayout.HEADER + QueueLayout.PAYLOAD, true);
                    barrier.await();
                }
                return null;
            });
            Future<?> reader = threads.submit(() -> {
                for (int round = 0; round < MANY_ROUNDS; round++) {
                    barrier.await();
                    SegmentFile segment = segments.get(0);
                    assertThat(segment.lease()).isTrue();
                    int count = 0;
                    try (Cursor cursor = new Cursor(segment, 0, QueueLayout.HEADER)) {
                        while (cursor.segment() == segment) {
                            count += cursor.skip() ? 1 : 0;
                        }
                        assertThat(count).as("records seen in round %d", round).isOne();
                    } finally {
                        barrier.await();
                    }
                }
                return null;
            });
            reader.get();
            writer.get();
        }
    }

    /** A whole close may overtake a reader. */
    @Test
    void nobodyLooksForASegmentForEverWhenTheQueueIsClosed() throws Exception {
        SegmentFile segment = claimed("closed");
        segment.close();
        try (QueueDirectory files = QueueDirectory.open(directory.resolve("queue"), 64 << 20, false, false)) {
            Log log = new Log(files, new Clock(0), new QueueBounds(Long.MAX_VALUE, Long.MAX_VALUE), new Readers(),
                    (_, _) -> {
                        // They are not read.
                    }, segment, segment);
            CountDownLatch isReading = new CountDownLatch(1);
            CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
                isReading.countDown();
                log.cursor(0).close();
            });
            isReading.await();
            // Until it has seen that the queue is open.
            Thread.sleep(50);
            log.close();
            assertThatThrownBy(() -> reader.get()).hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
        }
    }
}
