package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import dev.outcrop.testsupport.misuse.MisuseProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many calls, most of them wrong in some way, some from inside callbacks, some where the stack ends, crash nothing, hang nowhere, throw
 * nothing undocumented and leave no native memory behind. In the nightly run there are two million.
 */
@Tag("verify")
class MisuseRunTest {
    @TempDir
    private Path temporary;

    @Test
    void nothingThatIsCalledEndsTheProcess() throws Exception {
        MisuseProgram.Outcome outcome = MisuseProgram.run(MisuseRun.class, temporary, MisuseRun.THREADS,
                TestSize.choose("outcrop.misuse.calls", 5000, 2_000_000));

        assertThat(outcome.exitCode()).as(outcome.report()).isZero();
        assertThat(outcome.output()).contains("done");
        if (TestSize.isNightly()) {
            // Whatever is public is called, also what nobody has thought of here; but for a few of which there was no object this time.
            assertThat(outcome.output()).containsPattern("never called: \\d\\d?,");
        }
    }
}
