package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever options a database is given: it works, or an exception says why not. */
class RandomOptionsTest {
    private static final int DATABASES = Integer.getInteger("outcrop.randomOptions", 60);

    @TempDir
    private Path directory;

    @Test
    void noOptionsEndTheProcess() throws Exception {
        long seed = Long.getLong("outcrop.seed", System.nanoTime());
        ChildJvm.Result result = ChildJvm.shortLived().run(RandomOptions.class, directory, seed, DATABASES);

        assertThat(result.exitCode()).as("seed %d:%n%s", seed, result.output()).isZero();
        assertThat(result.output()).containsPattern("done, opened [1-9]");
    }
}
