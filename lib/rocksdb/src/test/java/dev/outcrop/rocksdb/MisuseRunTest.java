package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import dev.outcrop.testsupport.misuse.MisuseProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many calls, most of them wrong in some way, some from inside callbacks, some where the stack ends, crash nothing, hang nowhere, throw
 * nothing undocumented and leave no native memory behind. In the nightly run there are two million.
 */
@Tag("verify")
class MisuseRunTest extends DatabaseTest {
    @Test
    void nothingThatIsCalledEndsTheProcess() throws Exception {
        MisuseProgram.Outcome outcome = MisuseProgram.run(MisuseRun.class, directory, MisuseRun.THREADS,
                TestSize.choose("outcrop.misuse.calls", 5000, 2_000_000));

        assertThat(outcome.exitCode()).as(outcome.report()).isZero();
        assertThat(outcome.output()).contains("done");
        if (TestSize.isNightly()) {
            // All public methods are called, except a few of classes without an object this time.
            assertThat(outcome.output()).containsPattern("never called: \\d\\d?,");
        }
    }
}
