package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A comparator that begins to throw at any time loses nothing that was acknowledged, and neither ends the process nor lets a call wait
 * without an end. Nor does one that begins to contradict itself, but it may lose something after all, which {@code docs/callbacks.md} says:
 * such a loss is counted and printed, and is a failure only if no call has been refused. What a seed leads to depends on the threads too.
 *
 * <p>Each build has 11 databases, one for each kind of failure that throws. The nightly run has 600, with liars among them, and uses each
 * for longer; {@code -Doutcrop.failing.databases=…} makes another number of them.
 */
@Tag("verify")
class FailingComparatorsProgramTest extends DatabaseTest {
    private static final int DATABASES = TestSize.choose("outcrop.failing.databases", 11, 600);

    @Test
    void nothingThatWasAcknowledgedIsLost() throws Exception {
        long seed = TestSize.seed(getClass());

        ChildJvm.Result result = ChildJvm.shortLived().limit(Duration.ofSeconds(ChildJvm.MOST_SECONDS + 3L * DATABASES))
                .run(FailingComparators.class, directory, seed, DATABASES);
        // Losses of liars are no failure, but are printed.
        result.output().lines().filter(line -> line.startsWith("lost")).forEach(System.out::println);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).endsWith("done\n");
    }

    /** The comparator throws for the first time while {@code compactRange} chooses files on the calling thread. */
    @Test
    void noFileIsMovedNextToOneThatItOverlaps() throws Exception {
        ChildJvm.Result result = ChildJvm.shortLived().option("-Doutcrop.size=nightly").run(FailingComparators.class,
                directory, 961195273L, 1);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("1 of 1 have refused something, 0 have lost something").endsWith("done\n");
    }
}
