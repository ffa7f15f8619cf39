package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A segment that is missing between others is found when the queue is opened, or by those who read that far; nothing of it counts as read.
 */
class MissingSegmentTest extends QueueFixture {
    private static final int PER_SEGMENT = 100;
    private static final int END = 250;
    private static final int LENGTH = 56;

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(Sample.SEGMENT_SIZE).keepBytes(Long.MAX_VALUE);
    }

    /** Fills segments so that a number of bytes is left behind the last record of each. */
    private void fill(int left) {
        try (Queue queue = Queue.open(directory(), options())) {
            fill(queue, left);
        }
    }

    private static void fill(Queue queue, int left) {
        fill(queue, left, 0, END);
    }

    private static void fill(Queue queue, int left, int from, int to) {
        int last = Sample.SEGMENT_SIZE - QueueLayout.HEADER - (PER_SEGMENT - 1) * (QueueLayout.PAYLOAD + LENGTH)
                - QueueLayout.PAYLOAD - left;
        for (int i = from; i < to; i++) {
            queue.append(Payloads.of(1, i, i % PER_SEGMENT == PER_SEGMENT - 1 ? last : LENGTH));
        }
    }

    private static List<Long> poll(Consumer consumer) {
        List<Long> offsets = new ArrayList<>();
        consumer.poll(1000, (offset, payload, _) -> {
            assertThat(Payloads.intact(payload)).isEqualTo(new Payloads.Id(1, offset));
            offsets.add(offset);
        });
        return offsets;
    }

    private void assertMissing(int left, ThrowingCallable call) {
        assertThatThrownBy(call)
                .hasMessageContaining("the segment that begins with record " + PER_SEGMENT + " is missing")
                .isInstanceOfSatisfying(QueueCorruptException.class, e -> {
                    assertThat(e.offset()).isEqualTo(PER_SEGMENT);
                    assertThat(e.position()).isEqualTo(Sample.SEGMENT_SIZE - left);
                    assertThat(e.file().getFileName()).isEqualTo(Sample.segment(directory(), 0).getFileName());
                });
    }

    @Test
    void isFoundWhenTheQueueIsOpened() throws IOException {
        fill(0);
        Path missing = Sample.segment(directory(), PER_SEGMENT);
        Path elsewhere = temporary.resolve("elsewhere");
        Files.move(missing, elsewhere);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Queue.open(directory(), options()).close())
                    .hasMessageContainingAll("the segment is missing", "00000000000000000200.segment")
                    .isInstanceOfSatisfying(QueueCorruptException.class, e -> {
                        assertThat(e.offset()).isEqualTo(PER_SEGMENT);
                        assertThat(e.file().getFileName()).isEqualTo(missing.getFileName());
                    });
        }
        Files.move(elsewhere, missing);
        try (Queue queue = Queue.open(directory(), options()); Consumer consumer = queue.group("group").consumer()) {
            assertThat(poll(consumer)).hasSize(END);
        }
    }

    @Test
    void twoThatAreMissingAreRepairedForGood() throws IOException {
        fill(0);
        try (Queue queue = Queue.open(directory(), options())) {
            Sample.append(queue, 2 * END, LENGTH);
        }
        Files.delete(Sample.segment(directory(), PER_SEGMENT));
        Files.delete(Sample.segment(directory(), 2 * PER_SEGMENT));

        assertThat(QueueFiles.repair(directory()).repairs()).isNotEmpty();

        assertThat(QueueFiles.verify(directory()).damages()).isEmpty();
        for (int i = 0; i < 2; i++) {
            try (Queue queue = Queue.open(directory(), options())) {
                assertThat(queue.nextOffset()).isEqualTo(2 * END);
            }
        }
    }

    /** The one before has room for as many withdrawn records as are missing: with these, the next opening would find one missing. */
    @Test
    void whatIsBehindOneThatAPowerCutHasTakenIsPutAside() throws IOException {
        Path cut = temporary.resolve("cut");
        int whole = 50;
        try (Queue queue = Queue.open(temporary.resolve("source"), options())) {
            fill(queue, 0);
            Sample.copy(temporary.resolve("source"), cut);
        }
        Files.delete(Sample.segment(cut, PER_SEGMENT));
        Sample.zero(Sample.segment(cut, 0), QueueLayout.HEADER + whole * (QueueLayout.PAYLOAD + LENGTH),
                Sample.SEGMENT_SIZE);
        for (int i = whole; i < whole + 3; i++) {
            try (Queue queue = Queue.open(cut, options())) {
                assertThat(queue.append(Payloads.of(1, i, LENGTH))).isEqualTo(i);
            }
        }
        assertThat(cut.resolve("quarantine")).isDirectoryContaining("glob:**" + 2 * PER_SEGMENT + "*");
        assertThat(QueueFiles.verify(cut).damages()).isEmpty();
        assertThat(Sample.offsets(cut, LENGTH)).isEqualTo(range(0, whole + 3));
    }

    /** Then it is no power cut that has taken it, and nothing is put aside. */
    @Test
    void oneThatWasOnTheDiskInPartIsMissed() throws IOException {
        Path cut = temporary.resolve("cut");
        int synced = PER_SEGMENT + 50;
        try (Queue queue = Queue.open(temporary.resolve("source"), options())) {
            fill(queue, 0, 0, synced);
            queue.sync();
            fill(queue, 0, synced, END);
            Sample.copy(temporary.resolve("source"), cut);
        }
        Path missing = Sample.segment(cut, PER_SEGMENT);
        Path elsewhere = temporary.resolve("elsewhere");
        Files.move(missing, elsewhere);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Queue.open(cut, options()).close())
                    .hasMessageContainingAll("the segment is missing", "00000000000000000200.segment")
                    .isInstanceOf(QueueCorruptException.class);
        }
        Files.move(elsewhere, missing);
        try (Queue queue = Queue.open(cut, options()); Consumer consumer = queue.group("group").consumer()) {
            assertThat(poll(consumer)).hasSize(END);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 16, 24, 32, 40})
    void isFoundByWhoeverReadsThatFar(int left) throws IOException {
        fill(left);
        Path missing = Sample.segment(directory(), PER_SEGMENT);
        Path elsewhere = temporary.resolve("elsewhere");
        // As if it had been made by a repair that could not tell what was before it.
        Sample.rebase(Sample.segment(directory(), 2 * PER_SEGMENT), 2 * PER_SEGMENT);
        Files.move(missing, elsewhere);
        assertThat(QueueFiles.verify(directory()).isSound()).isFalse();
        try (Queue queue = Queue.open(directory(), options())) {
            ConsumerGroup group = queue.group("group");
            try (Consumer consumer = group.consumer()) {
                assertThat(poll(consumer)).isEqualTo(range(0, PER_SEGMENT));
                assertMissing(left, () -> poll(consumer));
                assertMissing(left, consumer::poll);
                assertMissing(left, () -> consumer.poll(Duration.ofSeconds(10)));
                assertMissing(left, () -> consumer.poll(1, Duration.ofSeconds(10), Polls.SKIP));
                assertMissing(left, () -> group.seek(PER_SEGMENT + 50));
                assertThat(consumer.acknowledgeUpTo(Long.MAX_VALUE)).isEqualTo(PER_SEGMENT);
            }
            assertThat(group.position()).isEqualTo(PER_SEGMENT);
            ConsumerGroup behind = queue.group("behind");
            assertThat(behind.seek(2 * PER_SEGMENT)).isEqualTo(2 * PER_SEGMENT);
            try (Consumer consumer = behind.consumer()) {
                assertThat(poll(consumer)).isEqualTo(range(2 * PER_SEGMENT, END));
            }
        }
        Files.move(elsewhere, missing);
        assertThat(QueueFiles.verify(directory()).isSound()).isTrue();
        try (Queue queue = Queue.open(directory(), options()); Consumer consumer = queue.group("group").consumer()) {
            assertThat(poll(consumer)).isEqualTo(range(PER_SEGMENT, END));
        }
    }
}
