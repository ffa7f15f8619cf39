package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import dev.outcrop.testsupport.misuse.MisuseProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls of all that is public in {@code org.rocksdb}, most of them wrong in some way, crash nothing, hang nowhere, throw nothing that
 * programs do not expect and leave no native memory behind.
 */
@Tag("verify")
class MisuseRunTest {
    private static final int CALLS = TestSize.choose("outcrop.misuse.calls", 8_000, 2_000_000);

    @TempDir
    private Path temporary;

    @Test
    void nothingThatIsCalledEndsTheProcess() throws Exception {
        MisuseProgram.Outcome outcome = MisuseProgram.run(MisuseRun.class, temporary, MisuseRun.THREADS, CALLS);

        assertThat(outcome.exitCode()).as(outcome.report()).isZero();
        assertThat(outcome.output()).contains("done");
    }
}
