package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.HistogramData;
import org.rocksdb.HistogramType;
import org.rocksdb.Options;
import org.rocksdb.PerfContext;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.StatisticsCollector;
import org.rocksdb.StatisticsCollectorCallback;
import org.rocksdb.StatsCollectorInput;
import org.rocksdb.TickerType;

/** What is counted, and that it is what the published jar counts. */
class StatisticsTest {

    @TempDir
    Path directory;

    @Tag("verify")
    @Test
    void theSameWorkCountsAsInThePublishedJar() throws Exception {
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path ours = Files.createDirectory(directory.resolve("ours"));
        Map<String, String> published = PublishedJvm.run(StatisticsReport.class, directory, theirs.toString());
        assertThat(published).hasSizeGreaterThan(300);
        Map<String, String> wrong = new TreeMap<>();
        StatisticsReport.report(ours).forEach((key, value) -> {
            if (!value.equals(published.get(key))) {
                wrong.put(key, "published " + published.get(key) + ", here " + value);
            }
        });
        assertThat(wrong).isEmpty();
    }

    @Test
    void anIgnoredHistogramReadsAsEmpty() throws RocksDBException {
        try (Statistics statistics = new Statistics(EnumSet.of(HistogramType.BYTES_PER_WRITE));
                Options options = new Options().setCreateIfMissing(true).setStatistics(statistics);
                RocksDB db = RocksDB.open(options, directory.resolve("db").toString())) {
            db.put(new byte[1], new byte[1]);
            db.get(new byte[1]);
            assertThat(statistics.getHistogramData(HistogramType.BYTES_PER_WRITE).getCount()).isZero();
            assertThat(statistics.getHistogramData(HistogramType.BYTES_PER_READ).getCount()).isOne();
        }
    }

    @Test
    void aCollectorTellsWhatWasCounted() throws Exception {
        try (Statistics statistics = new Statistics();
                Options options = new Options().setCreateIfMissing(true).setStatistics(statistics);
                RocksDB db = RocksDB.open(options, directory.resolve("db").toString())) {
            db.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
            List<TickerType> tickers = new ArrayList<>();
            AtomicReference<HistogramData> written = new AtomicReference<>();
            CountDownLatch rounds = new CountDownLatch(2);
            StatisticsCollector collector = new StatisticsCollector(
                    List.of(new StatsCollectorInput(statistics, new StatisticsCollectorCallback() {
                        @Override
                        public void tickerCallback(TickerType type, long count) {
                            tickers.add(type);
                        }

                        @Override
                        public void histogramCallback(HistogramType type, HistogramData data) {
                            if (type == HistogramType.BYTES_PER_WRITE) {
                                written.set(data);
                                rounds.countDown();
                            }
                        }
                    })), 1);
            collector.start();
            assertThat(rounds.await(1, TimeUnit.MINUTES)).isTrue();
            collector.shutDown(60_000);
            assertThat(written.get().getCount()).isOne();
            assertThat(tickers).contains(TickerType.BYTES_WRITTEN).doesNotContain(TickerType.TICKER_ENUM_MAX);
        }
    }

    @Test
    void aClosedOneIsRefused() {
        Statistics statistics = new Statistics();
        statistics.close();
        statistics.close();
        assertRefused(() -> statistics.getTickerCount(TickerType.BYTES_WRITTEN));
        assertRefused(statistics::toString);
        assertRefused(() -> new Statistics(statistics));
        try (Options options = new Options()) {
            assertRefused(() -> options.setStatistics(statistics));
            assertThat(options.statistics()).isNull();
        }
    }

    @Test
    void theCountersOfAnotherThreadAreRefused() throws Exception {
        try (RocksDB db = RocksDB.open(directory.resolve("db").toString())) {
            AtomicReference<PerfContext> other = new AtomicReference<>();
            Thread thread = new Thread(() -> other.set(db.getPerfContext()));
            thread.start();
            thread.join();
            assertThatThrownBy(() -> other.get().getBlockReadCount()).isInstanceOf(IllegalStateException.class);
            assertThat(db.getPerfContext().getBlockReadCount()).isNotNegative();
        }
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfAny(IllegalStateException.class, AssertionError.class);
    }
}
