package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A comparator that begins to throw or to contradict itself at any time loses nothing that was acknowledged, and neither ends the process
 * nor has a call wait for ever. Each run uses other databases; it prints its seed, {@code -Doutcrop.failing.seed=…} uses the same ones again,
 * {@code -Doutcrop.failing.databases=…} another number of them. Each build has 18, one for each kind of failure, the profile {@code long}
 * 600.
 */
class FailingComparatorsProgramTest {
    private static final int DATABASES = Integer.getInteger("outcrop.failing.databases", 18);

    @TempDir
    private Path directory;

    @Test
    void nothingThatWasAcknowledgedIsLost() throws Exception {
        long seed = Long.getLong("outcrop.failing.seed", new Random().nextInt());
        System.out.println("FailingComparatorsProgramTest: seed " + seed);

        ChildJvm.Result result = ChildJvm.shortLived().run(FailingComparators.class, directory, seed, DATABASES);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).endsWith("done\n");
    }
}
