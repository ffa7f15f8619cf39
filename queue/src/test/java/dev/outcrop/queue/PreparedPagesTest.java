package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.memory.MappedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Without a background thread, appends prepare pages in steps: neither each when it is written to, nor all of the file at once. */
@EnabledOnOs(OS.LINUX)
class PreparedPagesTest {
    private static final int SEGMENT_SIZE = 4 << 20;
    private static final int STEPS = 4;

    @TempDir
    private Path temporary;

    @Test
    void appendsPrepareSomePagesAtOnce() throws IOException {
        requirePreparing();
        try (Queue queue = Queue.open(temporary.resolve("queue"),
                new QueueOptions().segmentSize(SEGMENT_SIZE).backgroundThread(false))) {
            Path segment = QueueDirectory.segment(queue.directory(), 0);
            long before = mapped(segment);
            int changes = 0;
            while (queue.bytes() < STEPS * (64 << 10)) {
                queue.append(new byte[4000]);
                long now = mapped(segment);
                changes += now != before ? 1 : 0;
                before = now;
            }
            // Each record is on another page. Some more than one a step, because the system may take pages away, or map more of them.
            assertThat(changes).isBetween(2, 3 * STEPS);
            assertThat(before).isBetween(queue.bytes() / Pages.SIZE * Pages.SIZE, SEGMENT_SIZE / 2L);
        }
    }

    /** Kernels before 5.14 cannot. */
    private void requirePreparing() throws IOException {
        Path file = temporary.toRealPath().resolve("file");
        MappedFile.create(file, SEGMENT_SIZE);
        try (MappedFile mapped = MappedFile.open(file)) {
            mapped.populate();
            assumeTrue(mapped(file) == SEGMENT_SIZE);
        }
    }

    /** How many bytes of a mapped file this process can use without a page fault. */
    private static long mapped(Path file) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).endsWith(" " + file)) {
                while (!lines.get(i).startsWith("Rss:")) {
                    i++;
                }
                return Long.parseLong(lines.get(i).replaceAll("\\D", "")) << 10;
            }
        }
        throw new AssertionError(file + " is not mapped");
    }
}
