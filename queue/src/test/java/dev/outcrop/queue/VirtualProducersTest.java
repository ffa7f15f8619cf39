package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
@Tag("verify")
class VirtualProducersTest {
    @TempDir
    private Path temporary;

    /** Writing keeps the carrier: a thread that is to share a write must get it before. */
    @Test
    void virtualThreadsShareWritesThoughTheyHaveOneCarrier() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Djdk.virtualThreadScheduler.parallelism=1")
                .option("-Djdk.virtualThreadScheduler.maxPoolSize=1")
                .run(OneCarrierProgram.class, temporary.resolve("queue"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(Integer.parseInt(result.output().strip()))
                .isLessThan(OneCarrierProgram.PRODUCERS * OneCarrierProgram.RECORDS / 2);
    }

    /** They never wait, so they keep the carrier. */
    @Test
    void queueIsClosedAlthoughVirtualThreadsAppendWithoutAPause() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Djdk.virtualThreadScheduler.parallelism=1")
                .option("-Djdk.virtualThreadScheduler.maxPoolSize=1")
                .run(CloseWhileAppendingProgram.class, temporary.resolve("queue"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("closed");
    }
}
