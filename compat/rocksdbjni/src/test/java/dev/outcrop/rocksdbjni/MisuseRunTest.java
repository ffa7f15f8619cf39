package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import dev.outcrop.testsupport.misuse.MisuseProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Calls of all that is public in {@code org.rocksdb}, most of them wrong in some way, crash nothing, hang nowhere, throw nothing that
 * programs do not expect and leave no native memory behind.
 */
@Tag("verify")
class MisuseRunTest extends DatabaseTest {
    private static final int CALLS = TestSize.choose("outcrop.misuse.calls", 8_000, 2_000_000);

    @Test
    void nothingThatIsCalledEndsTheProcess() throws Exception {
        MisuseProgram.Outcome outcome = MisuseProgram.run(MisuseRun.class, directory, MisuseRun.THREADS, CALLS);

        assertThat(outcome.exitCode()).as(outcome.report()).isZero();
        assertThat(outcome.output()).contains("done");
    }
}
