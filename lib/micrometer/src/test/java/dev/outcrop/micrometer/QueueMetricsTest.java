package dev.outcrop.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueueMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    private Path directory;

    @Test
    void showsWhatIsInAQueueAndWhatItDoes() {
        try (Queue queue = Queue.open(directory, new QueueOptions().segmentSize(8192))) {
            queue.group("billing");
            new QueueMetrics(queue, Tags.of("queue", "events")).bindTo(registry);
            for (int i = 0; i < 1000; i++) {
                queue.append(new byte[40]);
            }
            queue.sync();

            assertThat(gauge("outcrop.queue.records")).isEqualTo(1000);
            assertThat(gauge("outcrop.queue.bytes")).isBetween(64_000.0, 74_000.0);
            assertThat(registry.get("outcrop.queue.appended").tag("queue", "events").functionCounter().count())
                    .isEqualTo(1000);
            assertThat(registry.get("outcrop.queue.rolls").functionCounter().count()).isEqualTo(7);
            assertThat(registry.get("outcrop.queue.full").functionCounter().count()).isZero();
            assertThat(gauge("outcrop.queue.waiting")).isZero();
            assertThat(registry.get("outcrop.queue.timeouts").functionCounter().count()).isZero();
            assertThat(registry.get("outcrop.queue.dead.letters").functionCounter().count()).isZero();
            assertThat(registry.get("outcrop.queue.sync.count").functionCounter().count()).isEqualTo(1);
            assertThat(gauge("outcrop.queue.sync.max")).isPositive();
            assertThat(registry.get("outcrop.queue.append").tag("phi", "0.5").gauge().value()).isPositive();
            assertThat(gauge("outcrop.queue.stall.max")).isPositive();
            assertThat(registry.get("outcrop.queue.lag").tag("group", "billing").gauge().value()).isEqualTo(1000);
            assertThat(gauge("outcrop.queue.lag.bytes")).isBetween(64_000.0, 74_000.0);
            assertThat(gauge("outcrop.queue.lag.time")).isNotNegative();

            queue.deleteGroup("billing");
            assertThat(registry.get("outcrop.queue.lag").tag("group", "billing").gauge().value()).isNaN();
            assertThat(queue.groups()).isEmpty();
        }
        for (String name : List.of("records", "bytes", "waiting", "append.max", "stall.max", "sync.max")) {
            assertThat(gauge("outcrop.queue." + name)).as(name).isNaN();
        }
        assertThat(registry.get("outcrop.queue.sync").tag("phi", "0.999").gauge().value()).isNaN();
    }

    @Test
    void showsTheQueueThatWasBoundLast() {
        for (int i = 1; i <= 2; i++) {
            try (Queue queue = Queue.open(directory)) {
                queue.group("billing");
                new QueueMetrics(queue, Tags.of("queue", "events")).bindTo(registry);
                queue.append(new byte[1]);
                queue.sync();

                assertThat(gauge("outcrop.queue.records")).isEqualTo(i);
                assertThat(gauge("outcrop.queue.lag")).isEqualTo(i);
                assertThat(gauge("outcrop.queue.sync.max")).isPositive();
                assertThat(registry.get("outcrop.queue.appended").functionCounter().count()).isEqualTo(i);
                assertThat(registry.find("outcrop.queue.records").gauges()).hasSize(1);
            }
        }
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }
}
