package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Blocks and files in wrong places must not displace sound records. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MisplacedTest {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;
    private static final int RECORDS = 3 * PER_SEGMENT + PER_SEGMENT / 2;

    @TempDir
    private Path temporary;

    @BeforeEach
    void fill() {
        Sample.fill(directory(), RECORDS);
    }

    private Path directory() {
        return temporary.resolve("queue");
    }

    private Path segment(long base) {
        return Sample.segment(directory(), base);
    }

    private static List<Long> without(long from, long to) {
        return LongStream.range(0, RECORDS).filter(offset -> offset < from || offset >= to).boxed().toList();
    }

    private void assertRepaired(List<Long> offsets) {
        assertThat(QueueFiles.repair(directory()).isSound()).isFalse();
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.damages()).as(check.toString()).isEmpty();
        assertThat(check.segments().stream().mapToLong(QueueCheck.Segment::records).sum()).isEqualTo(offsets.size());
        assertThat(Sample.offsets(directory())).isEqualTo(offsets);
        assertThat(consumed()).isEqualTo(offsets);
    }

    private List<Long> consumed() {
        List<Long> offsets = new ArrayList<>();
        try (Queue queue = Sample.open(directory()); Consumer consumer = queue.group("reader").consumer()) {
            while (consumer.poll(1000, (offset, _, _) -> offsets.add(offset)) > 0) {
                // And the next ones.
            }
        }
        return offsets;
    }

    @Test
    void blockOverEarlierRecordsTakesNoneBetweenAway() throws IOException {
        Path file = segment(PER_SEGMENT);
        byte[] bytes = Files.readAllBytes(file);
        // So far behind the beginning of record 8 that the fourth one from there could begin here.
        System.arraycopy(bytes, Sample.position(12), bytes, Sample.position(8) + 4 * QueueLayout.PAYLOAD + 16,
                Sample.RECORD);
        Files.write(file, bytes, StandardOpenOption.WRITE);
        assertRepaired(without(PER_SEGMENT + 8, PER_SEGMENT + 10));
    }

    @Test
    void copyUnderAnotherNameIsPutAwayAlsoIfItsHeaderIsDamaged() throws IOException {
        Path copy = segment(14);
        Files.copy(segment(0), copy);
        Sample.flip(copy, QueueLayout.HEADER_VERSION - 1, 5);
        assertRepaired(without(0, 0));
        assertThat(directory().resolve("quarantine").resolve(String.valueOf(copy.getFileName()))).exists();
    }

    @Test
    void fileUnderAnotherNameWithoutItsBeginningTakesNothingFromTheOneBefore() throws IOException {
        Path renamed = segment(PER_SEGMENT - 5);
        Files.move(segment(PER_SEGMENT), renamed);
        Sample.flip(renamed, QueueLayout.HEADER_VERSION - 1, 5);
        Sample.zero(renamed, QueueLayout.HEADER, QueueLayout.HEADER + 100);
        assertRepaired(without(PER_SEGMENT, 2 * PER_SEGMENT));
    }

    /** Gives each file the next one's name, and the last one the first one's. */
    private void turn(Path... files) throws IOException {
        Path aside = Files.move(files[files.length - 1], temporary.resolve("aside"));
        for (int i = files.length - 1; i > 0; i--) {
            Files.move(files[i - 1], files[i]);
        }
        Files.move(aside, files[0]);
    }

    @Test
    void filesInEachOthersPlacesArePutRight() throws IOException {
        turn(segment(0), segment(PER_SEGMENT), segment(2 * PER_SEGMENT));
        assertRepaired(without(0, 0));
        assertThat(directory().resolve("quarantine")).isEmptyDirectory();
    }

    @Test
    void copyOfOneOfThemIsPutAway() throws IOException {
        Path copy = segment(PER_SEGMENT + 1);
        Files.copy(segment(PER_SEGMENT), copy);
        turn(segment(PER_SEGMENT), segment(2 * PER_SEGMENT));
        turn(segment(0), segment(3 * PER_SEGMENT));
        assertRepaired(without(0, 0));
        try (Stream<Path> away = Files.list(directory().resolve("quarantine"))) {
            assertThat(away).singleElement().satisfies(
                    path -> assertThat(path).hasSameBinaryContentAs(segment(PER_SEGMENT)));
        }
    }

    /** All of the first one is retired, and only kept for a tailer. */
    @Test
    void oneThatIsInThePlaceOfARetiredOneIsPutRight() throws IOException {
        long first = 3L * PER_SEGMENT;
        QueueOptions options = new QueueOptions().segmentSize(Sample.SEGMENT_SIZE).backgroundThread(false);
        try (Queue queue = Queue.open(directory(), options);
                Tailer _ = Tailer.open(directory(), "one");
                Consumer consumer = queue.group("reader").consumer()) {
            while (consumer.poll(RECORDS, (_, _, _) -> {
                // Most are acknowledged at once.
            }) > 0) {
                // And the next ones.
            }
            consumer.acknowledgeUpTo(first - 1);
        }
        assertThat(QueueFiles.verify(directory()).notes()).anyMatch(note -> note.contains("retired"));
        turn(segment(0), segment(first));
        assertThat(QueueFiles.repair(directory()).isSound()).isFalse();
        assertThat(QueueFiles.deleteTailer(directory(), "one")).isTrue();
        assertThat(consumed()).isEqualTo(LongStream.range(first, RECORDS).boxed().toList());
    }

    @Test
    void whatAnInterruptedRepairHasLeftIsPutBack() throws IOException {
        Path moved = Files.move(segment(3 * PER_SEGMENT), directory().resolve("repair.moved")).toRealPath();
        assertThatThrownBy(() -> Sample.open(directory())).isInstanceOf(QueueCorruptException.class)
                .hasMessageContainingAll(moved.toString(), "a repair was interrupted");
        assertThat(QueueFiles.verify(directory()).damages()).extracting(QueueCheck.Damage::file).contains(moved);
        assertRepaired(without(0, 0));
        assertThat(moved).doesNotExist();
    }

    @Test
    void whatIsCalledSoAndIsNoSegmentIsPutAway() throws IOException {
        Path moved = Files.writeString(directory().resolve("repair.moved"), "something else");
        assertRepaired(without(0, 0));
        assertThat(moved).doesNotExist();
        assertThat(directory().resolve("quarantine").resolve("repair.moved")).hasContent("something else");
    }

    /** A queue that was killed, so that the last file may be the remains of a new one after a power cut. */
    @Test
    void whatOpeningPutsAsideDoesNotEndTheSegmentBefore() throws IOException {
        Path killed = temporary.resolve("killed");
        try (Queue queue = Sample.open(temporary.resolve("source"))) {
            for (int i = 0; i < PER_SEGMENT; i++) {
                queue.append(new Payload(1, i).bytes(Sample.LENGTH));
            }
            Sample.copy(temporary.resolve("source"), killed);
        }
        Files.copy(Sample.segment(killed, 0), Sample.segment(killed, 14));
        QueueCheck check = QueueFiles.verify(killed);
        assertThat(check.damages()).isEmpty();
        assertThat(check.notes()).singleElement().asString().contains("as when a power cut comes while it is begun");
        assertThat(check.segments()).singleElement()
                .satisfies(segment -> assertThat(segment.records()).isEqualTo(PER_SEGMENT));
        Sample.open(killed).close();
        assertThat(Sample.offsets(killed)).hasSize(PER_SEGMENT);
    }

    /** As an earlier repair may have left them. */
    @Test
    void readingFilesOfTheSameOffsetsEnds() throws IOException {
        Path copy = segment(14);
        Files.copy(segment(0), copy);
        try (MappedFile file = MappedFile.open(copy)) {
            SegmentHeader header = Objects.requireNonNull(SegmentHeader.read(file.memory()));
            new SegmentHeader(header.queueId(), header.generation(), 14, header.segmentSize(), header.created())
                    .write(file.memory());
        }
        assertThatThrownBy(this::consumed).isInstanceOf(QueueCorruptException.class)
                .hasMessageContaining(copy.toRealPath() + " is damaged at byte " + QueueLayout.HEADER);
    }
}
