package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A comparator that throws or contradicts itself ends neither the process nor what was written before. Each run uses other databases: it
 * has one of each kind, in the nightly run many.
 */
@Tag("verify")
class LyingComparatorTest {
    private static final int DATABASES = TestSize.choose("outcrop.liars.databases", 11, 1000);

    @TempDir
    private Path directory;

    @Test
    void neitherTheProcessNorTheDataIsLost() throws Exception {
        long seed = TestSize.seed(getClass());

        ChildJvm.Result result = ChildJvm.shortLived().run(LyingComparators.class, directory, seed, DATABASES);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).endsWith("done\n");
    }
}
