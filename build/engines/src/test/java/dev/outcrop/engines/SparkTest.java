package dev.outcrop.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's state is the same on our {@code org.rocksdb} as on the published one, also when Spark is killed and started again. */
@Tag("verify")
class SparkTest {
    private static final String BATCH = "a batch has ended";

    @TempDir
    Path directory;

    @Test
    void wordsAreCountedTheSame() throws Exception {
        EngineProgram program = EngineProgram.of("spark", "SparkProgram", directory);
        ChildJvm.Running published = program.onPublished(directory.resolve("published"), true, 0, 1, 2, false);
        List<String> ours = EngineProgram.lines(program.onOurs(directory.resolve("ours"), true, 0, 1, 2, false));
        assertThat(ours).hasSize(41).anyMatch(line -> line.contains("{\"value\":\"w0\"},\"value\":{\"count\":49}"))
                .isEqualTo(EngineProgram.lines(published));
    }

    /** In a third run, each goes on with the state of the other. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("nightly")
    void stateIsTheSameAfterKills(boolean changelog) throws Exception {
        EngineProgram program = EngineProgram.of("spark", "SparkProgram", directory);
        Path ours = directory.resolve("ours");
        Path published = directory.resolve("published");
        List<String> expected = EngineProgram.lines(program.onPublished(published, changelog, 0, 1, 5, true));
        assertThat(expected).hasSize(41 + 4 * 10);

        for (int batches : new int[]{2, 6}) {
            ChildJvm.Running killed = program.onOurs(ours, changelog, 0, 1, 5, true);
            while (killed.process().isAlive()
                    && Files.readString(killed.output()).split(BATCH, -1).length <= batches) {
                Thread.sleep(20);
            }
            assertThat(killed.process().isAlive()).isTrue();
            ChildJvm.kill(killed.process());
            killed.await();
        }
        assertThat(EngineProgram.lines(program.onOurs(ours, changelog, 0, 1, 5, true))).isEqualTo(expected);

        ChildJvm.Running other = program.onPublished(ours, changelog, 2, 2, 5, true);
        assertThat(EngineProgram.lines(program.onOurs(published, changelog, 2, 2, 5, true)))
                .hasSameSizeAs(expected).isNotEqualTo(expected).isEqualTo(EngineProgram.lines(other));
    }
}
