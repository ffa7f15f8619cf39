package dev.outcrop.cli.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chunk whose letters are there comes again, since the process was killed before the database had it. */
class LettersTest {
    @TempDir
    private Path directory;

    private Path bad() {
        return directory.resolve("bad");
    }

    private void put(Queue chunks, int[]... letters) {
        try (Letters to = new Letters(bad(), chunks)) {
            for (int[] letter : letters) {
                to.put(letter[0], "letter " + letter[1], MemorySegment.ofArray(new byte[1]));
            }
        }
    }

    @Test
    void eachLetterIsThereOnce() {
        try (Queue chunks = Queue.open(directory.resolve("chunks"));
                Queue others = Queue.open(directory.resolve("others"))) {
            put(chunks, new int[]{3, 1}, new int[]{7, 2}, new int[]{7, 3});
            put(chunks, new int[]{7, 2}, new int[]{7, 3}, new int[]{7, 4}, new int[]{8, 5});
            put(chunks, new int[]{9, 6});
            // The same offset in another queue is another chunk.
            put(others, new int[]{9, 7});
        }
        List<String> reasons = new ArrayList<>();
        try (Tailer tailer = Tailer.open(bad())) {
            while (tailer.poll()) {
                reasons.add(DeadLetter.read(tailer.segment()).reason());
            }
        }
        assertThat(reasons).containsExactly("letter 1", "letter 2", "letter 3", "letter 4", "letter 5", "letter 6",
                "letter 7");
    }
}
