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

/** Chunks come again with rejected records that are in the queue already, because the process was killed before the database had them. */
class RejectedRecordsTest {
    @TempDir
    private Path directory;

    private Path bad() {
        return directory.resolve("bad");
    }

    /** A chunk with letters of these numbers. */
    private record Sent(long offset, List<Integer> letters) {
        void to(RejectedRecords rejected, long stored) {
            rejected.begin(offset, stored);
            for (int number : this.letters) {
                rejected.put("letter " + number, MemorySegment.ofArray(new byte[1]));
            }
        }
    }

    private static Sent sent(long offset, Integer... letters) {
        return new Sent(offset, List.of(letters));
    }

    /** Sends chunks, when the database has all before an offset. */
    private void send(Queue chunks, long stored, Sent... sent) {
        try (RejectedRecords rejected = new RejectedRecords(bad(), chunks)) {
            for (Sent chunk : sent) {
                chunk.to(rejected, stored);
            }
        }
    }

    private List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        try (Tailer tailer = Tailer.open(bad())) {
            while (tailer.poll()) {
                reasons.add(DeadLetter.read(tailer.segment()).reason());
            }
        }
        return reasons;
    }

    @Test
    void eachLetterIsThereOnce() {
        try (Queue chunks = Queue.open(directory.resolve("chunks"));
                Queue others = Queue.open(directory.resolve("others"))) {
            send(chunks, 3, sent(3, 1), sent(7, 2, 3));
            send(chunks, 7, sent(7, 2, 3, 4), sent(8, 5));
            send(chunks, 9, sent(9, 6));
            // The same offset in another queue is another chunk.
            send(others, 9, sent(9, 7));
            send(chunks, 9, sent(9, 6));
        }
        assertThat(reasons()).containsExactly("letter 1", "letter 2", "letter 3", "letter 4", "letter 5", "letter 6",
                "letter 7");
    }

    @Test
    void eachLetterOfABatchOfChunksIsThereOnce() {
        try (Queue chunks = Queue.open(directory.resolve("chunks"))) {
            send(chunks, 3, sent(3, 1), sent(4), sent(5, 2, 3), sent(6, 4));
            send(chunks, 3, sent(3, 1), sent(4), sent(5, 2, 3), sent(6, 4, 5), sent(7, 6));
            send(chunks, 5, sent(5, 2, 3), sent(6, 4, 5), sent(7, 6), sent(8, 7));
        }
        assertThat(reasons()).containsExactly("letter 1", "letter 2", "letter 3", "letter 4", "letter 5", "letter 6",
                "letter 7");
    }

    @Test
    void aChunkComesAgainInTheSameProcess() {
        try (Queue chunks = Queue.open(directory.resolve("chunks"))) {
            send(chunks, 3, sent(3, 1), sent(4, 2, 3), sent(3, 1), sent(4, 2, 3), sent(5, 4));
        }
        assertThat(reasons()).containsExactly("letter 1", "letter 2", "letter 3", "letter 4");
    }
}
