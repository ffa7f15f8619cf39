package dev.outcrop.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.KeyValueIterator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests run with {@code -Doutcrop.leaks=always}. */
class NativeObjectMetricsTest {
    @TempDir
    private Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void showsOpenObjectsAndWhatDatabasesHold() {
        new NativeObjectMetrics().bindTo(registry);
        double before = databases();
        try (RocksDB db = RocksDB.open(directory, new Options().createIfMissing(true))) {
            db.put(MemorySegment.ofArray("key".getBytes(UTF_8)), MemorySegment.ofArray(new byte[500_000]));
            try (KeyValueIterator iterator = db.iterator()) {
                assertThat(iterator.seekToFirst()).isTrue();
                db.flush();
                assertThat(databases()).isEqualTo(before + 1);
                assertThat(memory("memtables.pinned")).isGreaterThan(400_000);
                assertThat(memory("memtables")).isGreaterThanOrEqualTo(memory("memtables.pinned"));
                assertThat(open()).isPositive();
            }
            double open = open();
            try (KeyValueIterator _ = db.iterator()) {
                assertThat(databases()).isEqualTo(before + 1);
                assertThat(open()).isEqualTo(open);
            }
        }
        assertThat(databases()).isEqualTo(before);
        assertThat(registry.find("outcrop.memory").tag("database", directory.toString()).gauges()).isEmpty();
    }

    private double databases() {
        return registry.get("outcrop.databases").gauge().value();
    }

    private double memory(String area) {
        return registry.get("outcrop.memory").tags("database", directory.toString(), "area", area).gauge().value();
    }

    private double open() {
        return registry.get("outcrop.objects.open").tag("class", KeyValueIterator.class.getName()).gauge().value();
    }
}
