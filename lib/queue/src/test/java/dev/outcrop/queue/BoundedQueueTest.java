package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A full queue takes nothing until a group has acknowledged something. */
class BoundedQueueTest extends QueueFixture {
    private static final byte[] RECORD = new byte[40];
    /** With its header. */
    private static final int RECORD_BYTES = 64;

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(16 << 10);
    }

    @Test
    void aFullQueueRejectsAtOnceIfToldSo() {
        try (Queue queue = Queue.open(directory(), options().maxRecords(10).fullTimeout(Duration.ZERO));
                Consumer consumer = queue.group("g").consumer()) {
            for (int i = 0; i < 10; i++) {
                queue.append(RECORD);
            }
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(RECORD))
                    .withMessageContaining("there are 10 records from record 0 on, kept for consumer group g;")
                    .withMessageContaining("(at most 10)").withMessageNotContaining(Long.toString(Long.MAX_VALUE))
                    .withMessageContaining("Nothing was appended");
            assertThat(queue.nextOffset()).isEqualTo(10);

            assertThat(consumer.poll(3, Polls.SKIP)).isEqualTo(3);
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(RECORD));
            consumer.acknowledgeUpTo(1);
            queue.append(RECORD);
            queue.append(RECORD);
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(RECORD));
            assertThat(queue.statistics().fullWaits()).isEqualTo(3);
            assertThat(queue.statistics().stalls().count()).isEqualTo(3);
        }
    }

    @Test
    void bytesAreCountedWithWhatARecordCosts() {
        try (Queue queue = Queue.open(directory(), options().maxBytes(5 * RECORD_BYTES).fullTimeout(Duration.ZERO))) {
            queue.group("g");
            for (int i = 0; i < 5; i++) {
                queue.append(RECORD);
            }
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(new byte[0]));
        }
        // The bound holds after opening again, too.
        try (Queue queue = Queue.open(directory(), options().maxBytes(6 * RECORD_BYTES).fullTimeout(Duration.ZERO))) {
            queue.append(RECORD);
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(RECORD));
        }
    }

    @Test
    void anEmptyQueueTakesARecordThatIsLargerThanItsBound() {
        try (Queue queue = Queue.open(directory(), options().maxBytes(100).fullTimeout(Duration.ZERO));
                Consumer consumer = queue.group("g").consumer()) {
            queue.append(new byte[1000]);
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(RECORD));
            consumer.poll(1, Polls.SKIP);
            consumer.acknowledgeUpTo(1);
            queue.append(new byte[1000]);
        }
    }

    @Test
    void aBatchIsAppendedWholeOrNotAtAll() {
        List<MemorySegment> three = Collections.nCopies(3, MemorySegment.ofArray(RECORD));
        try (Queue queue = Queue.open(directory(),
                options().maxRecords(10).maxBytes(5 * RECORD_BYTES).fullTimeout(Duration.ZERO));
                Consumer consumer = queue.group("g").consumer()) {
            queue.append(three);
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(three))
                    .withMessageContaining("there are 3 records");
            assertThat(queue.nextOffset()).isEqualTo(3);
            consumer.poll(3, (offset, _, _) -> consumer.acknowledge(offset));
            // More bytes than the bound, as one record that is larger.
            queue.append(Collections.nCopies(8, MemorySegment.ofArray(RECORD)));
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> queue.append(Collections.nCopies(11, MemorySegment.ofArray(RECORD))))
                    .withMessageContaining("maxRecords");
        }
    }

    @Test
    void whatIsRefusedLeavesTheRestOfTheFileToOthers() {
        int large = 1024 - QueueLayout.PAYLOAD;
        try (Queue queue = Queue.open(directory(),
                options().maxBytes(15 * 1024 + RECORD_BYTES).fullTimeout(Duration.ZERO));
                Consumer consumer = queue.group("g").consumer()) {
            Polls.append(queue, 15, large);
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(new byte[large]));
            queue.append(RECORD);
            assertThat(queue.statistics().rolls()).isZero();
            assertThat(consumer.poll(2, Polls.SKIP)).isEqualTo(2);
            consumer.acknowledgeUpTo(1);
            // With the end of the first file, which nothing fitted into.
            queue.append(new byte[large]);
            assertThat(queue.statistics().rolls()).isEqualTo(1);
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(new byte[large]));
        }
    }

    @Test
    void whatIsAcknowledgedBehindTheFirstThatIsNotCounts() {
        try (Queue queue = Queue.open(directory(), options().maxRecords(3).fullTimeout(Duration.ZERO));
                Consumer consumer = queue.group("g").consumer()) {
            for (int i = 0; i < 3; i++) {
                queue.append(RECORD);
            }
            assertThat(consumer.poll(3, Polls.SKIP)).isEqualTo(3);
            assertThat(consumer.acknowledge(1)).isTrue();
            assertThat(consumer.acknowledge(2)).isTrue();
            assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(RECORD))
                    .withMessageContaining("3 records from record 0 on");
            assertThat(consumer.acknowledge(0)).isTrue();
            queue.append(RECORD);
        }
    }

    @Test
    void theSlowestGroupCounts() {
        try (Queue queue = Queue.open(directory(), options().maxRecords(2).fullTimeout(Duration.ZERO));
                Consumer fast = queue.group("fast").consumer();
                Consumer slow = queue.group("slow").consumer()) {
            queue.append(RECORD);
            queue.append(RECORD);
            for (Consumer consumer : new Consumer[]{fast, slow}) {
                assertThatExceptionOfType(QueueFullException.class).isThrownBy(() -> queue.append(RECORD));
                consumer.poll(2, Polls.SKIP);
                consumer.acknowledgeUpTo(2);
            }
            queue.append(RECORD);
        }
    }

    @Test
    void whoeverWaitsGoesOnWhenThereIsRoom() throws Exception {
        try (Queue queue = Queue.open(directory(), options().maxRecords(1));
                Consumer consumer = queue.group("g").consumer()) {
            queue.append(RECORD);
            Thread producer = Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 1000; i++) {
                    queue.append(RECORD);
                }
            });
            for (int i = 0; i <= 1000; i++) {
                long expected = i;
                while (consumer.poll(1, (offset, payload, deliveries) -> assertThat(offset).isEqualTo(expected)) == 0) {
                    Thread.onSpinWait();
                }
                consumer.acknowledgeUpTo(i);
            }
            producer.join();
            assertThat(queue.nextOffset()).isEqualTo(1001);
        }
    }

    @Test
    void whoeverWaitsIsCountedWhileItWaits() throws Exception {
        try (Queue queue = Queue.open(directory(), options().maxRecords(1));
                Consumer consumer = queue.group("g").consumer()) {
            QueueStatistics statistics = queue.statistics();
            assertThat(statistics.waitingAppends()).isZero();
            queue.append(RECORD);
            assertThat(statistics.waitingAppends()).isZero();
            Thread first = Thread.ofPlatform().start(() -> queue.append(RECORD));
            Thread second = Thread.ofVirtual().start(() -> queue.async().append(RECORD).join());
            Polls.waitWhile(() -> statistics.waitingAppends() != 2);
            assertThat(statistics.toString()).contains("waiting appends: 2,");

            for (long waiting = 1; waiting >= 0; waiting--) {
                long expected = waiting;
                // A producer no longer waits a moment before its record can be read.
                consumer.poll(1, Duration.ofMinutes(5), (offset, _, _) -> consumer.acknowledge(offset));
                Polls.waitWhile(() -> statistics.waitingAppends() != expected);
            }
            first.join();
            second.join();
            assertThat(statistics.fullWaits()).isEqualTo(2);
        }
    }

    @Test
    void whoeverWaitsIsInterruptible() throws Exception {
        try (Queue queue = Queue.open(directory(), options().maxRecords(1))) {
            queue.append(RECORD);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread producer = Thread.ofPlatform().start(() -> {
                try {
                    queue.append(RECORD);
                } catch (QueueFullException e) {
                    if (Thread.currentThread().isInterrupted()) {
                        thrown.set(e);
                    }
                }
            });
            Polls.waitWhile(() -> producer.getState() != Thread.State.TIMED_WAITING);
            producer.interrupt();
            producer.join();

            assertThat(thrown.get()).hasMessageContaining("Interrupted");
            assertThat(queue.nextOffset()).isEqualTo(1);
        }
    }

    @Test
    void recordWriterDoesNotWaitForRoomThatItsRecordTakes() {
        try (Queue queue = Queue.open(directory(), options().maxRecords(1))) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> queue.append(8, _ -> queue.append(RECORD)))
                    .withMessageContaining("RecordWriter cannot wait for room");
            assertThat(queue.nextOffset()).isEqualTo(1);
        }
    }

    @Test
    void whoeverWaitsIsToldWhenTheQueueCloses() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Queue queue = Queue.open(directory(), options().maxRecords(1));
        queue.append(RECORD);
        Thread producer = Thread.ofPlatform().start(() -> {
            try {
                queue.append(RECORD);
            } catch (IllegalStateException e) {
                thrown.set(e);
            }
        });
        Polls.waitWhile(() -> producer.getState() != Thread.State.TIMED_WAITING);
        queue.close();
        producer.join();

        assertThat(queue.statistics().waitingAppends()).isZero();
        assertThat(thrown.get()).hasMessageContaining("closed");
    }

    /** It waits for an empty queue, which may be empty behind the records that others have appended meanwhile. */
    @Test
    void aRecordLargerThanTheBoundIsAppendedWhenWhatCameMeanwhileIsDone() throws Exception {
        try (Queue queue = Queue.open(directory(), new QueueOptions().segmentSize(16 << 10).maxBytes(400));
                Consumer consumer = queue.group("reader").consumer()) {
            queue.append(new byte[40]);
            Thread waiting = Thread.ofPlatform().start(() -> queue.append(new byte[1000]));
            Polls.waitWhile(
                    () -> queue.statistics().fullWaits() == 0 || waiting.getState() != Thread.State.TIMED_WAITING);
            queue.append(new byte[40]);
            consumer.poll(10, Polls.SKIP);
            assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(2);
            waiting.join();
            assertThat(queue.nextOffset()).isEqualTo(3);
        }
    }
}
