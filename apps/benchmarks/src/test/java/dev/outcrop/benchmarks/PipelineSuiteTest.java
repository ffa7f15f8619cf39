package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("verify")
class PipelineSuiteTest extends SuiteRun {
    @Test
    void measuresAPipelineOnTheRealEngine() throws IOException {
        // Two starts: the second one finds the files of the first one.
        List<Map<String, Object>> rows = measure(TINY.withRounds(3), "pipeline", "ingest, 1 KB");

        assertThat(rows).hasSize(1).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(
                        row -> assertThat(row).containsEntry("suite", "pipeline").containsEntry("subject", "pipeline")
                                .containsEntry("peerName", "Chronicle, rocksdbjni"));
    }
}
