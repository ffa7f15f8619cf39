package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A comparator that begins to throw at any time loses no acknowledged write. It neither ends the process nor makes a call hang.
 *
 * <p>A comparator that begins to lie can lose writes and end the process; {@code docs/callbacks.md} says when. The test fails if writes are
 * lost although no call was refused, or if many processes end. It prints losses and ends.
 *
 * <p>The course of a database depends on its seed and on the threads. {@code mvn verify} has 11 databases, one for each kind of failure
 * that throws. The nightly run has more, and uses each of them for longer.
 */
@Tag("verify")
class FailingComparatorsProgramTest extends DatabaseTest {
    private static final int DATABASES = TestSize.choose("outcrop.failing.databases", 11, 600);
    private static final int LIARS = TestSize.choose("outcrop.failing.liars", 40, 400);
    private static final Pattern LIAR = Pattern.compile("[A-Z_]+, seed (\\d+)");
    /** 128 and the number of the signal. */
    private static final int ABORTED = 128 + 6;
    private static final int SEGMENTATION_FAULT = 128 + 11;

    @Test
    void nothingThatWasAcknowledgedIsLost() throws Exception {
        long seed = TestSize.seed(getClass());

        ChildJvm.Result result = ChildJvm.shortLived().run(FailingComparators.class, directory, seed, DATABASES);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).endsWith("done\n");
    }

    @Tag("nightly")
    @Test
    void oneThatLiesLosesNothingUnlessACallWasRefused() throws Exception {
        long seed = TestSize.seed(getClass());
        int left = LIARS;
        int ended = 0;
        while (left > 0) {
            ChildJvm.Result result = ChildJvm.shortLived().run(FailingComparators.class, directory, seed, left,
                    "liars");
            result.output().lines().filter(line -> line.startsWith("lost")).forEach(System.out::println);
            if (result.exitCode() == 0) {
                break;
            }
            assertThat(result.exitCode()).as(result.output()).isIn(ABORTED, SEGMENTATION_FAULT);
            List<String> begun = result.output().lines().filter(line -> LIAR.matcher(line).matches()).toList();
            System.out.println("ended with " + result.exitCode() + ": " + begun.getLast());
            left -= begun.size();
            ended++;
            seed = Long.parseLong(LIAR.matcher(begun.getLast()).replaceFirst("$1")) + 1;
        }
        assertThat(ended).isLessThanOrEqualTo(LIARS / 20);
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
