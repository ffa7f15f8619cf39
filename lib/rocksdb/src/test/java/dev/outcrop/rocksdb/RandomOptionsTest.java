package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever options a database is given: it works, or an exception says why not. */
@Tag("verify")
class RandomOptionsTest extends DatabaseTest {
    private static final int DATABASES = TestSize.choose("outcrop.random.options", 20, 1000);

    @Test
    void noOptionsEndTheProcess() throws Exception {
        long seed = TestSize.seed(getClass());
        ChildJvm.Result result = ChildJvm.shortLived().run(RandomOptions.class, directory, seed, DATABASES);

        assertThat(result.exitCode()).as("seed %d:%n%s", seed, result.output()).isZero();
        assertThat(result.output()).containsPattern("done, opened [1-9]");
    }
}
