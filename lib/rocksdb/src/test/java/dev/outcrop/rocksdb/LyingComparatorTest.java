package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A comparator that throws or contradicts itself neither ends the process nor loses what was written before. Each run uses other
 * databases: one of each kind, many in the nightly run.
 */
@Tag("verify")
class LyingComparatorTest extends DatabaseTest {
    private static final int DATABASES = TestSize.choose("outcrop.liars.databases", 11, 1000);

    @Test
    void neitherTheProcessNorTheDataIsLost() throws Exception {
        long seed = TestSize.seed(getClass());

        String output = output(ChildJvm.shortLived(), LyingComparators.class, directory, seed, DATABASES);
        assertThat(output).endsWith("done\n");
    }
}
