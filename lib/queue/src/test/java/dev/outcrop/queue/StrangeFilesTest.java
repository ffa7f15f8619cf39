package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are not damaged, but no part of the queue, or an earlier state of a part of it. */
class StrangeFilesTest extends QueueFixture {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;
    private static final int RECORDS = 3 * PER_SEGMENT + 10;

    private Path segment(int index) {
        return Sample.segment(directory(), (long) index * PER_SEGMENT);
    }

    @BeforeEach
    void fill() {
        Sample.fill(directory(), RECORDS);
    }

    /** Returns the files of a process that was killed before anything was on the disk. */
    private Path killed() throws IOException {
        Path source = temporary.resolve("source");
        Path killed = temporary.resolve("killed");
        try (Queue queue = Sample.open(source)) {
            queue.append(new byte[1]);
            Sample.copy(source, killed);
        }
        return killed;
    }

    private void assertSound(List<Long> offsets) {
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.damages()).as(check.toString()).isEmpty();
        Sample.open(directory()).close();
        assertThat(Sample.offsets(directory())).isEqualTo(offsets);
    }

    @Test
    void aDatabaseIsNoPlaceForAQueue() throws IOException {
        Path database = Files.createDirectory(temporary.resolve("database"));
        Files.createFile(database.resolve("CURRENT"));
        Files.createFile(database.resolve("IDENTITY"));

        assertThatThrownBy(() -> Sample.open(database)).isInstanceOf(QueueException.class)
                .hasMessageContainingAll("RocksDB database", database.toRealPath().toString());
        assertThat(database.resolve("queue")).doesNotExist();
    }

    private void assertRepairable(List<Long> offsets) {
        assertThat(QueueFiles.verify(directory()).isSound()).isFalse();
        QueueFiles.repair(directory());
        assertSound(offsets);
    }

    @Test
    void numberWithASignIsNoSegmentsName() throws IOException {
        // "-0" would be the same offset as the first segment's, and stand before it: all of it retired.
        Path minus = Files.copy(segment(1), directory().resolve("-0000000000000000000.segment"));
        Path plus = Files.copy(segment(1), directory().resolve("+0000000000000000007.segment"));
        Path spare = Files.copy(segment(1), directory().resolve("+1.spare"));
        assertSound(range(0, RECORDS));
        assertThat(minus).exists();
        assertThat(plus).exists();
        assertThat(spare).exists();
    }

    @Test
    void queueFileOfAnotherQueueTakesNoSegmentAway() throws IOException {
        Files.copy(killed().resolve("queue"), directory().resolve("queue"), StandardCopyOption.REPLACE_EXISTING);
        assertThat(QueueFiles.verify(directory()).isSound()).isFalse();
        assertThatThrownBy(() -> Sample.open(directory())).isInstanceOf(QueueCorruptException.class)
                .hasMessageContaining("belongs elsewhere");
        assertThatThrownBy(() -> QueueFiles.repair(directory())).isInstanceOf(QueueException.class)
                .hasMessageContaining("is of another queue than all segments");
        Files.delete(directory().resolve("queue"));
        assertRepairable(range(0, RECORDS));
    }

    @Test
    void segmentOfAnotherQueueBehindTheLastOneIsDamage() throws IOException {
        Path queue = killed();
        Path foreign = Files.copy(segment(0), Sample.segment(queue, 1));
        assertThat(QueueFiles.verify(queue).damages()).extracting(QueueCheck.Damage::file)
                .containsExactly(foreign.toRealPath());
        assertThatThrownBy(() -> Sample.open(queue)).isInstanceOf(QueueCorruptException.class)
                .hasMessageContaining("belongs elsewhere");
        QueueFiles.repair(queue);
        try (Queue opened = Sample.open(queue)) {
            assertThat(opened.nextOffset()).isEqualTo(1);
        }
    }

    @Test
    void damagedHeaderOfAnotherQueuesSegmentDoesNotMakeItsRecordsThisQueues() throws IOException {
        Path other = temporary.resolve("other");
        try (Queue queue = Sample.open(other)) {
            queue.append(Payloads.of(2, 0, Sample.LENGTH));
        }
        Files.copy(Sample.segment(other, 0), segment(0), StandardCopyOption.REPLACE_EXISTING);
        Sample.flip(segment(0), QueueLayout.CREATED, 1);
        QueueFiles.repair(directory());
        assertSound(range(PER_SEGMENT, RECORDS));
    }

    @Test
    void damagedSlotDoesNotMakeTheQueueBeginAnew() throws IOException {
        Path source = temporary.resolve("source");
        Path killed = temporary.resolve("killed");
        try (Queue queue = Queue.open(source, Sample.inForeground());
                Consumer consumer = queue.group("g").consumer()) {
            Sample.append(queue, RECORDS);
            assertThat(consumer.poll(PER_SEGMENT + 1, Polls.SKIP)).isEqualTo(PER_SEGMENT + 1);
            assertThat(consumer.acknowledgeUpTo(PER_SEGMENT)).isEqualTo(PER_SEGMENT + 1);
            Sample.copy(source, killed);
        }
        assertThat(Sample.segment(killed, 0)).doesNotExist();
        QueueCheck.Slot newest = QueueFiles.verify(killed).slots().getFirst();
        assertThat(newest.retired()).isEqualTo(PER_SEGMENT);
        // The other one says that nothing is retired, and nothing on the disk.
        Sample.flip(killed.resolve("queue"), newest.sequence() % 2 * QueueLayout.SLOT + 20, 1);
        assertThatThrownBy(() -> Sample.open(killed)).isInstanceOf(QueueCorruptException.class)
                .hasMessageContaining("missing");
        assertThat(QueueFiles.verify(killed).isSound()).isFalse();
        QueueFiles.repair(killed);
        assertThat(QueueFiles.verify(killed).isSound()).isTrue();
        Sample.open(killed).close();
        assertThat(Sample.offsets(killed)).isEqualTo(range(PER_SEGMENT, RECORDS));
    }

    @Test
    void fileWhereADirectoryShouldBeIsDamage() throws IOException {
        for (String name : List.of("groups", "tailers")) {
            Path directory = directory().resolve(name);
            Files.delete(directory);
            Files.createFile(directory);
            assertRepairable(range(0, RECORDS));
            assertThat(directory().resolve("quarantine").resolve(name)).isRegularFile();
        }
    }

    @Test
    void directoryWhereAFileShouldBeIsDamage() throws IOException {
        try (Queue queue = Sample.open(directory())) {
            queue.group("g");
        }
        for (String name : List.of("1.spare", "queue", "groups/g.group", segment(3).getFileName().toString())) {
            Path file = directory().resolve(name);
            Files.deleteIfExists(file);
            Files.createDirectories(file.resolve("inside"));
            assertThat(QueueFiles.verify(directory()).damages()).as(name).isNotEmpty();
            QueueFiles.repair(directory());
            assertThat(QueueFiles.verify(directory()).isSound()).as(name).isTrue();
            assertThat(directory().resolve("quarantine").resolve(file.getFileName()).resolve("inside")).isDirectory();
        }
        assertSound(range(0, 3 * PER_SEGMENT));
    }

    @Test
    void symbolicLinkThatLeadsNowhereIsDamage() throws IOException {
        Files.delete(segment(1));
        Files.createSymbolicLink(segment(1), temporary.resolve("nowhere"));
        assertRepairable(LongStream.range(0, RECORDS).filter(i -> i / PER_SEGMENT != 1).boxed().toList());
    }
}
