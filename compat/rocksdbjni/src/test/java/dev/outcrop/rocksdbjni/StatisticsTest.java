package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
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

/** Statistics and performance counters. */
class StatisticsTest extends DatabaseTest {
    @Test
    void anIgnoredHistogramReadsAsEmpty() throws RocksDBException {
        Statistics statistics = closeLater(new Statistics(EnumSet.of(HistogramType.BYTES_PER_WRITE)));
        Options options = closeLater(new Options().setCreateIfMissing(true).setStatistics(statistics));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        db.put(new byte[1], new byte[1]);
        db.get(new byte[1]);
        assertThat(statistics.getHistogramData(HistogramType.BYTES_PER_WRITE).getCount()).isZero();
        assertThat(statistics.getHistogramData(HistogramType.BYTES_PER_READ).getCount()).isOne();
    }

    @Test
    void aCollectorReportsCounts() throws Exception {
        Statistics statistics = closeLater(new Statistics());
        Options options = closeLater(new Options().setCreateIfMissing(true).setStatistics(statistics));
        RocksDB db = closeLater(RocksDB.open(options, path()));
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

    @Test
    void aClosedOneIsRefused() {
        Statistics statistics = new Statistics();
        statistics.close();
        statistics.close();
        assertMisuse(() -> statistics.getTickerCount(TickerType.BYTES_WRITTEN));
        assertMisuse(statistics::toString);
        assertMisuse(() -> new Statistics(statistics));
        Options options = closeLater(new Options());
        assertMisuse(() -> options.setStatistics(statistics));
        assertThat(options.statistics()).isNull();
    }

    @Test
    void theCountersOfAnotherThreadAreRefused() throws Exception {
        RocksDB db = closeLater(RocksDB.open(path()));
        AtomicReference<PerfContext> other = new AtomicReference<>();
        Thread thread = new Thread(() -> other.set(db.getPerfContext()));
        thread.start();
        thread.join();
        assertThatThrownBy(() -> other.get().getBlockReadCount()).isInstanceOf(IllegalStateException.class);
        assertThat(db.getPerfContext().getBlockReadCount()).isNotNegative();
    }
}
