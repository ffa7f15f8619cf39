package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StatisticsTest extends DatabaseTest {
    private static final MemorySegment KEY = Bytes.inNative(Bytes.of("key"));

    /** A wrong number in the enums would show: many counters have different values after this. */
    @Test
    void tickersAndHistogramsAreThoseThatRocksDbPrints() {
        RocksDB db = closeLater(RocksDB.open(directory, counting()));
        work(db);
        Statistics statistics = statistics(db);
        statistics.level(StatsLevel.DISABLE_ALL); // no more changes while the two are compared
        Map<String, List<String>> printed = printed(statistics);

        for (Ticker ticker : Ticker.values()) {
            assertThat(printed.remove(ticker.rocksdbName())).as(ticker.name())
                    .isEqualTo(List.of("COUNT", ":", Long.toString(statistics.ticker(ticker))));
        }
        for (Histogram histogram : Histogram.values()) {
            HistogramData data = statistics.histogram(histogram);
            assertThat(printed.remove(histogram.rocksdbName())).as(histogram.name())
                    .containsSubsequence("P100", ":", String.format(Locale.ROOT, "%f", data.max()), "COUNT", ":",
                            Long.toString(data.count()), "SUM", ":", Long.toString(data.sum()));
        }
        assertThat(printed).as("printed, and unknown here").isEmpty();
        assertThat(Arrays.stream(Ticker.values()).map(statistics::ticker).distinct().count()).isGreaterThan(15);
    }

    @Test
    void countsOperations() {
        RocksDB db = closeLater(RocksDB.open(directory, counting()));
        Statistics statistics = statistics(db);
        long before = statistics.ticker(Ticker.NUMBER_KEYS_WRITTEN);
        for (int i = 0; i < 7; i++) {
            db.put(KEY, KEY);
        }

        assertThat(statistics.ticker(Ticker.NUMBER_KEYS_WRITTEN) - before).isEqualTo(7);
        HistogramData written = statistics.histogram(Histogram.BYTES_PER_WRITE);
        assertThat(written.count()).isEqualTo(7);
        assertThat(written.min()).isEqualTo(written.max()).isGreaterThan(6);
        assertThat(written.sum()).isEqualTo((long) (7 * written.max()));
        assertThat(written.average()).isEqualTo(written.max());
        assertThat(written.standardDeviation()).isZero();
        assertThat(written.median()).isLessThanOrEqualTo(written.p95()).isLessThanOrEqualTo(written.p99());
        assertThat(statistics.histogram(Histogram.DB_MULTIGET).count()).isZero();
    }

    @Test
    void levelCanChangeWhileTheDatabaseIsOpen() {
        RocksDB db = closeLater(RocksDB.open(directory, counting().statisticsLevel(StatsLevel.ALL)));
        Statistics statistics = statistics(db);
        assertThat(statistics.level()).isEqualTo(StatsLevel.ALL);

        assertThat(statistics.level(StatsLevel.DISABLE_ALL)).isSameAs(statistics);
        db.put(KEY, KEY);

        assertThat(statistics.level()).isEqualTo(StatsLevel.DISABLE_ALL);
        assertThat(statistics.ticker(Ticker.NUMBER_KEYS_WRITTEN)).isZero();
    }

    @Test
    void thereAreNoneIfTheyWereNotEnabled() {
        RocksDB db = open();
        assertThat(db.statistics()).isNull();
    }

    @Test
    void staysReadableAfterTheDatabaseIsClosedAndTheOptionsGotOthers() {
        Options options = counting();
        RocksDB db = RocksDB.open(directory, options);
        Statistics statistics = statistics(db);
        db.put(KEY, KEY);
        options.enableStatistics();
        db.close();

        assertThat(statistics.ticker(Ticker.NUMBER_KEYS_WRITTEN)).isEqualTo(1);
        assertThat(statistics(db)).isSameAs(statistics);
    }

    @Test
    void databasesWithTheSameOptionsCountTogether() {
        Options options = counting();
        RocksDB one = closeLater(RocksDB.open(directory.resolve("one"), options));
        RocksDB two = closeLater(RocksDB.open(directory.resolve("two"), options));
        one.put(KEY, KEY);
        two.put(KEY, KEY);

        assertThat(statistics(one).ticker(Ticker.NUMBER_KEYS_WRITTEN)).isEqualTo(2);
        assertThat(statistics(two).ticker(Ticker.NUMBER_KEYS_WRITTEN)).isEqualTo(2);
    }

    static void work(RocksDB db) {
        for (int i = 0; i < 1_000; i++) {
            db.put(MemorySegment.ofArray(Bytes.of("key" + i)), MemorySegment.ofArray(Bytes.random(i, 1 + i % 500)));
        }
        db.flush();
        for (int i = 0; i < 1_500; i++) {
            db.get(Bytes.of("key" + i));
        }
        db.delete(MemorySegment.ofArray(Bytes.of("key1")));
        int[] left = {37};
        db.scan((_, _) -> left[0]-- > 0);
        db.compact();
    }

    private static Options counting() {
        return create().enableStatistics();
    }

    private static Statistics statistics(RocksDB db) {
        return Objects.requireNonNull(db.statistics());
    }

    private static Map<String, List<String>> printed(Statistics statistics) {
        Map<String, List<String>> printed = new HashMap<>();
        for (String line : statistics.toString().split("\n", -1)) {
            if (!line.isBlank()) {
                String[] words = line.split(" ", -1);
                printed.put(words[0], List.of(words).subList(1, words.length));
            }
        }
        return printed;
    }
}
