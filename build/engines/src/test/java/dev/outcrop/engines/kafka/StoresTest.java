package dev.outcrop.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's stores of every kind hold and tell the same on our {@code org.rocksdb} as on the published one. */
@Tag("verify")
class StoresTest {
    private static final int RECORDS = TestSize.choose("outcrop.kafka.records", 600, 20_000);

    @TempDir
    Path directory;

    @Test
    void tellTheSame() throws Exception {
        try (Program published = start(RocksDbJar.PUBLISHED, "published", "ours");
                Program ours = start(RocksDbJar.OURS, "ours", "published")) {
            assertSame(published.linesUntil("filled"), ours.linesUntil("filled"));
            // Each reads what the other has written.
            published.order("reopen");
            ours.order("reopen");
            assertSame(published.linesUntil("done"), ours.linesUntil("done"));
        }
    }

    private Program start(RocksDbJar jar, String state, String other) throws IOException, InterruptedException {
        Program program = new Program(
                jar.jvm().start(StoresProgram.class, directory.resolve(state), directory.resolve(other), RECORDS));
        assertThat(program.linesUntil(jar.expected())).isEmpty();
        return program;
    }

    private static void assertSame(List<String> published, List<String> ours) {
        assertThat(published).hasSizeGreaterThan(2 * RECORDS);
        int same = 0;
        while (same < Math.min(published.size(), ours.size()) && published.get(same).equals(ours.get(same))) {
            same++;
        }
        assertThat(ours.subList(same, ours.size()).stream().findFirst()).as("line %d", same + 1)
                .isEqualTo(published.subList(same, published.size()).stream().findFirst());
    }
}
