package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A comparator that throws or contradicts itself ends neither the process nor what was written before. Each run uses other databases; it
 * prints its seed, {@code -Doutcrop.liars.seed=…} uses the same ones again, {@code -Doutcrop.liars.databases=…} another number of them. Each
 * build has 25, the profile {@code long} 1,000.
 */
class LyingComparatorTest {
    private static final int DATABASES = Integer.getInteger("outcrop.liars.databases", 25);

    @TempDir
    private Path directory;

    @Test
    void neitherTheProcessNorTheDataIsLost() throws Exception {
        long seed = Long.getLong("outcrop.liars.seed", new Random().nextInt());
        System.out.println("LyingComparatorTest: seed " + seed);

        ChildJvm.Result result = ChildJvm.shortLived().run(LyingComparators.class, directory, seed, DATABASES);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).endsWith("done\n");
    }
}
