package dev.outcrop.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stores of BookKeeper, Infinispan, JRaft, RocketMQ, Samza, Storm and Zeebe hold the same on our {@code org.rocksdb} as on the published
 * one;
 * in the nightly run each reads what the other has written, too.
 */
@Tag("verify")
class ProgramsTest {
    private static final List<String> ENGINES = List.of("bookkeeper", "infinispan", "jraft", "rocketmq", "samza",
            "storm", "zeebe");

    @TempDir
    Path directory;

    @Test
    void storesHoldTheSame() throws Exception {
        EngineProgram program = EngineProgram.of("stores", "StoresProgram", directory);
        ChildJvm.Running published = program.onPublished(arguments("published", ENGINES));
        List<String> ours = EngineProgram.lines(program.onOurs(arguments("ours", ENGINES)));
        assertThat(ours).contains("> Default filled 379 -204958363", "> filled 301 to 1801 1914565725",
                "> filled topics 501 1653190095 topic 722", "> filled 1500 -123228769 0 0 true 63.0",
                "> filled JOBS 1009 877729104", "> filled 0 1333 1333 -496308231 value 7 of 0")
                .isEqualTo(EngineProgram.lines(published));

        if (!TestSize.isNightly()) {
            return;
        }
        ChildJvm.Running other = program.onPublished(arguments("ours", ENGINES));
        assertThat(EngineProgram.lines(program.onOurs(arguments("published", ENGINES)))).hasSizeGreaterThan(30)
                .isEqualTo(EngineProgram.lines(other));
    }

    /** With the published jar BookKeeper calls a method that is no longer there. */
    @Test
    @Tag("nightly")
    void bookKeeperReadsAFileOfOptions() throws Exception {
        EngineProgram program = EngineProgram.of("stores", "StoresProgram", directory);
        List<String> engines = List.of("bookkeeper", "bookkeeper-options");
        assertThat(EngineProgram.lines(program.onOurs(arguments("ours", engines))))
                .containsSubsequence("> bookkeeper-options", "> EntryLocation filled 379 -204958363",
                        "> EntryLocation opened 379 -204958363");
    }

    private Object[] arguments(String name, List<String> engines) {
        List<Object> arguments = new ArrayList<>(List.of(directory.resolve(name)));
        arguments.addAll(engines);
        return arguments.toArray();
    }
}
