package dev.outcrop.rocksdb.engine.capi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Linking all functions would cost every start some 0.4 s. */
class LazyLinkageTest {
    @TempDir
    private Path directory;

    /** Runs in a JVM of its own, because in this one other tests have linked functions. */
    public static final class OpenAndClose {
        private OpenAndClose() {
        }

        public static void main(String[] args) {
            System.out.println(Linkage.linked());
            try (Arena arena = Arena.ofConfined()) {
                new TestDatabase(Path.of(args[0]), arena).close();
            }
            System.out.println(Linkage.linked());
        }
    }

    @Test
    void openingADatabaseLinksOnlyWhatItCalls() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.withNativeAccess().run(OpenAndClose.class, directory);

        assertThat(result.exitCode()).as(result.output()).isZero();
        // Three objects with options made and freed, one option set, the database opened and closed.
        assertThat(result.output().lines()).containsExactly("0", "9");
    }
}
