package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thread that has no stack left may leave the queue poisoned, and no more than that: no record is lost whose append has returned, no
 * acknowledgement, and the queue closes and opens again. Tries one depth of some, and each one in the nightly run.
 */
@Tag("verify")
class StackEndTest {
    @TempDir
    private Path temporary;

    @ParameterizedTest
    @CsvSource("-Xint,1,platform")
    void nothingIsLostAndTheQueueClosesAndOpensAgain(String compiler, int warmUp, String threads) throws Exception {
        long seed = TestSize.seed(getClass());
        assertThat(ChildJvm.withNativeAccess().option(compiler)
                // Stack traces, and HotSpot's work at each frame when a stack ends, take time.
                .option("-XX:MaxJavaStackTraceDepth=24").option("-Xss400k")
                // So that frames are not larger than the calls in them.
                .option("-XX:CompileCommand=quiet").option("-XX:CompileCommand=exclude,dev.outcrop.queue.StackEnds::*")
                .option("-D" + StackEnds.ONE_OF_PROPERTY + "=" + TestSize.choose(StackEnds.ONE_OF_PROPERTY, 6, 1))
                .lines(StackEndProgram.class, temporary.resolve("queue"), seed, warmUp, threads)).as("seed %d", seed)
                .containsExactly("fine");
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"-Xint,25,virtual", "-Xmixed,25000,virtual", "-XX:TieredStopAtLevel=1,25000,platform",
            "-Xmixed,0,platform"})
    void alsoInOtherWays(String compiler, int warmUp, String threads) throws Exception {
        nothingIsLostAndTheQueueClosesAndOpensAgain(compiler, warmUp, threads);
    }
}
