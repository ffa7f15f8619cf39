package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of files that come to the disk in any order: those of segments, and of tailers. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class FilesPowerCutTest extends EveryPowerCut {
    /** Makes tailers, goes on with them, and forgets one. */
    static final class TailerProgram {
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

    /** The queue keeps records for a tailer until that is deleted. */
    @Test
    void aTailerThatWasMadeOrDeletedStaysSo() throws Exception {
        DiskTrace trace = trace(0, TailerProgram.class);
        int cuts = cut(trace, 0, _ -> true, CHOICES, (image, event) -> {
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
                        // The committed position, or an earlier one.
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

        static void main(String[] arguments) throws IOException {
            Queue queue = Queue.open(Path.of(arguments[0]), PowerCuts.options(false));
            int rounds = Integer.parseInt(arguments[2]);
            try (Consumer consumer = queue.group(READER).consumer()) {
                for (int i = 0; i < RECORDS_OF_A_ROUND * rounds; i++) {
                    queue.append(Payloads.of(0, i, 300));
                    if (i % RECORDS_OF_A_ROUND == RECORDS_OF_A_ROUND - 1 && i > 2 * RECORDS_OF_A_ROUND) {
                        consumer.poll(Integer.MAX_VALUE, Polls.SKIP);
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
        DiskTrace trace = trace(137, PageCacheProgram.class, PageCacheProgram.ROUNDS);
        int cuts = cut(trace, 0, _ -> true, MANY, (image, _) -> {
            try (Queue queue = Queue.open(image.resolve("queue"), PowerCuts.options(false))) {
                Map<Long, Payloads.Id> left = PowerCuts.read(queue, READER);
                left.forEach((offset, id) -> assertThat(id.number()).isEqualTo(offset));
                long next = queue.append(Payloads.of(0, queue.nextOffset(), 100));
                assertThat(PowerCuts.read(queue, READER).keySet()).hasSize(left.size() + 1).contains(next);
            }
        });
        assertThat(cuts).isGreaterThan(PageCacheProgram.ROUNDS);
    }

    /** Makes a tailer that needs nothing, and gives files back. The tailer's position is not on the disk. */
    static final class TailedProgram {
        private static final int TAILED = 100;
        private static final int MORE = 60;

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            boolean isMore = Boolean.parseBoolean(arguments[2]);
            Queue queue = Queue.open(path,
                    PowerCuts.options(false).durability(isMore ? Durability.SYNCED : Durability.PAGE_CACHE));
            ConsumerGroup group = queue.group(READER);
            append(queue, 0, TAILED);
            try (Tailer tailer = Tailer.open(path, "one"); Consumer consumer = group.consumer()) {
                while (tailer.poll()) {
                    // And the next one.
                }
                tailer.commit();
                consumer.poll(TAILED, Polls.SKIP);
                consumer.acknowledgeUpTo(TAILED - 1);
                if (isMore) {
                    // Into files that were given back.
                    append(queue, TAILED, TAILED + MORE);
                }
            }
            PowerCuts.mark(Path.of(arguments[1]), "halt");
        }

        private static void append(Queue queue, int from, int to) {
            for (int i = from; i < to; i++) {
                queue.append(Payloads.of(0, i, 300));
            }
            queue.sync();
        }
    }

    /** Also if some of them have their old names again. */
    @ParameterizedTest
    @OneOf(2)
    @ValueSource(booleans = {false, true})
    void aTailedQueueWhoseFilesWereGivenBackCanBeOpenedAndTailed(boolean isMore) throws Exception {
        DiskTrace trace = trace(137, TailedProgram.class, isMore);
        int cuts = cut(trace, 0, PowerCuts::isChange, CHOICES, (image, _) -> {
            Path directory = image.resolve("queue");
            try (Queue queue = Queue.open(directory, PowerCuts.options(false))) {
                PowerCuts.read(queue, READER);
            }
            if (QueueFiles.tailers(directory).contains("one")) {
                try (Tailer tailer = Tailer.open(directory, "one")) {
                    while (tailer.poll()) {
                        assertThat(Payloads.intact(tailer.segment()).number()).isEqualTo(tailer.offset());
                    }
                }
            }
        });
        assertThat(cuts).isGreaterThan(TailedProgram.TAILED / 2);
    }

    /** A power cut has taken the first header of a queue that never was on the disk, and comes again when that is found. */
    @Test
    void anOpeningThatPutsFilesAsideCanBeInterrupted() throws Exception {
        WatchedDisk disk = new WatchedDisk(temporary);
        Path queue = disk.root.resolve("queue");
        int before = PowerCuts.of(disk, ChildJvm.shortLived(), 137, PageCacheProgram.class, queue, disk.marks(), 2)
                .events().size();
        Sample.zero(Sample.segment(queue, 0), 0, 512);
        DiskTrace trace = PowerCuts.of(disk, ChildJvm.shortLived().environment("OUTCROP_DISK_GOES_ON", 1), 0,
                OpenProgram.class, queue);
        boolean[] isAnyLeft = new boolean[1];
        int cuts = cut(trace, before, _ -> true, MANY, (image, _) -> {
            Queue.open(image.resolve("queue"), PowerCuts.options(false)).close();
            isAnyLeft[0] |= Files.exists(image.resolve("queue").resolve("quarantine"));
        });
        assertThat(cuts).isGreaterThan(2);
        assertThat(isAnyLeft[0]).isTrue();
    }
}
