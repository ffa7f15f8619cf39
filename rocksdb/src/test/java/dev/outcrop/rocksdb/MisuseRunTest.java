package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.misuse.MisuseProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 200,000 calls, most of them wrong in some way, some from inside callbacks, some where the stack ends, crash nothing, hang nowhere,
 * throw nothing undocumented and leave no native memory behind. With the profile {@code long} it is two million.
 */
class MisuseRunTest {
    @TempDir
    private Path temporary;

    @Test
    void nothingThatIsCalledEndsTheProcess() throws Exception {
        MisuseProgram.Outcome outcome = MisuseProgram.run(MisuseRun.class, temporary, MisuseRun.THREADS, 100_000);

        assertThat(outcome.exitCode()).as(outcome.report()).isZero();
        // Whatever is public is called, also what nobody has thought of here; but for a few of which there was no object this time.
        assertThat(outcome.output()).containsPattern("never called: \\d\\d?,").contains("done");
    }
}
