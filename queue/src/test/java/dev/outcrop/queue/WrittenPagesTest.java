package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How much a durable append writes to the disk. */
class WrittenPagesTest {
    /** What the kernel says of each mapping, in KB. */
    private static final Path MAPPINGS = Path.of("/proc/self/smaps");
    private static final int SEGMENT_KB = 64 << 10;
    private static final int DISTANCE_KB = 4 << 10;
    /** The largest page there is. */
    private static final int MOST_KB = 64;

    @TempDir
    private Path directory;

    /** Where the kernel reads far ahead, it made one large page of many, all of which was to be written when a byte of it had changed. */
    @Test
    @Timeout(60)
    void anAppendMakesOnlyItsOwnPagesDirty() throws Exception {
        assumeTrue(Files.isReadable(MAPPINGS), "only Linux tells which pages are still to be written");
        Path segment = Sample.segment(directory, 0);
        try (Queue queue = Queue.open(directory, new QueueOptions().segmentSize(SEGMENT_KB << 10)
                .durability(Durability.everyAppend()))) {
            queue.append(new byte[8]);
            // The background thread prepares all of the file, which makes each page one that is to be written.
            while (kilobytes(segment, "Rss") < SEGMENT_KB) {
                Thread.sleep(5);
            }
            long most = 0;
            for (int at = 2 * DISTANCE_KB; at < SEGMENT_KB; at += DISTANCE_KB) {
                queue.append(new byte[DISTANCE_KB << 10]);
                long before = kilobytes(segment, "Private_Dirty");
                queue.append(new byte[8], Durability.pageCache());
                most = Math.max(most, kilobytes(segment, "Private_Dirty") - before);
            }
            assertThat(most).as("KB").isLessThanOrEqualTo(MOST_KB);
        }
    }

    /** What the kernel says of a file's mapping. */
    private static long kilobytes(Path file, String name) throws IOException {
        boolean isOfFile = false;
        long sum = 0;
        for (String line : Files.readAllLines(MAPPINGS)) {
            String key = line.substring(0, line.indexOf(' '));
            if (!key.endsWith(":")) {
                isOfFile = line.endsWith(file.toString());
            } else if (isOfFile && key.equals(name + ":")) {
                sum += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return sum;
    }
}
