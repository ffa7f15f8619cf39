package dev.outcrop.rocksdb;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PerfContextTest extends DatabaseTest {
    @Test
    void countsTheWorkOfThisThreadFromTheStartOn() {
        RocksDB db = open();
        StatisticsTest.work(db);
        PerfContext perf = closeLater(PerfContext.start(PerfLevel.ENABLE_TIME));
        assertThat(perf.report()).isEmpty();
        db.get(Bytes.of("key7"));

        assertThat(perf.metric(PerfMetric.GET_READ_BYTES)).isEqualTo(8); // key 7 has a value of 8 bytes
        assertThat(perf.metric(PerfMetric.GET_FROM_OUTPUT_FILES_TIME)).isPositive();
        assertThat(perf.report()).contains("get_read_bytes = 8");

        perf.reset();
        assertThat(perf.metric(PerfMetric.GET_READ_BYTES)).isZero();
    }

    @Test
    void metricsAreThoseThatRocksDbPrints() {
        RocksDB db = open();
        PerfContext perf = closeLater(PerfContext.start(PerfLevel.ENABLE_TIME));
        StatisticsTest.work(db);
        Map<String, String> metrics = new TreeMap<>();
        for (PerfMetric metric : PerfMetric.values()) {
            if (perf.metric(metric) != 0) {
                metrics.put(metric.rocksdbName(), Long.toString(perf.metric(metric)));
            }
        }
        Map<String, String> printed = new TreeMap<>();
        for (String pair : perf.report().split(", ", -1)) {
            String[] nameAndValue = pair.split(" = ", -1);
            if (nameAndValue.length == 2) {
                printed.put(nameAndValue[0], nameAndValue[1]);
            }
        }

        assertThat(metrics).hasSizeGreaterThan(15);
        assertThat(printed).containsAllEntriesOf(metrics);
    }

    @Test
    void countsTimesOnlyAtTheLevelsForThem() {
        RocksDB db = open();
        StatisticsTest.work(db);
        try (PerfContext perf = PerfContext.start(PerfLevel.ENABLE_COUNT)) {
            db.get(Bytes.of("key7"));
            assertThat(perf.metric(PerfMetric.GET_FROM_OUTPUT_FILES_TIME)).isZero();
            assertThat(perf.metric(PerfMetric.GET_READ_BYTES)).isEqualTo(8);
        }
        PerfContext perf = closeLater(PerfContext.start(PerfLevel.DISABLE));
        db.get(Bytes.of("key7"));
        assertThat(perf.metric(PerfMetric.GET_READ_BYTES)).isZero();
    }

    @Test
    void belongsToTheThreadThatStartedIt() {
        RocksDB db = open();
        PerfContext perf = closeLater(PerfContext.start(PerfLevel.ENABLE_COUNT));
        StatisticsTest.work(db);
        perf.reset();
        onThread(Thread.ofPlatform(), () -> {
            db.get(Bytes.of("key7"));
            assertThatThrownBy(() -> perf.metric(PerfMetric.GET_READ_BYTES))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("cannot be used by");
            assertThatThrownBy(perf::report).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(perf::reset).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(perf::close).isInstanceOf(IllegalStateException.class);
        });

        assertThat(perf.metric(PerfMetric.GET_READ_BYTES)).isZero();
    }

    @Test
    void refusesVirtualThreads() {
        onThread(Thread.ofVirtual(), () -> assertThatThrownBy(() -> PerfContext.start(PerfLevel.ENABLE_COUNT))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("platform thread"));
    }

    @Test
    void refusesASecondOneAndUseAfterClose() {
        PerfContext perf = PerfContext.start(PerfLevel.ENABLE_COUNT);
        assertThatThrownBy(() -> PerfContext.start(PerfLevel.ENABLE_TIME)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not closed yet");
        perf.close();
        perf.close();

        assertThatThrownBy(perf::report).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        PerfContext.start(PerfLevel.ENABLE_TIME).close();
    }

    private static void onThread(Thread.Builder threads, Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        threads.start(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        done.join();
    }
}
