package dev.outcrop.benchmarks.lmdb;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.benchmarks.harness.InProcessComparison;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.UnavailableException;
import dev.outcrop.benchmarks.lmdb.LmdbCase.LmdbWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("verify")
class LmdbMissingTest {
    @TempDir
    Path directory;

    @Test
    void aLibraryThatCannotBeLoadedIsAMissingPeer() {
        LmdbWorkload workload = new LmdbWorkload(new LmdbCase(true, 16), 200, directory,
                InProcessComparison.Plan.of(Duration.ZERO, Duration.ZERO), null);
        List<String> arguments = new ArrayList<>(Settings.define(workload));
        arguments.addAll(LmdbCase.jvmArgs(directory));
        arguments.add("-Dlmdbjava.native.lib=" + directory.resolve("absent.so"));
        JavaProgram program = new JavaProgram(LmdbRun.class, arguments);

        assertThatThrownBy(() -> program.start(1)).isInstanceOf(UnavailableException.class)
                .hasMessageStartingWith("LMDB cannot be loaded on this machine: ").hasMessageContaining("absent.so");
    }
}
