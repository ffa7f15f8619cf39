package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A comparator that begins to throw at any time loses nothing that was acknowledged, and neither ends the process nor has a call wait for
 * ever. Nor does one that begins to contradict itself, but it may lose something after all, which {@code docs/callbacks.md} says: such a
 * loss is counted and printed, and is a failure only if no call has been refused. It prints its seed; {@code -Doutcrop.failing.seed=…} uses
 * other databases, {@code -Doutcrop.failing.databases=…} another number of them. What a seed leads to depends on the threads too.
 *
 * <p>Each build has the same 11, one for each kind of failure that throws. The profile {@code long} has 600, others each time, and liars
 * among them, which {@code -Doutcrop.failing.liars=true} lets into any run.
 */
class FailingComparatorsProgramTest {
    private static final int DATABASES = Integer.getInteger("outcrop.failing.databases", 11);

    @TempDir
    private Path directory;

    @Test
    void nothingThatWasAcknowledgedIsLost() throws Exception {
        long seed = Long.getLong("outcrop.failing.seed",
                Boolean.getBoolean("outcrop.failing.liars") ? new Random().nextInt() : 1);
        System.out.println("FailingComparatorsProgramTest: seed " + seed);

        ChildJvm.Result result = ChildJvm.shortLived().limit(Duration.ofSeconds(ChildJvm.MOST_SECONDS + 3L * DATABASES))
                .run(FailingComparators.class, directory, seed, DATABASES);
        // Losses of liars are no failure, but somebody should see them.
        result.output().lines().filter(line -> line.startsWith("lost")).forEach(System.out::println);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).endsWith("done\n");
    }
}
