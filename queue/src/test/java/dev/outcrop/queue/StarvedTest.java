package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Virtual threads that do not get a carrier, because others keep all of them, must not be waited for by these. */
@Timeout(300)
@Tag("verify")
class StarvedTest {
    @TempDir
    private Path temporary;

    @ParameterizedTest
    @OneOf(2)
    @ValueSource(strings = {"seek", "clock"})
    void nobodyWaitsForAThreadThatGetsNoCarrier(String what) throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Djdk.virtualThreadScheduler.parallelism=1")
                .option("-Djdk.virtualThreadScheduler.maxPoolSize=1")
                .run(StarvedProgram.class, what, temporary.resolve("queue"));

        assertThat(result.output()).isEqualToIgnoringNewLines("fine");
        assertThat(result.exitCode()).isZero();
    }
}
