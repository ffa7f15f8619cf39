package dev.outcrop.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spark's state is the same on our {@code org.rocksdb}, also when Spark is killed and started again, as on the published one without being
 * killed.
 */
@Tag("nightly")
class SparkTest {
    private static final String BATCH = "a batch has ended";

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stateIsTheSame(boolean changelog) throws Exception {
        EngineProgram program = EngineProgram.of("spark", "SparkProgram", directory);
        List<String> published = afterFirstRun(program.onPublished(directory.resolve("published"), changelog));
        assertThat(published).hasSizeGreaterThan(41 + 2 + 40);

        for (int batches : new int[]{2, 6}) {
            ChildJvm.Running killed = program.onOurs(directory.resolve("ours"), changelog);
            while (killed.process().isAlive()
                    && Files.readString(killed.output()).split(BATCH, -1).length <= batches) {
                Thread.sleep(20);
            }
            assertThat(killed.process().isAlive()).isTrue();
            ChildJvm.kill(killed.process());
            killed.await();
        }
        assertThat(afterFirstRun(program.onOurs(directory.resolve("ours"), changelog))).isEqualTo(published);
    }

    /** Leaves out the counts of the first run: Spark shows none if it has counted all before it was killed. */
    private static List<String> afterFirstRun(ChildJvm.Running running) throws IOException, InterruptedException {
        List<String> lines = EngineProgram.lines(running);
        return lines.subList(lines.indexOf("> run 0"), lines.size());
    }
}
