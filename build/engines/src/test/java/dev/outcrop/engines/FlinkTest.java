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
 * Flink's state is the same on our {@code org.rocksdb} as on Flink's own jar, after a failure, incremental checkpoints, savepoints and changes
 * of the parallelism.
 */
@Tag("verify")
class FlinkTest {
    @TempDir
    Path directory;

    @Test
    void stateIsTheSame() throws Exception {
        EngineProgram program = EngineProgram.of("flink", "FlinkProgram", directory);
        Object[] runs = TestSize.isNightly() ? new Object[]{40_000, 1, 2, 1, 2} : new Object[]{20_000, 1, 2};
        ChildJvm.Running flinks = program.on(List.of(Path.of(System.getProperty("frocksdb.jar"))),
                arguments("flinks", runs));
        List<String> ours = EngineProgram.lines(program.onOurs(arguments("ours", runs)));
        assertThat(ours).hasSize(101).contains("> failures 1").isEqualTo(EngineProgram.lines(flinks));
    }

    private Object[] arguments(String name, Object[] runs) {
        List<Object> arguments = new ArrayList<>(List.of(directory.resolve(name)));
        arguments.addAll(List.of(runs));
        return arguments.toArray();
    }
}
