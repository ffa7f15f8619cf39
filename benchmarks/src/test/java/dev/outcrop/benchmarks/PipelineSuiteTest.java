package dev.outcrop.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("verify")
class PipelineSuiteTest extends SuiteRun {
    @Test
    void measuresAPipelineOnTheRealEngine() throws IOException {
        Path json = directory.resolve("pipeline.json");

        // Sides that do not write all records fail.
        assertThat(run("pipeline", "--only", "ingest, 1 KB", "--json", json.toString())).as(err.toString()).isZero();

        assertThat(rows(json)).hasSize(1).allSatisfy(SuiteRun::requireSane)
                .allSatisfy(
                        row -> assertThat(row).containsEntry("suite", "pipeline").containsEntry("subject", "pipeline")
                                .containsEntry("peerName", "Chronicle, rocksdbjni"));
    }
}
