package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files go when they are no longer needed, and not before. */
class RetentionTest extends QueueFixture {
    private static final int SEGMENT = 8 << 10;
    private static final byte[] RECORD = new byte[1000];
    private static final int RECORDS_OF_A_SEGMENT = (SEGMENT - QueueLayout.HEADER) / 1024;

    private static QueueOptions options() {
        // Without a thread in the background, files go exactly when something is acknowledged.
        return new QueueOptions().segmentSize(SEGMENT).backgroundThread(false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void filesAreUsedAgain(boolean inBackground) throws IOException, InterruptedException {
        try (Queue queue = Queue.open(directory(), options().backgroundThread(inBackground).maxBytes(4 * SEGMENT));
                Consumer consumer = queue.group("g").consumer()) {
            for (int i = 0; i < 100 * RECORDS_OF_A_SEGMENT; i++) {
                queue.append(RECORD);
                long expected = i;
                assertThat(consumer.poll(1, (offset, payload, deliveries) -> assertThat(offset).isEqualTo(expected)))
                        .isEqualTo(1);
                consumer.acknowledgeUpTo(i);
            }
            assertThat(queue.statistics().rolls()).isGreaterThan(90);
            if (inBackground) {
                // The background thread may still make a file, which it then gives back.
                Polls.waitWhile(() -> files().size() >= 5);
            } else {
                assertThat(files()).hasSizeLessThan(5);
            }
            assertThat(Polls.texts(queue)).hasSizeLessThan(100 * RECORDS_OF_A_SEGMENT);
        }
        try (Queue queue = Queue.open(directory(), options())) {
            assertThat(queue.nextOffset()).isEqualTo(100 * RECORDS_OF_A_SEGMENT);
            assertThat(queue.group("g").lag().records()).isZero();
        }
    }

    /** The segment of the record that it holds came after all before it was acknowledged, and the one before has gone since. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 0})
    void lagOfAGroupThatHoldsTheFirstRecordOfASegment(long keepBytes) {
        try (Queue queue = Queue.open(directory(), options().keepBytes(keepBytes));
                Consumer consumer = queue.group("g").consumer()) {
            append(queue, 1);
            read(consumer, 1);
            append(queue, 1);
            assertThat(consumer.poll(1, Polls.SKIP)).isEqualTo(1);
            assertThat(queue.firstOffset()).isEqualTo(keepBytes == 0 ? RECORDS_OF_A_SEGMENT : 0);
            assertThat(queue.group("g").lag()).satisfies(lag -> {
                assertThat(lag.records()).isEqualTo(RECORDS_OF_A_SEGMENT);
                assertThat(lag.bytes()).isEqualTo(RECORDS_OF_A_SEGMENT * 1024);
                assertThat(lag.time()).isLessThan(Duration.ofMinutes(10));
            });
        }
    }

    @Test
    void whatOneGroupHasNotAcknowledgedStays() throws IOException {
        try (Queue queue = Queue.open(directory(), options());
                Consumer fast = queue.group("fast").consumer();
                Consumer slow = queue.group("slow").consumer()) {
            append(queue, 10);
            read(fast, 10);
            assertThat(queue.firstOffset()).isZero();
            read(slow, 4);
            assertThat(queue.firstOffset()).isPositive().isLessThanOrEqualTo(4 * RECORDS_OF_A_SEGMENT);
            queue.deleteGroup("slow");
            read(fast, 0);
            append(queue, 1);
            read(fast, 1);
            assertThat(queue.firstOffset()).isGreaterThanOrEqualTo(10L * RECORDS_OF_A_SEGMENT);
        }
    }

    @Test
    void acknowledgingWhileTheQueueClosesIsHarmless() throws Exception {
        for (int round = 0; round < 20; round++) {
            Path own = temporary.resolve("closing" + round);
            Queue queue = Queue.open(own, options());
            append(queue, 10);
            Consumer consumer = queue.group("g").consumer();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    while (consumer.poll(1, Polls.SKIP) > 0) {
                        consumer.acknowledgeUpTo(Long.MAX_VALUE);
                    }
                } catch (IllegalStateException e) {
                    // Closed meanwhile.
                }
            });
            Thread.sleep(round % 5);
            queue.close();
            reader.join();
            try (Queue again = Queue.open(own, options())) {
                assertThat(again.nextOffset()).isEqualTo(10L * RECORDS_OF_A_SEGMENT);
                assertThat(again.group("g").position()).isBetween(0L, again.nextOffset());
            }
        }
    }

    @Test
    void withoutGroupsEverythingStays() {
        try (Queue queue = Queue.open(directory(), options())) {
            append(queue, 10);
        }
        try (Queue queue = Queue.open(directory(), options())) {
            assertThat(queue.firstOffset()).isZero();
            assertThat(Polls.texts(queue)).hasSize(10 * RECORDS_OF_A_SEGMENT);
        }
    }

    @Test
    void whatIsToBeKeptForReplayStays() {
        try (Queue queue = Queue.open(directory(), options().keepBytes(5 * SEGMENT));
                Consumer consumer = queue.group("g").consumer()) {
            append(queue, 20);
            read(consumer, 20);
            assertThat(queue.nextOffset() - queue.firstOffset()).isBetween(4L * RECORDS_OF_A_SEGMENT,
                    7L * RECORDS_OF_A_SEGMENT);
        }
        try (Queue queue = Queue.open(directory(), options().keepFor(Duration.ofDays(1)));
                Consumer consumer = queue.group("g").consumer()) {
            long first = queue.firstOffset();
            append(queue, 20);
            read(consumer, 20);
            assertThat(queue.firstOffset()).isEqualTo(first);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoeverOnlyAppendsGivesBackToo(boolean inBackground) throws InterruptedException {
        try (Queue queue = Queue.open(directory(), options().backgroundThread(inBackground).keepBytes(5 * SEGMENT))) {
            append(queue, 20);
            Polls.waitWhile(() -> inBackground && queue.nextOffset() - queue.firstOffset() > 7L * RECORDS_OF_A_SEGMENT);
            assertThat(queue.nextOffset() - queue.firstOffset()).isBetween(4L * RECORDS_OF_A_SEGMENT,
                    7L * RECORDS_OF_A_SEGMENT);
        }
    }

    @Test
    void whatBecomesOldWhileNobodyAppendsGoesToo() throws InterruptedException {
        try (Queue queue = Queue.open(directory(), options().backgroundThread(true).keepFor(Duration.ofHours(1)))) {
            append(queue, 4);
            assertThat(queue.firstOffset()).isZero();
            queue.advance(Duration.ofHours(1));
            Polls.waitWhile(() -> queue.firstOffset() < 3L * RECORDS_OF_A_SEGMENT);
            assertThat(queue.firstOffset()).isEqualTo(3L * RECORDS_OF_A_SEGMENT);
        }
    }

    /** Otherwise records that are appended meanwhile would all have the same old time. */
    @Test
    void preparingAFileGoesInSmallSteps() throws IOException {
        AtomicInteger ticks = new AtomicInteger();
        BooleanSupplier goOn = () -> ticks.incrementAndGet() > 0;
        try (QueueDirectory files = QueueDirectory.open(directory(), 32 << 20, false, false)) {
            files.prepare(goOn);
            assertThat(ticks).hasValue(9);
            files.prepare(goOn);
            assertThat(ticks).as("there is one").hasValue(9);
            SegmentFile segment = files.begin(0, -1, 0, 1);
            segment.pages.populateRest(files, goOn);
            assertThat(ticks).hasValue(17);
            segment.pages.useSmallPages(files, goOn);
            assertThat(ticks).hasValue(25);
            segment.pages.populateRest(files, () -> ticks.incrementAndGet() < 27);
            assertThat(ticks).as("it is closed meanwhile").hasValue(27);
            files.giveBack(segment);
            files.prepare(goOn);
            assertThat(ticks).hasValue(36);
        }
    }

    private static void append(Queue queue, int segments) {
        for (int i = 0; i < segments * RECORDS_OF_A_SEGMENT; i++) {
            queue.append(RECORD);
        }
    }

    private static void read(Consumer consumer, int segments) {
        for (int i = 0; i < segments * RECORDS_OF_A_SEGMENT; i++) {
            assertThat(consumer.poll(1, (offset, payload, deliveries) -> consumer.acknowledge(offset))).isEqualTo(1);
        }
    }

    private List<Path> files() throws IOException {
        return Sample.files(directory(), "").stream().filter(file -> file.toString().matches(".*\\.(segment|spare)"))
                .toList();
    }
}
