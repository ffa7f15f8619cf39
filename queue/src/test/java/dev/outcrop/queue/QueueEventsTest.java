package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.testsupport.FlightRecordings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("verify")
class QueueEventsTest {
    private static final int SEGMENT = 8192;

    @TempDir
    private Path directory;

    @Test
    void rollsSyncsAndStallsAreRecorded() throws IOException {
        Path queueDirectory = directory.resolve("queue");
        List<RecordedEvent> events = FlightRecordings.during(directory.resolve("recording.jfr"), () -> {
            try (Queue queue = Queue.open(queueDirectory, new QueueOptions().segmentSize(SEGMENT).maxRecords(3)
                    .fullTimeout(Duration.ofMillis(1)))) {
                queue.group("slow");
                queue.append(new byte[5000]);
                queue.append(new byte[5000]);
                queue.append(new byte[1]);
                queue.sync();
                assertThatThrownBy(() -> queue.append(new byte[1])).isInstanceOf(QueueFullException.class);
            }
        }, "dev.outcrop.QueueRoll", "dev.outcrop.QueueSync", "dev.outcrop.QueueStall");

        assertThat(events)
                .allSatisfy(event -> assertThat(event.getString("queue")).isEqualTo(queueDirectory.toString()));
        assertThat(FlightRecordings.named(events, "dev.outcrop.QueueRoll")).singleElement()
                .satisfies(roll -> assertThat(roll.getLong("nextOffset")).isEqualTo(1));
        assertThat(FlightRecordings.named(events, "dev.outcrop.QueueSync").stream()
                .mapToLong(sync -> sync.getLong("records")).sum())
                .isEqualTo(3);
        assertThat(FlightRecordings.named(events, "dev.outcrop.QueueStall")).singleElement()
                .satisfies(stall -> assertThat(stall.getLong("offset")).isEqualTo(3));
    }
}
