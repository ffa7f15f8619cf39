package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Names of files that come to the disk in any order: those of segments, and of tailers. */
@EnabledOnOs(OS.LINUX)
class FilesPowerCutTest extends EveryPowerCut {
    /** Makes tailers, goes on with them, and forgets one. */
    static final class TailerProgram {
        private TailerProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            Path marks = Path.of(arguments[1]);
            try (Queue queue = Queue.open(path, PowerCuts.options(false))) {
                fill(queue);
                for (String name : List.of("one", "two")) {
                    try (Tailer tailer = Tailer.open(path, name)) {
                        PowerCuts.mark(marks, "made " + name);
                        for (int i = 0; i < RECORDS / 2; i++) {
                            assertThat(tailer.poll()).isTrue();
                        }
                        tailer.commit();
                    }
                }
                assertThat(QueueFiles.deleteTailer(path, "one")).isTrue();
                PowerCuts.mark(marks, "deleted one");
            }
        }
    }

    /** What comes next is kept for each that was made, until it is forgotten. */
    @Test
    void aTailerThatWasMadeOrDeletedStaysSo() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 0, TailerProgram.class,
                disk.root.resolve("queue"), disk.marks());
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, _ -> true, CHOICES, (image, event) -> {
            List<String> marks = PowerCuts.marks(trace, event);
            Path directory = image.resolve("queue");
            Queue.open(directory, PowerCuts.options(false)).close();
            for (String name : List.of("one", "two")) {
                boolean isThere = QueueFiles.tailers(directory).contains(name);
                if (marks.contains("made " + name)) {
                    assertThat(isThere || name.equals("one")).isTrue();
                }
                if (marks.contains("deleted " + name)) {
                    assertThat(isThere).isFalse();
                }
                if (isThere) {
                    try (Tailer tailer = Tailer.open(directory, name)) {
                        // Where it was committed, or an earlier position.
                        assertThat(tailer.poll()).isTrue();
                        assertThat(tailer.offset()).isLessThanOrEqualTo(RECORDS / 2);
                        assertThat(Payloads.intact(tailer.segment()).number()).isEqualTo(tailer.offset());
                    }
                }
            }
        });
        assertThat(cuts).isGreaterThan(10);
    }

    /** Appends, and acknowledges sometimes, so that files are given back; and never waits for the disk. */
    static final class PageCacheProgram {
        private static final int RECORDS_OF_A_ROUND = 40;
        private static final int ROUNDS = 8;

        private PageCacheProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false));
            try (Consumer consumer = queue.group(READER).consumer()) {
                for (int i = 0; i < RECORDS_OF_A_ROUND * ROUNDS; i++) {
                    queue.append(Payloads.of(0, i, 300));
                    if (i % RECORDS_OF_A_ROUND == RECORDS_OF_A_ROUND - 1 && i > 2 * RECORDS_OF_A_ROUND) {
                        consumer.poll(Integer.MAX_VALUE, (_, _, _) -> {
                            // All are acknowledged at once.
                        });
                        consumer.acknowledgeUpTo(i);
                    }
                }
            }
            PowerCuts.mark(Path.of(arguments[1]), "halt");
        }
    }

    /** No power cut leaves a queue that has to be repaired, also where the names of files come to the disk in any order. */
    @Test
    void aQueueThatWasNeverOnTheDiskCanBeOpened() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived(), 137, PageCacheProgram.class,
                disk.root.resolve("queue"), disk.marks());
        int cuts = new PowerCuts(temporary, seed, trace).behindEach(0, _ -> true, MANY, (image, _) -> {
            try (Queue queue = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                Map<Long, Payloads.Id> left = PowerCuts.read(queue, READER);
                left.forEach((offset, id) -> assertThat(id.number()).isEqualTo(offset));
                long next = queue.append(Payloads.of(0, queue.nextOffset(), 100));
                assertThat(PowerCuts.read(queue, READER).keySet()).hasSize(left.size() + 1).contains(next);
            }
        });
        assertThat(cuts).isGreaterThan(PageCacheProgram.ROUNDS);
    }
}
