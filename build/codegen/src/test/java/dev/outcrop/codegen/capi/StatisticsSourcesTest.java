package dev.outcrop.codegen.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatisticsSourcesTest {

    @TempDir
    private Path directory;

    @Test
    void writesEnumsWithNumbersAndNames() throws IOException {
        StatisticsFacts facts = StatisticsFacts.read(Tables.STATISTICS);

        assertThat(CounterEnumSource.tickers(facts).text()).contains("public enum Ticker {",
                "BLOCK_CACHE_HIT(1, \"rocksdb.block.cache.hit\"),", "NUMBER_KEYS_WRITTEN(").doesNotContain("ENUM_MAX");
        assertThat(CounterEnumSource.histograms(facts).text()).contains("DB_GET(0, \"rocksdb.db.get.micros\"),");
    }

    @Test
    void takesPerfMetricsFromTheCApiAndLevelsFromTheCxxHeader() throws IOException {
        assertThat(CounterEnumSource.perfMetrics(Tables.real()).text())
                .contains("USER_KEY_COMPARISON_COUNT(0, \"user_key_comparison_count\"),")
                .doesNotContain("TOTAL_METRIC");
        assertThat(new PerfLevelSource(StatisticsFacts.read(Tables.STATISTICS)).text()).contains("    DISABLE(1),",
                "    ENABLE_TIME_AND_CPU_TIME_EXCEPT_FOR_MUTEX(5),", "    ENABLE_TIME(6);");
    }

    @Test
    void writesThePropertiesWithTheKindOfTheirValues() throws IOException {
        assertThat(new PropertySource(StatisticsFacts.read(Tables.STATISTICS)).text())
                .contains("/** The property {@code rocksdb.estimate-num-keys}, a number. */")
                .contains("String ESTIMATE_NUM_KEYS = \"rocksdb.estimate-num-keys\";")
                .contains("rocksdb.num-files-at-level}; append a level's number.");
    }

    @Test
    void namesTheRowThatItCannotRead() throws IOException {
        Path table = directory.resolve("statistics.tsv");
        Files.writeString(table, "version\t1\nticker\tA\tone\ta\n");

        assertThatThrownBy(() -> StatisticsFacts.read(table)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("statistics.tsv:2:").hasMessageContaining("ticker\tA");
    }
}
