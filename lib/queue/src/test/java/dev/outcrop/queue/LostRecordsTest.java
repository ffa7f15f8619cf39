package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The remains of records that a power cut took do not pass for the records that get their offsets, not even before these are committed. */
class LostRecordsTest extends QueueFixture {
    private static final int LENGTH = Sample.LENGTH / 2;

    /** Leaves the files of a queue as the end of its process does. */
    private void leave(int records) throws IOException {
        Path source = temporary.resolve("source");
        // Without spares.
        try (Queue queue = Queue.open(source, Sample.inForeground())) {
            Sample.append(queue, records);
            Sample.copy(source, directory());
        }
    }

    /** Appends a record, and looks at the queue when it is claimed and not committed. */
    private void assertNextIsNotTakenForThere(int next) throws Exception {
        try (Queue queue = Sample.open(directory()); Consumer consumer = queue.group("group").consumer()) {
            assertThat(queue.nextOffset()).isEqualTo(next);
            assertThat(Polls.offsets(consumer)).isEqualTo(range(0, next));
            assertNextIsNotTakenForThere(queue, consumer);
        }
    }

    private static void assertNextIsNotTakenForThere(Queue queue, Consumer consumer) throws Exception {
        long next = queue.nextOffset();
        CountDownLatch isClaimed = new CountDownLatch(1);
        CountDownLatch mayCommit = new CountDownLatch(1);
        CompletableFuture<Long> appended = CompletableFuture.supplyAsync(() -> queue.append(LENGTH, payload -> {
            payload.copyFrom(MemorySegment.ofArray(Payloads.of(2, next, LENGTH)));
            isClaimed.countDown();
            Uninterrupted.await(mayCommit::await);
        }));
        FutureTask<@Nullable Void> synced = new FutureTask<>(queue::sync, null);
        try {
            Uninterrupted.await(isClaimed::await);
            assertThat(Polls.offsets(consumer)).isEmpty();
            Polls.untilWaiting(Thread.ofPlatform().start(synced));
            assertThat(synced.isDone()).isFalse();
            assertThat(queue.durableOffset()).isLessThanOrEqualTo(next);
        } finally {
            mayCommit.countDown();
        }
        assertThat(appended.get()).isEqualTo(next);
        synced.get();
        assertThat(queue.durableOffset()).isEqualTo(next + 1);
        assertThat(Polls.offsets(consumer)).containsExactly(next);
    }

    @Test
    void tornRecordAtTheEnd() throws Exception {
        leave(5);
        Sample.flip(Sample.segment(directory(), 0), Sample.position(4) + Sample.RECORD - 1, 3);
        assertNextIsNotTakenForThere(4);
    }

    @Test
    void tornRecordBehindAnother() throws Exception {
        leave(5);
        for (int offset = 2; offset < 5; offset++) {
            Sample.flip(Sample.segment(directory(), 0), Sample.position(offset) + Sample.RECORD - 1, 3);
        }
        // As long as the one before, so that the next one begins where the second torn one did.
        try (Queue queue = Sample.open(directory())) {
            assertThat(queue.append(Payloads.of(1, 2, Sample.LENGTH))).isEqualTo(2);
        }
        assertNextIsNotTakenForThere(3);
    }

    /** A power cut has undone that the spare became the second segment, but not what was written to it. */
    @Test
    void segmentThatIsASpareAgain() throws Exception {
        leave(Sample.PER_SEGMENT + 3);
        Files.move(Sample.segment(directory(), Sample.PER_SEGMENT), directory().resolve("1.spare"));
        assertNextIsNotTakenForThere(Sample.PER_SEGMENT);
    }

    /** A producer that writes committed words into its payloads, for when their place in the file is another record's. */
    @Test
    void payloadThatImitatesRecords() throws Exception {
        int filling = Sample.SEGMENT_SIZE - QueueLayout.HEADER - QueueLayout.PAYLOAD;
        int fillings = 6;
        try (Queue queue = Queue.open(directory(), Sample.inForeground());
                Consumer consumer = queue.group("group").consumer()) {
            long imitated = fillings + 1L;
            byte[] words = new byte[filling];
            for (int at = 0; at <= filling - Long.BYTES; at += Long.BYTES) {
                ByteBuffer.wrap(words).order(ByteOrder.LITTLE_ENDIAN).putLong(at,
                        imitated << 32 | QueueLayout.COMMITTED | LENGTH);
            }
            for (int i = 0; i < fillings; i++) {
                queue.append(words);
                // Its file is used for the next but one.
                consumer.acknowledgeUpTo(Polls.offsets(consumer).getLast());
            }
            queue.append(Payloads.of(2, fillings, LENGTH));
            consumer.acknowledgeUpTo(Polls.offsets(consumer).getLast());
            byte[] file = Files.readAllBytes(Sample.segment(directory(), fillings));
            int next = QueueLayout.HEADER + (int) QueueLayout.recordBytes(LENGTH);
            assertThat(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(next))
                    .isEqualTo(imitated << 32 | QueueLayout.COMMITTED | LENGTH);
            assertNextIsNotTakenForThere(queue, consumer);
        }
    }

    /** All that was called durable is retired, and its file was used again, which the power cut has undone in part. */
    @Test
    void nothingIsMissingOfWhatIsRetired() throws Exception {
        QueueOptions options = Sample.inForeground();
        Path source = temporary.resolve("source");
        Sample.fill(source, 5);
        int end = Sample.PER_SEGMENT + 1;
        try (Queue queue = Queue.open(source, options); Consumer consumer = queue.group("group").consumer()) {
            Sample.append(queue, end);
            consumer.acknowledgeUpTo(Polls.offsets(consumer).getLast());
            Sample.copy(source, directory());
        }
        for (Path file : Sample.files(directory())) {
            if (file.toString().matches(".*\\.(segment|spare)")) {
                Files.delete(file);
            }
        }
        Files.write(Sample.segment(directory(), 0), new byte[Sample.SEGMENT_SIZE]);
        assertThat(QueueFiles.verify(directory()).isSound()).isTrue();

        try (Queue queue = Queue.open(directory(), options)) {
            assertThat(queue.nextOffset()).isEqualTo(Sample.PER_SEGMENT);
            assertThat(queue.append(new byte[1])).isEqualTo(Sample.PER_SEGMENT);
        }
    }
}
