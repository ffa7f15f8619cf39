package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage of all kinds is found, never returned as data, and repaired so that all that is not damaged can be read. */
class QueueFilesTest extends QueueFixture {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;
    private static final int RECORDS = 3 * PER_SEGMENT + 10;

    private Path segment(int index) {
        return Sample.segment(directory(), (long) index * PER_SEGMENT);
    }

    @BeforeEach
    void fill() {
        Sample.fill(directory(), RECORDS);
    }

    /** Returns all offsets but some. */
    private static List<Long> without(long from, long to) {
        return LongStream.range(0, RECORDS).filter(offset -> offset < from || offset >= to).boxed().toList();
    }

    /** Returns the exception of opening and reading the queue. */
    private QueueCorruptException foundInUse() {
        return catchThrowableOfType(QueueCorruptException.class, () -> {
            Sample.open(directory()).close();
            Sample.offsets(directory());
        });
    }

    private void assertFoundInUse(Path file, long position, long offset) {
        QueueCorruptException found = foundInUse();
        assertThat(found).isNotNull().hasMessageContaining(file.toString()).hasMessageContaining("byte " + position);
        assertThat(found.file()).isEqualTo(file);
        assertThat(found.position()).isEqualTo(position);
        assertThat(found.offset()).isEqualTo(offset);
    }

    /** Repairs, and checks that afterwards only these records are there, and that the queue can be used. */
    private QueueCheck assertRepaired(List<Long> offsets) throws IOException {
        QueueCheck before = QueueFiles.verify(directory());
        assertThat(before.isSound()).as(before.toString()).isFalse();
        assertThat(before.repairs()).isEmpty();
        QueueCheck repaired = QueueFiles.repair(directory());
        assertThat(repaired.damages()).isEqualTo(before.damages());
        assertThat(repaired.repairs()).isNotEmpty();
        assertUsable(offsets);
        return repaired;
    }

    private void assertUsable(List<Long> offsets) throws IOException {
        QueueCheck after = QueueFiles.verify(directory());
        assertThat(after.damages()).as(after.toString()).isEmpty();
        assertThat(Sample.offsets(directory())).isEqualTo(offsets);
        List<Long> expected = new ArrayList<>(offsets);
        try (Queue queue = Sample.open(directory())) {
            assertThat(queue.nextOffset()).isEqualTo(RECORDS);
            for (long i = RECORDS; i < RECORDS + 2 * PER_SEGMENT; i++) {
                assertThat(queue.append(Payloads.of(1, i, Sample.LENGTH))).isEqualTo(i);
                expected.add(i);
            }
        }
        assertThat(Sample.offsets(directory())).isEqualTo(expected);
        assertThat(QueueFiles.verify(directory()).isSound()).isTrue();
    }

    private Path quarantined(String name) {
        return directory().resolve("quarantine").resolve(name);
    }

    // --- Sound ---

    @Test
    void aSegmentLargerThanAnArrayIsVerified() throws IOException {
        Sample.extend(segment(1), 5L << 30);
        QueueCheck check = QueueFiles.verify(directory());

        assertThat(check.damages()).singleElement()
                .satisfies(damage -> assertThat(damage.what()).contains("5368709120 bytes instead of"));
        assertThat(check.segments()).hasSize(4);
    }

    @Test
    void aFileInPlaceOfTheQuarantineIsNamed() throws IOException {
        Files.delete(segment(1));
        Path file = Files.createFile(directory().resolve("quarantine"));

        assertThatThrownBy(() -> QueueFiles.repair(directory())).isInstanceOf(QueueException.class)
                .hasMessageContainingAll(file.toRealPath().toString(), "not a directory");

        Files.delete(file);
        assertThat(QueueFiles.repair(directory()).repairs()).isNotEmpty();
    }

