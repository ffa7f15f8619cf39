package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks and files in wrong places must not displace sound records. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MisplacedTest extends QueueFixture {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;
    private static final int RECORDS = 3 * PER_SEGMENT + PER_SEGMENT / 2;

    @BeforeEach
    void fill() {
        Sample.fill(directory(), RECORDS);
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
        try (Queue queue = Sample.open(directory()); Consumer consumer = queue.group("reader").consumer()) {
            return Polls.offsets(consumer);
        }
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
        assertThat(Sample.files(directory().resolve("quarantine"), "")).singleElement()
                .satisfies(path -> assertThat(path).hasSameBinaryContentAs(segment(PER_SEGMENT)));
    }

    /** All of the first one is retired, and only kept for a tailer. */
    @Test
    void oneThatIsInThePlaceOfARetiredOneIsPutRight() throws IOException {
        long first = 3L * PER_SEGMENT;
        QueueOptions options = Sample.inForeground();
        try (Queue queue = Queue.open(directory(), options);
                Tailer _ = Tailer.open(directory(), "one");
                Consumer consumer = queue.group("reader").consumer()) {
            Polls.all(consumer, RECORDS, Polls.SKIP);
            consumer.acknowledgeUpTo(first - 1);
        }
        assertThat(QueueFiles.verify(directory()).notes()).anyMatch(note -> note.contains("retired"));
        turn(segment(0), segment(first));
        assertThat(QueueFiles.repair(directory()).isSound()).isFalse();
        assertThat(QueueFiles.deleteTailer(directory(), "one")).isTrue();
        assertThat(consumed()).isEqualTo(range(first, RECORDS));
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

    /** The queue was killed, so its last file may be one that a power cut left. */
    @Test
    void whatOpeningPutsAsideDoesNotEndTheSegmentBefore() throws IOException {
        Path killed = temporary.resolve("killed");
        try (Queue queue = Sample.open(temporary.resolve("source"))) {
            Sample.append(queue, PER_SEGMENT);
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
        Sample.rebase(copy, 14);
        assertThatThrownBy(this::consumed).isInstanceOf(QueueCorruptException.class)
                .hasMessageContaining(copy.toRealPath() + " is damaged at byte " + QueueLayout.HEADER);
    }
}
