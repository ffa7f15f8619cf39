package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("verify")
@Execution(ExecutionMode.CONCURRENT)
class DropinSuiteTest extends SuiteRun {
    @ParameterizedTest
    @ValueSource(strings = "put, WAL off, 2")
    void measuresOrgRocksdbOnBothLibraries(String only) throws IOException {
        List<Map<String, Object>> rows = measure("dropin", only);

        assertThat(rows).hasSize(1).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(row -> assertThat(row).containsEntry("suite", "dropin").containsEntry("subject", "outcrop")
                        .containsEntry("peerName", "rocksdbjni"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"multiGetAsList of 100, 1", "get, comparator in Java", "Kafka's store: put 100, flush",
            "Kafka's window store: fetch", "get, 64 KB", "scan, 100 B", "range of 20, n", "put, WAL off, 1",
            "batch of 10, b",
            "Kafka's store: get", "Kafka's store: restore"})
    @Tag("nightly")
    void measuresMoreOfOrgRocksdb(String only) throws IOException {
        measuresOrgRocksdbOnBothLibraries(only);
    }
}
