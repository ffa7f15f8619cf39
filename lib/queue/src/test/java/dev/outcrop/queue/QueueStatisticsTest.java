package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.FlightRecordings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The numbers and histograms of a queue. */
class QueueStatisticsTest extends QueueFixture {
    private static final int SEGMENT = 16 << 10;

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(SEGMENT).maxRecords(200).fullTimeout(Duration.ofMillis(20));
    }

    /** Goes on to other files, writes to the disk, and waits for room. */
    private static void use(Queue queue) {
        queue.group("g");
        Polls.append(queue, 200, 1000);
        queue.sync();
        assertThatThrownBy(() -> queue.append(new byte[1])).isInstanceOf(QueueFullException.class);
        assertThatThrownBy(() -> queue.append(List.of(MemorySegment.NULL))).isInstanceOf(QueueFullException.class);
    }

    @Test
    void peopleCanReadIt() {
        try (Queue queue = Queue.open(directory(), options())) {
            assertThat(queue.statistics())
                    .hasToString("appends: 0, copies timed: none, syncs: none, stalls: none, rolls: 0, full waits: 0,"
                            + " waiting appends: 0, timeouts: 0, dead letters: 0");
            use(queue);
            String time = "\\d+(\\.\\d)? (ns|µs|ms|s)";
            assertThat(queue.statistics().toString())
                    .matches("appends: 200, copies timed: 1 \\(.*\\), syncs: 1 \\(median " + time + ", 99 % " + time
                            + ", longest "
                            + time
                            + "\\), stalls: \\d+ \\(.*\\), rolls: \\d+, full waits: 2, waiting appends: 0, timeouts: 0,"
                            + " dead letters: 0");
        }
    }

    @Test
    void everythingIsCounted() {
        try (Queue queue = Queue.open(directory(), options())) {
            use(queue);
            QueueStatistics statistics = queue.statistics();
            long rolls = 200 / ((SEGMENT - QueueLayout.HEADER) / 1024);
            assertThat(statistics.rolls()).isEqualTo(rolls);
            assertThat(statistics.fullWaits()).isEqualTo(2);
            assertThat(statistics.appended()).isEqualTo(200);
            assertThat(statistics.appends().count()).isEqualTo(1);
            assertThat(statistics.syncs().count()).isEqualTo(1);
            // Each roll, and each wait for room.
            assertThat(statistics.stalls().count()).isEqualTo(rolls + 2);
            assertThat(statistics.stalls().longestNanos()).isGreaterThanOrEqualTo(20_000_000);
            assertThat(statistics.stalls().percentileNanos(100)).isEqualTo(statistics.stalls().longestNanos());
            assertThat(queue.bytes()).isGreaterThan(200 * 1024);
            assertThat(queue.group("g").lag().records()).isEqualTo(200);
        }
    }

    @Test
    void percentilesAreAtMostAnEighthTooHigh() {
        LatencyHistogram histogram = new LatencyHistogram();
        assertThat(histogram.count()).isZero();
        assertThat(histogram.percentileNanos(99)).isZero();
        for (long nanos = 1; nanos <= 100_000; nanos++) {
            histogram.record(nanos);
        }
        histogram.record(-5);
        assertThat(histogram.count()).isEqualTo(100_001);
        assertThat(histogram.longestNanos()).isEqualTo(100_000);
        for (double percent : new double[]{0.01, 1, 25, 50, 90, 99, 99.9}) {
            double exact = percent * 1000;
            assertThat((double) histogram.percentileNanos(percent)).as("%s", percent).isBetween(exact - 1,
                    exact * 1.13 + 1);
        }
        assertThat(histogram.percentileNanos(100)).isEqualTo(100_000);
        assertThat(histogram.percentileNanos(0)).isZero();
        assertThatThrownBy(() -> histogram.percentileNanos(101)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("101");
        assertThatThrownBy(() -> histogram.percentileNanos(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("verify")
    void rollsSyncsAndStallsAreRecorded() throws IOException {
        List<RecordedEvent> events = FlightRecordings.during(temporary.resolve("recording.jfr"), () -> {
            try (Queue queue = Queue.open(directory(), new QueueOptions().segmentSize(8192).maxRecords(3)
                    .fullTimeout(Duration.ofMillis(1)))) {
                queue.group("slow");
                queue.append(new byte[5000]);
                queue.append(new byte[5000]);
                queue.append(new byte[1]);
                queue.sync();
                assertThatThrownBy(() -> queue.append(new byte[1])).isInstanceOf(QueueFullException.class);
            }
        }, "dev.outcrop.QueueRoll", "dev.outcrop.QueueSync", "dev.outcrop.QueueStall");

        assertThat(events).allSatisfy(event -> assertThat(event.getString("queue")).isEqualTo(directory().toString()));
        assertThat(FlightRecordings.named(events, "dev.outcrop.QueueRoll")).singleElement()
                .satisfies(roll -> assertThat(roll.getLong("nextOffset")).isEqualTo(1));
        assertThat(FlightRecordings.named(events, "dev.outcrop.QueueSync").stream()
                .mapToLong(sync -> sync.getLong("records")).sum())
                .isEqualTo(3);
        assertThat(FlightRecordings.named(events, "dev.outcrop.QueueStall")).singleElement()
                .satisfies(stall -> assertThat(stall.getLong("offset")).isEqualTo(3));
    }
}
