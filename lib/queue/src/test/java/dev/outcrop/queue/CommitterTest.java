package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Committer;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.PayloadWriter;
import dev.outcrop.queue.internal.append.QueueBounds;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.append.Syncer;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.repair.Recovery;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes to the disk that no thread waits for. */
class CommitterTest extends QueueFixture {
    private static MemorySegment text(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    private static QueueOptions small() {
        return new QueueOptions().segmentSize(16 << 10);
    }

    private static void awaitDurable(Queue queue, long offset) throws InterruptedException {
        Polls.waitWhile(() -> queue.durableOffset() < offset);
    }

    @Test
    void timesThatNoClockHoldsMeanNever() throws InterruptedException {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        QueueOptions options = small().durability(Durability.groupCommit(forever, 1000)).keepFor(forever)
                .fullTimeout(forever).maxRecords(10_000);
        try (Queue queue = Queue.open(directory(), options); Consumer consumer = queue.group("g").consumer()) {
            Polls.append(queue, 100, 1000);
            awaitDurable(queue, 100);
            assertThat(consumer.poll(1000, Polls.SKIP)).isEqualTo(100);
            assertThat(consumer.acknowledgeUpTo(100)).isEqualTo(100);
            assertThat(queue.firstOffset()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 999_999, 1_000_000})
    void shortIntervalsAreKept(long nanos) throws InterruptedException {
        try (Queue queue = Queue.open(directory(),
                small().durability(Durability.groupCommit(Duration.ofNanos(nanos), Long.MAX_VALUE)))) {
            for (int i = 0; i < 20; i++) {
                queue.append(new byte[10]);
                awaitDurable(queue, i + 1);
            }
        }
    }

    @Test
    void oneAppendIsWrittenWhenItSays() throws InterruptedException {
        try (Queue queue = Queue.open(directory(), small())) {
            queue.append(new byte[10]);
            assertThat(queue.with(Durability.PAGE_CACHE).append(text("a"))).isEqualTo(1);
            assertThat(queue.durableOffset()).isZero();
            assertThat(queue.with(Durability.SYNCED).append(text("b"))).isEqualTo(2);
            assertThat(queue.durableOffset()).isEqualTo(3);
            for (int i = 3; i < 40; i++) {
                queue.with(Durability.groupCommit(Duration.ofHours(1), Long.MAX_VALUE)).append(text("c"));
                assertThat(queue.durableOffset()).isEqualTo(i);
                assertThat(queue.with(Durability.groupCommit(Duration.ofNanos(50_000L * i), Long.MAX_VALUE - 1))
                        .append(1, _ -> {
                        })).isEqualTo(++i);
                awaitDurable(queue, i + 1);
            }
        }
    }

    @Test
    void aBatchIsWrittenWhenItSays() throws Exception {
        List<MemorySegment> batch = List.of(text("a"), text("b"), text("c"));
        try (Queue queue = Queue.open(directory(), small())) {
            assertThat(queue.with(Durability.PAGE_CACHE).append(batch)).isZero();
            assertThat(queue.durableOffset()).isZero();
            assertThat(queue.with(Durability.SYNCED).append(batch)).isEqualTo(3);
            assertThat(queue.durableOffset()).isEqualTo(6);
            assertThat(queue.with(Durability.groupCommit(Duration.ofMillis(1), Long.MAX_VALUE)).append(batch))
                    .isEqualTo(6);
            awaitDurable(queue, 9);
            for (int i = 9; i < 90; i += 3) {
                assertThat(queue.async().append(batch).get()).isEqualTo(i);
                // All of them, not only the first, whose offset completes the future.
                assertThat(queue.durableOffset()).isEqualTo(i + 3);
            }
        }
    }

    @Test
    void oneAppendIsWrittenWhenTooMuchWaits() throws InterruptedException {
        Durability few = Durability.groupCommit(ChronoUnit.FOREVER.getDuration(), 5000);
        try (Queue queue = Queue.open(directory(), small())) {
            for (int round = 1; round < 20; round++) {
                queue.with(few).append(text("a"));
                for (int i = 1; i < 6; i++) {
                    queue.append(new byte[1000]);
                }
                // The first of them: nothing was said of the others.
                awaitDurable(queue, 6L * round - 5);
            }
        }
    }

    @Test
    void oneAppendNeedNotWaitThoughTheOthersDo() {
        try (Queue queue = Queue.open(directory(), small().durability(Durability.SYNCED))) {
            queue.append(new byte[1]);
            queue.with(Durability.PAGE_CACHE).append(text("a"));
            queue.with(Durability.PAGE_CACHE).append(1, _ -> {
            });
            assertThat(queue.durableOffset()).isEqualTo(1);
            queue.append(new byte[1]);
            assertThat(queue.durableOffset()).isEqualTo(4);
        }
    }

    @Test
    void futureThatComesWhenTheThreadHasEndedIsCompleted() throws IOException {
        try (QueueDirectory directory = QueueDirectory.open(directory(), 16 << 10, false, false)) {
            List<SegmentFile> segments = Recovery.run(directory).segments();
            Log log = new Log(directory, new Clock(0), new QueueBounds(Long.MAX_VALUE, Long.MAX_VALUE), new Readers(),
                    (_, _) -> {
                        // They are not read.
                    }, segments.getFirst(), segments.getLast());
            Syncer syncer = Syncer.of(directory, log, (_, _) -> {
                // They are not read.
            });
            Committer committer = new Committer(directory, log, syncer, Long.MAX_VALUE, Long.MAX_VALUE);
            committer.start();
            long first = log.append(1, PayloadWriter.BYTES, new byte[1], null, -1);
            committer.stop();
            long second = log.append(1, PayloadWriter.BYTES, new byte[1], null, -1);

            assertThat(committer.await(first, 1)).isCompletedWithValue(first);
            assertThat(committer.await(second, 1)).isCompletedExceptionally();
            syncer.close();
            segments.forEach(SegmentFile::close);
        }
    }

    @Test
    void whatDependsOnAFutureMayCloseTheQueue() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path own = directory().resolve("round" + round);
            Queue queue = Queue.open(own, small());
            CompletableFuture<Void> closed = queue.async().append(text("a")).thenRun(queue::close);
            closed.get();
            try (Queue again = Queue.open(own, small())) {
                assertThat(Polls.texts(again)).containsExactly("a");
            }
        }
    }

    @Test
    void futuresThatAreOpenWhenADependentClosesTheQueueComplete() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path own = directory().resolve("round" + round);
            Queue queue = Queue.open(own, small());
            CompletableFuture<Void> closed = queue.async().append(text("a")).thenRun(queue::close);
            CompletableFuture<Long> other;
            try {
                other = queue.async().append(text("b"));
            } catch (IllegalStateException e) {
                // It was faster.
                other = CompletableFuture.completedFuture(1L);
            }
            closed.get();
            assertThat(other.get()).isEqualTo(1);
        }
    }
}
