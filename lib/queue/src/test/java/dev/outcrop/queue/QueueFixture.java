package dev.outcrop.queue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;

/** A temporary directory with room for a queue. */
abstract class QueueFixture {
    @TempDir
    Path temporary;

    Path directory() {
        return temporary.resolve("queue");
    }

    static List<Long> range(long from, long to) {
        return LongStream.range(from, to).boxed().toList();
    }
}