    @Test
    void soundQueueIsDescribedAndNotChanged() throws IOException {
        Map<Path, byte[]> before = contents();
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.isSound()).isTrue();
        assertThat(check.notes()).isEmpty();
        assertThat(check.segments()).extracting(QueueCheck.Segment::file).containsExactly(segment(0), segment(1),
                segment(2), segment(3));
        assertThat(check.segments()).extracting(QueueCheck.Segment::records).containsExactly((long) PER_SEGMENT,
                (long) PER_SEGMENT, (long) PER_SEGMENT, 10L);
        assertThat(check.segments()).extracting(QueueCheck.Segment::generation).doesNotHaveDuplicates();
        assertThat(check.segments().getLast().endOffset()).isEqualTo(RECORDS);
        assertThat(check.segments().getLast().bytes()).isEqualTo(Sample.position(10));
        assertThat(check.slots().getFirst().synced()).isEqualTo(RECORDS);
        assertThat(check.slots().getFirst().cleanPosition()).isEqualTo(Sample.position(10));
        assertThat(check.slots().getFirst().segmentSize()).isEqualTo(Sample.SEGMENT_SIZE);
        assertThat(QueueFiles.repair(directory())).isEqualTo(check);
        Map<Path, byte[]> after = contents();
        assertThat(after.keySet()).isEqualTo(before.keySet());
        after.forEach((file, content) -> assertThat(content).as(file.toString()).isEqualTo(before.get(file)));
        assertThat(directory().resolve("quarantine")).doesNotExist();
        assertThat(check.toString()).contains("is sound",
                segment(2).getFileName() + ": records " + 2 * PER_SEGMENT + " to before " + 3 * PER_SEGMENT);
    }

    private Map<Path, byte[]> contents() throws IOException {
        Map<Path, byte[]> contents = new TreeMap<>();
        for (Path file : Sample.files(directory())) {
            contents.put(file, Files.readAllBytes(file));
        }
        return contents;
    }

    @Test
    void whereThereIsNoQueueNothingIsVerified() {
        assertThatThrownBy(() -> QueueFiles.verify(temporary)).isInstanceOf(QueueException.class)
                .hasMessageContaining("There is no queue in " + temporary);
        assertThatThrownBy(() -> QueueFiles.repair(temporary.resolve("none"))).isInstanceOf(QueueException.class)
                .hasMessageContaining("none");
        assertThat(temporary.resolve("lock")).doesNotExist();
    }

    @Test
    void withdrawnRecordsAreCounted() throws IOException {
        try (Queue queue = Sample.open(directory())) {
            Polls.appendWithdrawn(queue);
        }
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.isSound()).isTrue();
        assertThat(check.segments().getLast().withdrawn()).isEqualTo(1);
        assertThat(check.segments().getLast().records()).isEqualTo(10);
        assertThat(Sample.offsets(directory())).isEqualTo(range(0, RECORDS));
    }

    // --- Records ---

    @Test
    void flippedBitCostsOneRecord() throws IOException {
        long offset = PER_SEGMENT + 5;
        int position = Sample.position(5);
        Sample.flip(segment(1), position + 100, 3);
        byte[] damaged = Arrays.copyOfRange(Files.readAllBytes(segment(1)), position, position + Sample.RECORD);
        assertFoundInUse(segment(1), position, offset);
        QueueCheck check = assertRepaired(without(offset, offset + 1));
        assertThat(check.damages()).hasSize(1);
        QueueCheck.Damage damage = check.damages().getFirst();
        assertThat(damage.file()).isEqualTo(segment(1));
        assertThat(damage.position()).isEqualTo(position);
        assertThat(damage.offset()).isEqualTo(offset);
        assertThat(damage.what()).contains("checksum of record " + offset);
        assertThat(check.repairs().getFirst()).contains(segment(1).toString(), "withdrawn", "quarantine");
        assertThat(quarantined(segment(1).getFileName() + "-" + position + ".bytes")).hasBinaryContent(damaged);
    }

    @Test
    void recordBeforeTheDamageIsStillRead() throws IOException {
        Sample.flip(segment(1), Sample.position(5), 0);
        try (Tailer tailer = Tailer.open(directory())) {
            for (int i = 0; i < PER_SEGMENT + 5; i++) {
                assertThat(tailer.poll()).isTrue();
            }
            assertThatThrownBy(tailer::poll).isInstanceOf(QueueCorruptException.class);
            assertThatThrownBy(tailer::poll).as("again").isInstanceOf(QueueCorruptException.class);
            assertThatThrownBy(tailer::offset).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void zeroedRangeCostsTheRecordsInIt() throws IOException {
        Sample.zero(segment(2), Sample.position(3) + 10, Sample.position(7) + 10);
        assertFoundInUse(segment(2), Sample.position(3), 2 * PER_SEGMENT + 3);
        QueueCheck check = assertRepaired(without(2 * PER_SEGMENT + 3, 2 * PER_SEGMENT + 8));
        assertThat(check.damages()).hasSize(1);
        assertThat(check.damages().getFirst().what()).contains("next whole record is " + (2 * PER_SEGMENT + 8));
    }

    @Test
    void lastRecordsOfASegmentAreWithdrawn() throws IOException {
        Sample.zero(segment(0), Sample.position(PER_SEGMENT - 2), Sample.SEGMENT_SIZE);
        assertFoundInUse(segment(0), Sample.position(PER_SEGMENT - 2), PER_SEGMENT - 2);
        assertRepaired(without(PER_SEGMENT - 2, PER_SEGMENT));
    }

    @Test
    void lastRecordsOfTheQueueAreWithdrawn() throws IOException {
        Sample.zero(segment(3), Sample.position(8), Sample.SEGMENT_SIZE);
        assertFoundInUse(segment(3), Sample.position(8), RECORDS - 2);
        QueueCheck check = assertRepaired(without(RECORDS - 2, RECORDS));
        assertThat(check.damages()).extracting(QueueCheck.Damage::position).containsExactly((long) Sample.position(8));
    }

    @Test
    void anyFlippedBitIsFoundOrHarmless() throws IOException {
        long seed = TestSize.seed(getClass());
        Random random = new Random(seed);
        for (int i = 0; i < TestSize.choose("outcrop.flipped.bits", 20, 5000); i++) {
            Path copy = temporary.resolve("copy" + i);
            Sample.copy(directory(), copy);
            long base = (long) random.nextInt(4) * PER_SEGMENT;
            Path file = Sample.segment(copy, base);
            // Often in the header, which is small.
            int position = random.nextInt(random.nextInt(4) == 0 ? QueueLayout.HEADER : Sample.SEGMENT_SIZE);
            Sample.flip(file, position, random.nextInt(8));
            String what = "bit at " + position + " of " + file;
            QueueCheck check = QueueFiles.verify(copy);
            if (check.isSound()) {
                assertThat(Sample.offsets(copy)).as(what).isEqualTo(range(0, RECORDS));
                continue;
            }
            assertThat(check.damages()).as(what).hasSize(1);
            assertThat(check.damages().getFirst().file()).isEqualTo(file);
            assertThatThrownBy(() -> Sample.offsets(copy)).as(what).isInstanceOf(QueueCorruptException.class);
            QueueFiles.repair(copy);
            QueueCheck after = QueueFiles.verify(copy);
            assertThat(after.isSound()).as(what + "\n" + after).isTrue();
            List<Long> missing = new ArrayList<>(range(0, RECORDS));
            missing.removeAll(Sample.offsets(copy));
            if (position >= QueueLayout.HEADER) {
                assertThat(missing).as(what).containsExactly(check.damages().getFirst().offset());
            } else if (position >= QueueLayout.GENERATION && position < QueueLayout.BASE_OFFSET) {
                assertThat(missing).as(what).isEqualTo(range(base, Math.min(RECORDS, base + PER_SEGMENT)));
            } else {
                assertThat(missing).as(what).isEmpty();
            }
        }
    }

    // --- Whole files ---

    @Test
    void truncatedSegmentKeepsWhatIsLeft() throws IOException {
        Sample.truncate(segment(1), Sample.position(20) + 50);
        assertFoundInUse(segment(1), Sample.position(20) + 50, PER_SEGMENT);
        QueueCheck check = assertRepaired(without(PER_SEGMENT + 20, 2 * PER_SEGMENT));
        assertThat(check.damages().getFirst().what()).contains("instead of " + Sample.SEGMENT_SIZE);
        assertThat(segment(1)).hasSize(Sample.SEGMENT_SIZE);
    }

    @Test
    void truncatedLastSegmentKeepsWhatIsLeft() throws IOException {
        Sample.truncate(segment(3), Sample.position(4) + 3);
        assertThat(foundInUse().file()).isEqualTo(segment(3));
        assertRepaired(without(RECORDS - 6, RECORDS));
    }

    @Test
    void emptySegmentFileIsPutAway() throws IOException {
        Sample.truncate(segment(1), 0);
        assertThat(foundInUse().file()).isEqualTo(segment(1));
        assertRepaired(without(PER_SEGMENT, 2 * PER_SEGMENT));
        assertThat(quarantined(String.valueOf(segment(1).getFileName()))).isEmptyFile();
    }

    @Test
    void longerSegmentIsCut() throws IOException {
        Files.write(segment(1), "more".getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
        assertThat(foundInUse().file()).isEqualTo(segment(1));
        assertRepaired(range(0, RECORDS));
        assertThat(quarantined(segment(1).getFileName() + "-" + Sample.SEGMENT_SIZE + ".bytes")).hasContent("more");
    }

    /** More than a buffer of the JDK can show at once. */
    @Test
    void hugeFilesAreNoSegments() throws IOException {
        long huge = (2L << 30) + 4096;
        for (int index : new int[]{1, 3}) {
            Sample.extend(segment(index), huge);
            QueueCorruptException found = foundInUse();
            assertThat(found.file()).isEqualTo(segment(index));
            assertThat(found).hasMessageContaining("it has " + huge + " bytes instead of " + Sample.SEGMENT_SIZE);
            QueueCheck check = QueueFiles.verify(directory());
            assertThat(check.damages()).hasSize(1);
            assertThat(check.damages().getFirst().what()).contains(huge + " bytes");
            assertThat(check.segments()).extracting(QueueCheck.Segment::records).endsWith(10L).hasSize(4);
            Sample.truncate(segment(index), Sample.SEGMENT_SIZE);
        }
        Sample.zero(segment(2), 0, Sample.SEGMENT_SIZE);
        Sample.extend(segment(2), huge);
        assertRepaired(without(2 * PER_SEGMENT, 3 * PER_SEGMENT));
        assertThat(quarantined(String.valueOf(segment(2).getFileName()))).hasSize(huge);
        assertThatThrownBy(() -> new QueueOptions().segmentSize(2L << 30))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("1073741824");
    }

    /** Makes files as a later version might. */
    @Test
    void hugeSegmentsAreRefused() throws IOException {
        Path file = directory().resolve("queue");
        try (MappedFile mapped = MappedFile.open(file)) {
            QueueFile.Slot slot = Objects.requireNonNull(QueueFile.Slot.read(mapped.memory()));
            for (int i = 1; i <= 2; i++) {
                new QueueFile.Slot(slot.sequence() + i, slot.queueId(), 4L << 30, slot.retired(), slot.synced(),
                        slot.cleanPosition()).write(mapped.memory());
            }
        }
        assertThat(foundInUse()).hasMessageContaining("at most 1073741824 bytes");
        assertThat(QueueFiles.verify(directory()).damages().getFirst().file()).isEqualTo(file);
    }

    @Test
    void zeroedSegmentIsReplaced() throws IOException {
        Sample.zero(segment(2), 0, Sample.SEGMENT_SIZE);
        assertFoundInUse(segment(2), 0, 2 * PER_SEGMENT);
        QueueCheck check = assertRepaired(without(2 * PER_SEGMENT, 3 * PER_SEGMENT));
        assertThat(check.damages().getFirst().what()).contains("header");
        assertThat(quarantined(String.valueOf(segment(2).getFileName()))).hasSize(Sample.SEGMENT_SIZE);
    }

    @Test
    void zeroedHeaderIsWrittenAnewOnlyIfTheGenerationIsLeft() throws IOException {
        Sample.zero(segment(2), 0, QueueLayout.GENERATION);
        Sample.zero(segment(2), QueueLayout.BASE_OFFSET, QueueLayout.HEADER);
        assertFoundInUse(segment(2), 0, 2 * PER_SEGMENT);
        assertRepaired(range(0, RECORDS));
        assertThat(quarantined(segment(2).getFileName() + "-0.bytes")).hasSize(QueueLayout.HEADER);
    }

    @Test
    void swappedSegmentsAreSwappedBack() throws IOException {
        Path other = temporary.resolve("other");
        Files.move(segment(1), other);
        Files.move(segment(2), segment(1));
        Files.move(other, segment(2));
        assertFoundInUse(segment(1), 0, PER_SEGMENT);
        QueueCheck check = assertRepaired(range(0, RECORDS));
        assertThat(check.damages()).extracting(QueueCheck.Damage::file).containsExactly(segment(1), segment(2));
        assertThat(check.damages().getFirst().what()).contains("segment of record " + 2 * PER_SEGMENT);
    }

    @Test
    void copyUnderAnotherNameIsPutAway() throws IOException {
        Files.copy(segment(2), segment(1), StandardCopyOption.REPLACE_EXISTING);
        assertFoundInUse(segment(1), 0, PER_SEGMENT);
        assertRepaired(without(PER_SEGMENT, 2 * PER_SEGMENT));
        assertThat(quarantined(String.valueOf(segment(1).getFileName()))).hasSameBinaryContentAs(segment(2));
    }

    @Test
    void segmentOfAnotherQueueIsPutAway() throws IOException {
        Path foreign = temporary.resolve("foreign");
        Sample.fill(foreign, RECORDS);
        Files.copy(Sample.segment(foreign, PER_SEGMENT), segment(1), StandardCopyOption.REPLACE_EXISTING);
        assertFoundInUse(segment(1), 0, PER_SEGMENT);
        QueueCheck check = assertRepaired(without(PER_SEGMENT, 2 * PER_SEGMENT));
        assertThat(check.damages().getFirst().what()).contains("another queue");
        assertThat(quarantined(String.valueOf(segment(1).getFileName())))
                .hasSameBinaryContentAs(Sample.segment(foreign, PER_SEGMENT));
    }

    @Test
    void missingSegmentLeavesItsOffsets() throws IOException {
        Files.delete(segment(1));
        assertThat(foundInUse()).isNotNull();
        QueueCheck check = assertRepaired(without(PER_SEGMENT, 2 * PER_SEGMENT));
        assertThat(check.damages()).hasSize(1);
        assertThat(check.damages().getFirst().file()).isEqualTo(segment(1));
        assertThat(check.damages().getFirst().what())
                .contains("records " + PER_SEGMENT + " to " + (2 * PER_SEGMENT - 1));
    }

    @Test
    void missingFirstSegmentMovesTheBeginning() throws IOException {
        Files.delete(segment(0));
        assertThat(foundInUse()).isNotNull().hasMessageContaining("missing");
        assertRepaired(range(PER_SEGMENT, RECORDS));
        try (Queue queue = Sample.open(directory())) {
            assertThat(queue.firstOffset()).isEqualTo(PER_SEGMENT);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void missingLastSegmentIsFoundAndLeavesItsOffsets(boolean isOpened) throws IOException {
        Files.delete(segment(3));
        assertThatThrownBy(() -> {
            if (isOpened) {
                Sample.open(directory());
            } else {
                Sample.offsets(directory());
            }
        }).isInstanceOf(QueueCorruptException.class);
        assertRepaired(range(0, 3 * PER_SEGMENT));
    }

    @Test
    void queueWithoutAnySegmentGoesOn() throws IOException {
        for (int i = 0; i < 4; i++) {
            Files.delete(segment(i));
        }
        assertThat(foundInUse()).isNotNull();
        assertRepaired(List.of());
    }

    @Test
    void absurdNameIsRefused() throws IOException {
        // A whole segment of this queue, with an offset that this queue cannot have reached.
        Path path = Sample.segment(directory(), 1L << 60);
        Files.copy(segment(3), path);
        Sample.rebase(path, 1L << 60);
        assertThat(QueueFiles.verify(directory()).isSound()).isFalse();
        assertThatThrownBy(() -> QueueFiles.repair(directory())).isInstanceOf(QueueException.class)
                .hasMessageContaining(Long.toString(1L << 60)).hasMessageContaining("Move it to another place");
        Files.delete(path);
        QueueFiles.repair(directory());
        assertUsable(range(0, RECORDS));
    }

    // --- The other files ---

    @Test
    void queueFileIsRebuiltFromTheSegments() throws IOException {
        Path file = directory().resolve("queue");
        Sample.zero(file, 0, QueueLayout.PAGE);
        assertFoundInUse(file, 0, -1);
        QueueCheck check = assertRepaired(range(0, RECORDS));
        assertThat(check.slots()).isEmpty();
        assertThat(check.segments()).hasSize(4);
        assertThat(quarantined("queue-0.bytes")).hasSize(QueueLayout.PAGE);
    }

    @Test
    void missingQueueFileIsRebuilt() throws IOException {
        Files.delete(directory().resolve("queue"));
        assertThat(foundInUse()).isNotNull().hasMessageContaining("missing");
        assertRepaired(range(0, RECORDS));
    }

    @Test
    void segmentWithADamagedHeaderIsNotTakenForRetiredWhenTheQueueFileIsMissing() throws IOException {
        Files.delete(directory().resolve("queue"));
        Sample.flip(segment(0), 3, 1);
        assertRepaired(range(0, RECORDS));
    }

    @Test
    void rebuiltQueueFileNeverSaysThatWhatIsNotThereIsKept() throws IOException {
        Path absurd = Sample.segment(directory(), 1L << 60);
        Files.copy(segment(3), absurd);
        Sample.rebase(absurd, 1L << 60);
        Files.delete(segment(0));
        Files.delete(directory().resolve("queue"));
        assertThatThrownBy(() -> QueueFiles.repair(directory())).isInstanceOf(QueueException.class);
        assertThat(QueueFiles.verify(directory()).slots()).isNotEmpty().allMatch(slot -> slot.retired() == PER_SEGMENT);
    }

    @Test
    void interruptedThreadRepairs() throws IOException {
        acknowledge(7);
        Files.write(segment(1), new byte[100], StandardOpenOption.APPEND);
        Sample.truncate(segment(2), Sample.position(20) + 50);
        Path group = directory().resolve("groups").resolve("a%20%E2%82%AC.group");
        Sample.truncate(group, 600);
        Thread.currentThread().interrupt();
        QueueCheck check = QueueFiles.repair(directory());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(check.repairs()).hasSizeGreaterThanOrEqualTo(3);
        assertUsable(without(2 * PER_SEGMENT + 20, 3 * PER_SEGMENT));
    }

    @Test
    void interruptedThreadOpensAQueueWhoseGroupWasCutOff() throws IOException {
        acknowledge(7);
        Sample.truncate(directory().resolve("groups").resolve("a%20%E2%82%AC.group"), 5000);
        Thread.currentThread().interrupt();
        Sample.open(directory()).close();
        assertThat(Thread.interrupted()).isTrue();
        assertUsable(range(0, RECORDS));
    }

    @Test
    void cutQueueFileIsRebuilt() throws IOException {
        Sample.truncate(directory().resolve("queue"), 600);
        assertRepaired(range(0, RECORDS));
    }

    @Test
    void queueFileThatIsCutBehindItsSlotsIsRebuilt() throws IOException {
        Path file = directory().resolve("queue");
        Sample.truncate(file, 2000);
        assertFoundInUse(file, 2000, -1);
        assertRepaired(range(0, RECORDS));
    }

    @Test
    void queueBehindASymbolicLinkCanBeMadeAgain() throws IOException {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory());
        QueueFiles.delete(link);
        assertThat(directory()).isEmptyDirectory();
        try (Queue queue = Queue.open(link)) {
            assertThat(queue.append(new byte[1])).isZero();
        }
    }

    @Test
    void onlyTheFilesOfAQueueAreDeleted() throws IOException {
        Path queue = Files.createDirectories(temporary.resolve("data").resolve("queue"));
        Path groups = Files.createDirectory(temporary.resolve("data").resolve("groups"));
        Path mine = Files.createFile(groups.resolve("mine"));
        try (Queue open = Queue.open(queue)) {
            open.append(new byte[1]);
            // By mistake: it is the directory of another one.
            QueueFiles.delete(temporary.resolve("data"));
            assertThat(queue.resolve("queue")).exists();
        }
        assertThat(mine).exists();
        assertThat(temporary.resolve("data")).isDirectoryNotContaining("glob:**lock");
        QueueFiles.delete(queue);
        assertThat(queue).doesNotExist();
    }

    @Test
    void whatIsWrongWithAFileIsSaid() throws IOException {
        Path file = Files.createFile(temporary.resolve("file"));
        for (Path path : List.of(file, file.resolve("queue"))) {
            assertThatThrownBy(() -> Queue.open(path)).isInstanceOf(QueueException.class)
                    .hasMessageContaining(
                            path + " cannot be opened: " + file + " is a file, and a queue is a directory");
        }
    }

    @Test
    void queueFileIsNotRebuiltFromSegmentsOfTwoQueues() throws IOException {
        Path foreign = temporary.resolve("foreign");
        Sample.fill(foreign, RECORDS);
        Files.copy(Sample.segment(foreign, PER_SEGMENT), segment(1), StandardCopyOption.REPLACE_EXISTING);
        Files.delete(directory().resolve("queue"));
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.isSound()).isFalse();
        assertThat(check.segments()).isEmpty();
        assertThat(check.notes()).isNotEmpty();
        assertThatThrownBy(() -> QueueFiles.repair(directory())).isInstanceOf(QueueException.class)
                .hasMessageContaining("different queues");
        Files.delete(segment(1));
        assertRepaired(without(PER_SEGMENT, 2 * PER_SEGMENT));
    }

    @Test
    void damagedSlotLeavesTheOtherOne() throws IOException {
        QueueCheck.Slot newest = QueueFiles.verify(directory()).slots().getFirst();
        Sample.flip(directory().resolve("queue"), newest.sequence() % 2 * QueueLayout.SLOT + 20, 1);
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.slots()).hasSize(1);
        assertThat(check.slots().getFirst().sequence()).isLessThan(newest.sequence());
        assertThat(check.notes())
                .anyMatch(note -> note.contains("slot at " + newest.sequence() % 2 * QueueLayout.SLOT));
        assertThat(check.isSound()).isTrue();
        Sample.open(directory()).close();
        assertThat(Sample.offsets(directory())).isEqualTo(range(0, RECORDS));
    }

    @Test
    void damagedGroupIsGivenEverythingAgain() throws IOException {
        acknowledge(7);
        Path file = directory().resolve("groups").resolve("a%20%E2%82%AC.group");
        QueueCheck sound = QueueFiles.verify(directory());
        assertThat(sound.groups()).hasSize(1);
        QueueCheck.Group group = sound.groups().getFirst();
        assertThat(group.file()).isEqualTo(file);
        assertThat(group.name()).isEqualTo("a €");
        assertThat(group.slots()).isEqualTo(2);
        assertThat(group.floor()).isEqualTo(7);
        assertThat(group.ahead()).isEqualTo(1);
        assertThat(group.words()).isPositive();
        Sample.zero(file, 0, QueueLayout.PAGE);
        QueueCheck check = assertRepaired(range(0, RECORDS));
        assertThat(check.damages()).extracting(QueueCheck.Damage::file).containsExactly(file);
        assertThat(quarantined(file.getFileName() + "-0.bytes")).exists();
        assertThat(acknowledge(0)).isZero();
    }

    /** Acknowledges the first records and one behind them. Returns the offset of the first that is delivered. */
    private long acknowledge(int count) {
        try (Queue queue = Sample.open(directory()); Consumer consumer = queue.group("a €").consumer()) {
            List<Delivery> deliveries = new ArrayList<>();
            for (int i = 0; i < count + 5; i++) {
                deliveries.add(Objects.requireNonNull(consumer.poll()));
            }
            for (int i = 0; i < count; i++) {
                deliveries.get(i).acknowledge();
            }
            if (count > 0) {
                deliveries.get(count + 2).acknowledge();
            }
            long first = deliveries.getFirst().offset();
            deliveries.forEach(Delivery::close);
            return first;
        }
    }

    @Test
    void groupOfAnotherQueueIsDamage() throws IOException {
        acknowledge(7);
        Path foreign = temporary.resolve("foreign");
        try (Queue queue = Sample.open(foreign)) {
            queue.group("a €");
        }
        Files.copy(foreign.resolve("groups").resolve("a%20%E2%82%AC.group"),
                directory().resolve("groups").resolve("a%20%E2%82%AC.group"), StandardCopyOption.REPLACE_EXISTING);
        QueueCheck check = assertRepaired(range(0, RECORDS));
        assertThat(check.damages().getFirst().what()).contains("another queue");
    }

    @Test
    void manyDamagesAtOnce() throws IOException {
        Sample.flip(segment(0), Sample.position(3) + 30, 1);
        Sample.flip(segment(0), Sample.position(9) + 30, 1);
        Sample.zero(segment(2), 0, Sample.SEGMENT_SIZE);
        Sample.flip(segment(3), Sample.position(1), 1);
        Sample.zero(directory().resolve("queue"), 0, QueueLayout.PAGE);
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.damages()).isNotEmpty();
        QueueFiles.repair(directory());
        List<Long> expected = new ArrayList<>(without(2 * PER_SEGMENT, 3 * PER_SEGMENT));
        expected.removeAll(List.of(3L, 9L, 3L * PER_SEGMENT + 1));
        assertUsable(expected);
    }

    /** Beside a writer, which has the content of the file in memory. */
    @Test
    void aSurveyDoesNotLeaveADamagedGroupOut() throws IOException {
        try (Queue queue = Sample.open(directory())) {
            assertThat(queue.group("a").position()).isEqualTo(queue.group("b").position());
            assertThat(QueueFiles.survey(directory()).groups()).extracting(QueueSurvey.Group::name).contains("a", "b");
            Path file = directory().resolve("groups").resolve("b.group");
            byte[] content = Files.readAllBytes(file);
            Sample.zero(file, 0, QueueLayout.PAGE);
            assertThatThrownBy(() -> QueueFiles.survey(directory())).isInstanceOf(QueueCorruptException.class)
                    .hasMessageContaining("b.group").hasMessageContaining("neither of its slots is whole");
            Files.write(file, content, StandardOpenOption.WRITE);
            queue.deleteGroup("b");
            assertThat(QueueFiles.survey(directory()).groups()).extracting(QueueSurvey.Group::name).contains("a")
                    .doesNotContain("b");
        }
    }

    /** Its group would not keep records. */
    @Test
    void aGroupsFileIsNotTakenAwayBeforeThereIsAnother() throws IOException {
        try (Queue queue = Sample.open(directory())) {
            queue.group("held");
        }
        Path groups = directory().resolve("groups");
        Files.delete(groups.resolve("held.group"));
        Files.createDirectory(groups.resolve("held.group"));
        Path obstacle = Files.createDirectories(groups.resolve("repair.new").resolve("obstacle"));
        assertThatThrownBy(() -> QueueFiles.repair(directory())).isInstanceOf(UncheckedIOException.class);
        Files.delete(obstacle);
        assertThat(QueueFiles.repair(directory()).isSound()).isFalse();
        try (Queue queue = Sample.open(directory())) {
            assertThat(queue.groups()).contains("held");
        }
    }

    @Test
    void progressCountsEachSegment() {
        List<Long> told = new ArrayList<>();
        QueueCheck check = QueueFiles.verify(directory(), told::add);
        assertThat(told).containsExactly(0L, (long) Sample.SEGMENT_SIZE, 2L * Sample.SEGMENT_SIZE,
                3L * Sample.SEGMENT_SIZE);
        assertThat(check).isEqualTo(QueueFiles.verify(directory()));

        List<Long> toldByRepair = new ArrayList<>();
        assertThat(QueueFiles.repair(directory(), toldByRepair::add)).isEqualTo(check);
        assertThat(toldByRepair).isEqualTo(told);
    }
}
