package dev.outcrop.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka's stores of every kind hold and tell the same on our {@code org.rocksdb} as on the published one. */
class StoresTest {
    private static final int RECORDS = Integer.getInteger("outcrop.kafka.records", 1000);

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"plain", "cached"})
    void tellTheSame(String caching) throws Exception {
        Path ours = directory.resolve("ours");
        Path published = directory.resolve("published");
        assertSame(transcript(RocksDbJar.PUBLISHED, "fill", caching, published),
                transcript(RocksDbJar.OURS, "fill", caching, ours));
        // Each reads what the other has written.
        assertSame(transcript(RocksDbJar.PUBLISHED, "reopen", caching, ours),
                transcript(RocksDbJar.OURS, "reopen", caching, published));
    }

    private static List<String> transcript(RocksDbJar jar, String phase, String caching, Path state) throws Exception {
        ChildJvm.Result result = jar.jvm().run(StoresProgram.class, phase, caching, state, RECORDS);
        assertThat(result.exitCode()).as(result.output()).isZero();
        List<String> lines = result.output().lines().toList();
        assertThat(lines.getFirst()).isEqualTo(jar.expected());
        return lines.subList(1, lines.size());
    }

    private static void assertSame(List<String> published, List<String> ours) {
        assertThat(published).hasSizeGreaterThan(RECORDS).endsWith("done");
        for (int i = 0; i < Math.min(published.size(), ours.size()); i++) {
            assertThat(ours.get(i)).as("line %d", i + 1).isEqualTo(published.get(i));
        }
        assertThat(ours).hasSameSizeAs(published);
    }
}
