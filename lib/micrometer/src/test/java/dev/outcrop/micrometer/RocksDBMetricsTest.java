package dev.outcrop.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.Histogram;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.Property;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.Ticker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksDBMetricsTest {
    private static final MemorySegment KEY = MemorySegment.ofArray("key".getBytes(UTF_8));
    private static final MemorySegment VALUE = MemorySegment.ofArray(new byte[100_000]);

    @TempDir
    private Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void showsTickersAndHistograms() {
        try (RocksDB db = open(new Options().enableStatistics())) {
            bind(db);
            db.put(KEY, VALUE);
            db.put(KEY, VALUE);

            assertThat(registry.get(Ticker.NUMBER_KEYS_WRITTEN.rocksdbName()).tag("database", "test").functionCounter()
                    .count()).isEqualTo(2);
            String written = Histogram.BYTES_PER_WRITE.rocksdbName();
            assertThat(registry.get(written + ".count").functionCounter().count()).isEqualTo(2);
            assertThat(registry.get(written + ".sum").functionCounter().count()).isBetween(200_000.0, 201_000.0);
            assertThat(registry.get(written + ".max").gauge().value()).isBetween(100_000.0, 101_000.0);
            assertThat(registry.get(written).tag("phi", "0.99").gauge().value()).isPositive();
            assertThat(registry.find(Ticker.BYTES_READ.rocksdbName()).functionCounters()).hasSize(1);
        }
    }

    @Test
    void showsPropertiesMemoryAndPins() {
        try (RocksDB db = open(new Options().pinBudget(1 << 20))) {
            bind(db);
            db.put(KEY, VALUE);

            assertThat(registry.get("rocksdb.num.entries.active.mem.table").tag("column.family", "default").gauge()
                    .value()).isEqualTo(1);
            assertThat(registry.get("rocksdb.memory").tag("area", "memtables").gauge().value())
                    .isGreaterThanOrEqualTo(100_000);
            assertThat(registry.get("rocksdb.memory").tag("area", "block.cache").gauge().value())
                    .isGreaterThanOrEqualTo(registry.get("rocksdb.memory").tag("area", "block.cache.pinned").gauge()
                            .value());
            assertThat(registry.find("rocksdb.memory").gauges()).hasSize(5)
                    .allSatisfy(gauge -> assertThat(gauge.value()).isNotNegative());
            assertThat(registry.get("rocksdb.pin.budget").gauge().value()).isEqualTo(1 << 20);
            assertThat(registry.get("rocksdb.pinned").gauge().value()).isZero();
            try (PinnedSlice _ = db.getPinned(KEY)) {
                assertThat(registry.get("rocksdb.pinned").gauge().value()).isPositive();
            }
            assertThat(registry.find(Property.TOTAL_SST_FILES_SIZE.replace('-', '.')).gauge()).isNull();
            assertThat(registry.find(Ticker.BYTES_READ.rocksdbName()).meters()).as("without statistics").isEmpty();
        }
    }

    @Test
    void saysNothingAboutAClosedDatabase() {
        RocksDB db = open(new Options().enableStatistics());
        bind(db);
        db.put(KEY, VALUE);
        db.close();

        assertThat(registry.getMeters()).filteredOn(Gauge.class::isInstance).hasSizeGreaterThan(200)
                .allSatisfy(gauge -> assertThat(((Gauge) gauge).value()).isNaN());
        assertThat(registry.get(Ticker.NUMBER_KEYS_WRITTEN.rocksdbName()).functionCounter().count()).isEqualTo(1);
    }

    @Test
    void showsTheDatabaseThatWasBoundLast() {
        for (int i = 1; i <= 2; i++) {
            try (RocksDB db = open(new Options().enableStatistics())) {
                bind(db);
                db.put(KEY, VALUE);

                assertThat(registry.get(Ticker.NUMBER_KEYS_WRITTEN.rocksdbName()).functionCounter().count())
                        .isEqualTo(1);
                assertThat(registry.get("rocksdb.memory").tag("area", "memtables").gauge().value()).isPositive();
                assertThat(registry.get("rocksdb.num.entries.active.mem.table").gauge().value()).isEqualTo(1);
            }
        }
    }

    private RocksDB open(Options options) {
        return RocksDB.open(directory, options.createIfMissing(true));
    }

    private void bind(RocksDB db) {
        new RocksDBMetrics(db, Tags.of("database", "test")).bindTo(registry);
    }
}
