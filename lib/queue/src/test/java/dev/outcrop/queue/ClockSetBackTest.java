package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A queue that is opened when the system's clock says less than when it was used before. */
class ClockSetBackTest extends QueueFixture {
    private static final int LAST = 9;

    private static QueueOptions options() {
        return Sample.inForeground().keepFor(Duration.ofHours(2));
    }

    /** Gives the last record the time of a clock that was ahead. */
    private void appendLater(Instant time) throws IOException {
        try (Queue queue = Queue.open(directory(), options())) {
            Sample.append(queue, LAST + 1);
        }
        SegmentFile segment = SegmentFile.existing(MappedFile.open(Sample.segment(directory(), 0)), 0);
        segment.commit(Sample.position(LAST), LAST, Sample.LENGTH, QueueLayout.KIND_RECORD, time.toEpochMilli());
        segment.close();
    }

    @Test
    void timesDoNotGoBackOverARestart() throws IOException {
        Instant ahead = Instant.ofEpochMilli(System.currentTimeMillis()).plus(Duration.ofDays(1));
        appendLater(ahead);
        try (Queue queue = Queue.open(directory(), options()); Consumer consumer = queue.group("group").consumer()) {
            Sample.append(queue, 3 * Sample.PER_SEGMENT);
            assertThat(consumer.group().seek(ahead)).isEqualTo(LAST);
            for (int i = LAST; i < 3 * Sample.PER_SEGMENT; i++) {
                try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                    assertThat(delivery.offset()).isEqualTo(i);
                    assertThat(delivery.time()).isEqualTo(ahead);
                }
            }
            consumer.acknowledgeUpTo(Long.MAX_VALUE);
            assertThat(queue.firstOffset()).isZero();
        }
    }
}
