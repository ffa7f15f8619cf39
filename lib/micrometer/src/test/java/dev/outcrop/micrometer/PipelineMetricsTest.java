package dev.outcrop.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.pipeline.PipelineState;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @TempDir
    private Path directory;

    @Test
    void showsWhatAPipelineDoes() throws Exception {
        try (Queue queue = Queue.open(directory.resolve("queue"));
                Queue letters = Queue.open(directory.resolve("letters"));
                RocksDB db = RocksDB.open(directory.resolve("db"), new Options().createIfMissing(true))) {
            try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                if (offset == 3) {
                    throw new IllegalArgumentException("three");
                }
                writes.put(payload, payload);
            }).deadLetters(letters).stallLimit(Duration.ZERO).startPaused().into(db)) {
                new PipelineMetrics(pipeline, Tags.of("pipeline", "orders")).bindTo(registry);
                for (int i = 0; i < 10; i++) {
                    queue.append(new byte[]{1, 2, 3, (byte) i});
                }
                assertThat(gauge("lag")).isEqualTo(10);
                pipeline.resume();
                assertThat(pipeline.drain(Duration.ofMinutes(5))).isTrue();

                assertThat(gauge("lag")).isZero();
                assertThat(gauge("failed")).isZero();
                assertThat(gauge("batch")).isPositive();
                assertThat(gauge("rate")).isNotNegative();
                assertThat(counter("records")).isEqualTo(10);
                assertThat(counter("bytes")).isEqualTo(40);
                assertThat(counter("batches")).isPositive().isEqualTo(counter("stalls"));
                assertThat(counter("write.time")).isPositive();
                assertThat(counter("dead.letters")).isEqualTo(1);
                assertThat(unit("bytes")).isEqualTo("bytes");
                assertThat(unit("write.time")).isEqualTo("seconds");
                assertThat(unit("lag")).isEqualTo("records");
                assertThat(unit("failed")).isNull();
            }
            for (String name : List.of("lag", "failed", "batch", "rate")) {
                assertThat(gauge(name)).as(name).isNaN();
            }
        }
    }

    @Test
    void showsThatItHasFailed() throws Exception {
        try (Queue queue = Queue.open(directory.resolve("queue"));
                RocksDB db = RocksDB.open(directory.resolve("db"), new Options().createIfMissing(true));
                Pipeline pipeline = Pipeline.from(queue, "orders").map((_, _, _) -> {
                    throw new IllegalArgumentException("all");
                }).into(db)) {
            new PipelineMetrics(pipeline, Tags.of("pipeline", "orders")).bindTo(registry);
            queue.append(new byte[1]);
            while (pipeline.state() == PipelineState.RUNNING) {
                Thread.sleep(1);
            }
            assertThat(gauge("failed")).isEqualTo(1);
            assertThat(gauge("lag")).isEqualTo(1);
        }
    }

    private @Nullable String unit(String name) {
        return registry.get("outcrop.pipeline." + name).meter().getId().getBaseUnit();
    }

    private double gauge(String name) {
        return registry.get("outcrop.pipeline." + name).tag("pipeline", "orders").gauge().value();
    }

    private double counter(String name) {
        return registry.get("outcrop.pipeline." + name).tag("pipeline", "orders").functionCounter().count();
    }
}
