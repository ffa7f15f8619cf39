package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.tailers.TailerFile;
import dev.outcrop.queue.internal.tailers.Tailers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Others read along, see only what is there, and nothing is taken away under them. */
class TailerTest extends QueueFixture {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;

    private List<Path> registrations() throws IOException {
        return Sample.files(directory().resolve("tailers"), "");
    }

    /** Reads all that is there. Returns how many records that was. */
    private static int readAll(Tailer tailer) {
        int count = 0;
        while (tailer.poll()) {
            assertThat(Payloads.intact(tailer.segment())).isEqualTo(new Payloads.Id(1, tailer.offset()));
            count++;
        }
        return count;
    }

    // --- Reading ---

    @Test
    void recordsAreSeenAsTheyAreAppended() {
        try (Queue queue = Sample.open(directory()); Tailer tailer = Tailer.open(directory())) {
            assertThat(tailer.poll()).isFalse();
            for (int i = 0; i < 5 * PER_SEGMENT; i++) {
                Sample.append(queue, i + 1);
                assertThat(tailer.poll()).isTrue();
                assertThat(tailer.offset()).isEqualTo(i);
                assertThat(tailer.nextOffset()).isEqualTo(i + 1);
                assertThat(Payloads.intact(tailer.segment())).isEqualTo(new Payloads.Id(1, i));
                assertThat(tailer.segment().byteSize()).isEqualTo(Sample.LENGTH);
                assertThat(tailer.segment().isReadOnly()).isTrue();
                assertThat(tailer.time()).isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
                assertThat(tailer.poll()).isFalse();
            }
        }
    }

    @Test
    void queueThatNobodyWritesIsReadWhole() {
        Sample.fill(directory(), 3 * PER_SEGMENT);
        assertThat(Sample.offsets(directory())).isEqualTo(range(0, 3 * PER_SEGMENT));
    }

    @Test
    void recordsOfAllSizesAreRead() {
        try (Queue queue = Sample.open(directory()); Tailer tailer = Tailer.open(directory())) {
            int most = Sample.SEGMENT_SIZE - QueueLayout.HEADER - QueueLayout.PAYLOAD;
            for (int length : new int[]{0, 1, 7, 8, 9, most, most - 1, 0, 0, most - 24, 0, most - 48, 0, 1}) {
                byte[] bytes = new byte[length];
                Arrays.fill(bytes, (byte) length);
                queue.append(bytes);
                assertThat(tailer.poll()).isTrue();
                assertThat(tailer.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(bytes);
            }
            assertThat(tailer.poll()).isFalse();
        }
    }

    @Test
    void withdrawnRecordsAreLeftOut() {
        try (Queue queue = Sample.open(directory()); Tailer tailer = Tailer.open(directory())) {
            Sample.append(queue, 2);
            Polls.appendWithdrawn(queue);
            Sample.append(queue, 4);
            List<Long> offsets = new ArrayList<>();
            while (tailer.poll()) {
                offsets.add(tailer.offset());
            }
            assertThat(offsets).containsExactly(0L, 1L, 3L);
        }
    }

    @Test
    void recordThatIsBeingWrittenIsNotSeen() throws InterruptedException {
        try (Queue queue = Sample.open(directory()); Tailer tailer = Tailer.open(directory())) {
            Sample.append(queue, 1);
            assertThat(tailer.poll()).isTrue();
            queue.append(8, payload -> {
                payload.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 7);
                Thread other = new Thread(() -> queue.append(new byte[3]));
                other.start();
                joined(other);
                assertThat(tailer.poll()).as("nor what is behind it").isFalse();
            });
            assertThat(tailer.poll()).isTrue();
            assertThat(tailer.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(7);
            assertThat(tailer.poll(Duration.ofSeconds(10))).isTrue();
            assertThat(tailer.segment().byteSize()).isEqualTo(3);
        }
    }

    private static void joined(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void seekGoesAnywhere() {
        try (Queue queue = Sample.open(directory()); Tailer tailer = Tailer.open(directory())) {
            Sample.append(queue, 4 * PER_SEGMENT + 3);
            for (long offset : new long[]{0, 1, PER_SEGMENT - 1, PER_SEGMENT, PER_SEGMENT + 1, 4 * PER_SEGMENT, 3, 2}) {
                tailer.seek(offset);
                assertThat(tailer.nextOffset()).isEqualTo(offset);
                assertThat(tailer.poll()).isTrue();
                assertThat(tailer.offset()).isEqualTo(offset);
                assertThat(Payloads.intact(tailer.segment())).isEqualTo(new Payloads.Id(1, offset));
            }
            tailer.seekToEnd();
            assertThat(tailer.poll()).isFalse();
            Sample.append(queue, 4 * PER_SEGMENT + 4);
            assertThat(tailer.poll()).isTrue();
            assertThat(tailer.offset()).isEqualTo(4 * PER_SEGMENT + 3);
            tailer.seekToBeginning();
            assertThat(readAll(tailer)).isEqualTo(4 * PER_SEGMENT + 4);
            tailer.seek(Long.MAX_VALUE);
            assertThat(tailer.nextOffset()).isEqualTo(4 * PER_SEGMENT + 4);
            tailer.seek(5);
            assertThatIllegalArgumentException().isThrownBy(() -> tailer.seek(-1)).withMessageContaining("-1");
            assertThat(tailer.nextOffset()).isEqualTo(5);
        }
    }

    private static void assertAt(Tailer tailer, long offset) {
        assertThat(tailer.nextOffset()).isEqualTo(offset);
        assertThat(tailer.poll()).isTrue();
        assertThat(Payloads.intact(tailer.segment())).isEqualTo(new Payloads.Id(1, offset));
    }

    @Test
    void seekGoesToATime() throws Exception {
        try (Queue queue = recycling(); Tailer tailer = Tailer.open(directory())) {
            tailer.seek(Instant.now());
            assertThat(tailer.nextOffset()).as("of an empty queue").isZero();
            for (int i = 1; i <= 8; i++) {
                Sample.append(queue, i * PER_SEGMENT / 2);
                Polls.appendWithdrawn(queue);
                queue.advance(Duration.ofMillis(3));
            }
            long end = queue.nextOffset();
            List<Long> offsets = new ArrayList<>();
            List<Instant> times = new ArrayList<>();
            while (tailer.poll()) {
                offsets.add(tailer.offset());
                times.add(Instant.ofEpochMilli(tailer.time()));
            }
            assertThat(new TreeSet<>(times)).hasSizeGreaterThan(3);
            for (Instant time : new TreeSet<>(times)) {
                for (Instant wanted : List.of(time, time.minusNanos(1), time.plusNanos(1))) {
                    int first = 0;
                    while (first < times.size() && times.get(first).isBefore(wanted)) {
                        first++;
                    }
                    long expected = first < times.size() ? offsets.get(first) : end;
                    tailer.seek(wanted);
                    assertThat(tailer.nextOffset()).as("%s", wanted).isEqualTo(expected);
                    assertThat(tailer.poll()).isEqualTo(expected < end);
                }
            }
            tailer.seek(Instant.MIN);
            assertAt(tailer, 0);
            tailer.seek(Instant.MAX);
            assertThat(tailer.nextOffset()).isEqualTo(end);
            assertThatIllegalStateException().isThrownBy(tailer::offset);
            tailer.seek(times.getLast());
            assertThat(queue.group("group").seek(times.getLast())).isEqualTo(tailer.nextOffset());
            acknowledgeAll(queue);
            assertThat(queue.firstOffset()).as("held by the tailer").isPositive()
                    .isLessThanOrEqualTo(tailer.nextOffset());
        }
    }

    @Test
    void seekToATimeFindsDamage() throws IOException {
        long damaged = PER_SEGMENT + 3;
        Sample.fill(directory(), PER_SEGMENT + 10);
        Sample.flip(Sample.segment(directory(), PER_SEGMENT), Sample.position(damaged) + 100, 3);
        try (Tailer tailer = Tailer.open(directory())) {
            assertThatThrownBy(() -> tailer.seek(Instant.now().plusSeconds(60)))
                    .isInstanceOf(QueueCorruptException.class).hasMessageContaining("record " + damaged + " ");
            assertThatThrownBy(tailer::poll).isInstanceOf(QueueCorruptException.class);
            tailer.seek(damaged + 1);
            assertAt(tailer, damaged + 1);
        }
    }

    @Test
    void seekGoesBeyondDamage() throws IOException {
        int end = PER_SEGMENT + 10;
        Sample.fill(directory(), end);
        Path real = directory().toRealPath();
        Path first = Sample.segment(directory(), 0);
        for (int damaged : new int[]{3, 5, 6, 7, PER_SEGMENT - 1}) {
            Sample.flip(first, Sample.position(damaged) + 100, 3);
        }
        Sample.flip(Sample.segment(directory(), PER_SEGMENT), Sample.position(end - 1) + 100, 3);
        try (Tailer tailer = Tailer.open(directory())) {
            for (long offset : new long[]{2, 4, 8, 9, PER_SEGMENT - 2, PER_SEGMENT, end - 2}) {
                tailer.seek(offset);
                assertAt(tailer, offset);
            }
            for (long offset : new long[]{3, 5, 6, 7, PER_SEGMENT - 1, end - 1}) {
                tailer.seek(offset);
                assertThat(tailer.nextOffset()).isEqualTo(offset);
                assertThatThrownBy(tailer::poll).isInstanceOfSatisfying(QueueCorruptException.class, damage -> {
                    assertThat(damage).hasMessageContaining("record " + offset);
                    assertThat(damage.offset()).isEqualTo(offset);
                    assertThat(damage.file()).isEqualTo(Sample.segment(real, offset < PER_SEGMENT ? 0 : PER_SEGMENT));
                    assertThat(damage.position()).isEqualTo(Sample.position(offset));
                });
            }
            tailer.seekToEnd();
            assertThat(tailer.nextOffset()).isEqualTo(end);
            assertThat(tailer.poll()).isFalse();
        }
    }

    @Test
    void damagedLengthIsNotFollowed() throws IOException {
        Sample.fill(directory(), 20);
        // The lowest byte of the length.
        Sample.flip(Sample.segment(directory(), 0), Sample.position(5), 3);
        try (Tailer tailer = Tailer.open(directory())) {
            assertThatThrownBy(() -> tailer.seek(6)).isInstanceOf(QueueCorruptException.class)
                    .hasMessageContaining("record 5 ").hasMessageContaining("byte " + Sample.position(5));
        }
    }

    @Test
    void seekGoesBeyondDamageThatIsNotOnTheDiskIfSomethingFollows() throws IOException {
        try (Queue queue = Sample.open(directory()); Tailer tailer = Tailer.open(directory())) {
            Sample.append(queue, 10);
            Path file = Sample.segment(directory(), 0);
            Sample.flip(file, Sample.position(4) + 100, 3);
            Sample.flip(file, Sample.position(9) + 100, 3);
            tailer.seek(5);
            assertAt(tailer, 5);
            tailer.seekToEnd();
            // It looks like one that a power cut has left.
            assertThat(tailer.nextOffset()).isEqualTo(9);
            Sample.append(queue, 12);
            tailer.seekToEnd();
            assertThat(tailer.nextOffset()).isEqualTo(12);
            Sample.append(queue, 13);
            assertAt(tailer, 12);
        }
    }

    @Test
    void interruptedThreadCanTail() {
        Sample.fill(directory(), PER_SEGMENT);
        Thread.currentThread().interrupt();
        List<Long> offsets = Sample.offsets(directory());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(offsets).isEqualTo(range(0, PER_SEGMENT));
    }

    @Test
    void queueIsFollowedWhenItIsOpenedAgain() {
        Sample.fill(directory(), 10);
        try (Tailer tailer = Tailer.open(directory())) {
            assertThat(readAll(tailer)).isEqualTo(10);
            for (int i = 1; i < 10; i++) {
                Sample.fill(directory(), 10 + 20 * i);
                assertThat(readAll(tailer)).isEqualTo(20);
            }
        }
    }

    @Test
    void pollWaits() throws InterruptedException {
        try (Queue queue = Sample.open(directory()); Tailer tailer = Tailer.open(directory())) {
            assertThat(tailer.poll(Duration.ZERO)).isFalse();
            assertThat(tailer.poll(Duration.ofMillis(3))).isFalse();
            Thread producer = new Thread(() -> Sample.append(queue, 1));
            producer.start();
            assertThat(tailer.poll(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
            producer.join();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> tailer.poll(Duration.ofDays(1))).isInstanceOf(InterruptedException.class);
        }
    }

    // --- What it holds ---

    /** A queue that gives files back with every call. */
    private Queue recycling() {
        return Queue.open(directory(), Sample.inForeground());
    }

    private static void acknowledgeAll(Queue queue) {
        try (Consumer consumer = queue.group("group").consumer()) {
            for (Delivery delivery = consumer.poll(); delivery != null; delivery = consumer.poll()) {
                delivery.acknowledge();
                delivery.close();
            }
        }
    }

    @Test
    void whatATailerReadsIsNotGivenBack() throws IOException {
        try (Queue queue = recycling()) {
            queue.group("group");
            Sample.append(queue, 3 * PER_SEGMENT);
            try (Tailer tailer = Tailer.open(directory())) {
                assertThat(tailer.poll()).isTrue();
                MemorySegment first = tailer.segment();
                acknowledgeAll(queue);
                Sample.append(queue, 6 * PER_SEGMENT);
                acknowledgeAll(queue);
                assertThat(queue.firstOffset()).isZero();
                assertThat(Sample.segment(directory(), 0)).exists();
                assertThat(Payloads.intact(first)).isEqualTo(new Payloads.Id(1, 0));
                for (int i = 1; i <= PER_SEGMENT; i++) {
                    assertThat(tailer.poll()).isTrue();
                }
                // In the second segment now. It goes on holding that.
                Sample.append(queue, 8 * PER_SEGMENT);
                acknowledgeAll(queue);
                assertThat(queue.firstOffset()).isEqualTo(PER_SEGMENT);
                assertThat(Sample.segment(directory(), 0)).doesNotExist();
                assertThat(readAll(tailer)).isEqualTo(7 * PER_SEGMENT - 1);
                tailer.seekToBeginning();
                assertThat(tailer.nextOffset()).as("retired, though it is there").isGreaterThan(PER_SEGMENT);
            }
            Sample.append(queue, 10 * PER_SEGMENT);
            acknowledgeAll(queue);
            assertThat(queue.firstOffset()).isGreaterThanOrEqualTo(8 * PER_SEGMENT);
            try (Tailer tailer = Tailer.open(directory())) {
                tailer.seek(3);
                assertThat(tailer.nextOffset()).isEqualTo(queue.firstOffset());
            }
        }
        assertThat(registrations()).isEmpty();
    }

    @Test
    @Tag("verify")
    void tailerOfAnotherProcessHoldsUntilItIsKilled() throws IOException {
        try (Queue queue = recycling()) {
            queue.group("group");
            Sample.append(queue, 3 * PER_SEGMENT);
            try (RunningJvm child = RunningJvm.start(TailProgram.class, directory())) {
                assertThat(child.readLine()).isEqualTo("open");
                child.writeLine("1");
                assertThat(child.readLine()).isEqualTo("0");
                assertThat(registrations()).hasSize(1);
                assertThat(String.valueOf(registrations().getFirst().getFileName())).startsWith(child.pid() + "-");
                // As that of another user.
                Files.setPosixFilePermissions(registrations().getFirst(), PosixFilePermissions.fromString("r--r--r--"));
                acknowledgeAll(queue);
                Sample.append(queue, 6 * PER_SEGMENT);
                acknowledgeAll(queue);
                assertThat(queue.firstOffset()).isZero();
                child.writeLine(Integer.toString(PER_SEGMENT));
                assertThat(child.readLine()).isEqualTo(Integer.toString(PER_SEGMENT));
                Sample.append(queue, 7 * PER_SEGMENT);
                acknowledgeAll(queue);
                assertThat(queue.firstOffset()).isEqualTo(PER_SEGMENT);
                child.writeLine("1000000");
                assertThat(child.readLine()).isEqualTo(Integer.toString(7 * PER_SEGMENT - 1));
                child.writeLine("1");
                assertThat(child.readLine()).isEqualTo("-1");
                Sample.append(queue, 8 * PER_SEGMENT);
                acknowledgeAll(queue);
                assertThat(queue.firstOffset()).isEqualTo(6 * PER_SEGMENT);
                child.kill();
            }
            assertThat(registrations()).hasSize(1);
            Sample.append(queue, 9 * PER_SEGMENT);
            acknowledgeAll(queue);
            assertThat(registrations()).isEmpty();
            assertThat(queue.firstOffset()).isGreaterThanOrEqualTo(7 * PER_SEGMENT);
        }
    }

    @Test
    void whatATailerReadsIsNotGivenBackByTheNextWriterEither() {
        try (Queue queue = recycling()) {
            queue.group("group");
            Sample.append(queue, 3 * PER_SEGMENT);
        }
        try (Tailer tailer = Tailer.open(directory())) {
            assertThat(tailer.poll()).isTrue();
            for (int i = 4; i < 8; i++) {
                try (Queue queue = recycling()) {
                    acknowledgeAll(queue);
                    Sample.append(queue, (long) i * PER_SEGMENT);
                    acknowledgeAll(queue);
                }
                assertThat(Sample.segment(directory(), 0)).exists();
                assertThat(Payloads.intact(tailer.segment())).isEqualTo(new Payloads.Id(1, 0));
            }
            assertThat(readAll(tailer)).isEqualTo(7 * PER_SEGMENT - 1);
        }
    }

    @Test
    void lowestNeedIsThatOfTheLivingTailers() throws IOException {
        Sample.fill(directory(), 3 * PER_SEGMENT);
        Path real = directory().toRealPath();
        assertThat(Tailers.lowestNeeded(real)).isEqualTo(Long.MAX_VALUE);
        assertThat(Tailers.lowestNeeded(temporary)).as("no directory").isEqualTo(Long.MAX_VALUE);
        try (Tailer first = Tailer.open(directory()); Tailer second = Tailer.open(directory())) {
            assertThat(Tailers.lowestNeeded(real)).isZero();
            first.seek(2 * PER_SEGMENT + 1);
            assertThat(Tailers.lowestNeeded(real)).isZero();
            second.seek(PER_SEGMENT + 1);
            assertThat(Tailers.lowestNeeded(real)).isEqualTo(PER_SEGMENT);
            assertThat(registrations()).hasSize(2);
            ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(registrations().getFirst()))
                    .order(ByteOrder.LITTLE_ENDIAN);
            assertThat(content.limit()).isEqualTo(TailerFile.SIZE);
            assertThat(content.getLong()).isEqualTo(TailerFile.MAGIC);
            assertThat(content.getLong()).isIn((long) PER_SEGMENT, 2L * PER_SEGMENT);
        }
        assertThat(registrations()).isEmpty();
        // The leftover of a killed process.
        Path left = Files.write(real.resolve("tailers").resolve("1-1.tailer"), new byte[16]);
        assertThat(Tailers.lowestNeeded(real)).isEqualTo(Long.MAX_VALUE);
        assertThat(left).doesNotExist();
    }

    @Test
    void aQueueThatIsDeletedAndMadeAnewIsAnother() throws InterruptedException {
        Sample.fill(directory(), 10);
        try (Tailer tailer = Tailer.open(directory())) {
            assertThat(tailer.poll()).isTrue();
            QueueFiles.delete(directory());
            Sample.fill(directory(), 20);
            for (int i = 1; i < 10; i++) {
                assertThat(tailer.poll()).isTrue();
                assertThat(tailer.offset()).isEqualTo(i);
            }
            assertThatThrownBy(() -> tailer.poll(Duration.ofMinutes(1))).isInstanceOf(QueueException.class)
                    .hasMessageContainingAll(directory().toString(), "was deleted or moved", "Open another one");
            assertThatThrownBy(tailer::seekToBeginning).isInstanceOf(QueueException.class);
        }
        try (Tailer tailer = Tailer.open(directory())) {
            tailer.seek(19);
            assertThat(tailer.poll()).isTrue();
        }
    }

    @Test
    void aQueueThatIsDeletedInFrontOfATailerIsNotCalledDamaged() {
        Sample.fill(directory(), 2 * PER_SEGMENT);
        try (Tailer tailer = Tailer.open(directory())) {
            assertThat(tailer.poll()).isTrue();
            QueueFiles.delete(directory());
            for (int i = 1; i < PER_SEGMENT; i++) {
                assertThat(tailer.poll()).isTrue();
            }
            assertThatThrownBy(tailer::poll).isExactlyInstanceOf(QueueException.class)
                    .hasMessageContainingAll(directory().toString(), "was deleted or moved", "Open another one");
            Sample.fill(directory(), 2 * PER_SEGMENT);
            assertThatThrownBy(tailer::poll).isExactlyInstanceOf(QueueException.class)
                    .hasMessageContaining("was deleted or moved");
        }
    }

    /** No user, not even root, can write it, map it or delete it. */
    @Test
    void whatCannotBeReadHoldsNothingBack() throws IOException {
        Path unreadable = directory().resolve("tailers").resolve("1-1.tailer");
        Files.createDirectories(unreadable.resolve("content"));
        try (Queue queue = recycling()) {
            queue.group("group");
            Sample.append(queue, 3 * PER_SEGMENT);
            acknowledgeAll(queue);
            assertThat(queue.firstOffset()).isGreaterThanOrEqualTo(PER_SEGMENT);
            try (Tailer tailer = Tailer.open(directory())) {
                assertThat(tailer.poll()).isTrue();
                long held = queue.firstOffset();
                Sample.append(queue, 6 * PER_SEGMENT);
                acknowledgeAll(queue);
                assertThat(queue.firstOffset()).isEqualTo(held);
            }
        }
        recycling().close();
        assertThat(unreadable).exists();
    }

    /** Root may read everything, so this asks only how it is decided. */
    @Test
    void whatCannotBeReadHoldsAllBackWhileItsProcessMayLive() throws Exception {
        Path tailers = Files.createDirectories(temporary.resolve("tailers"));
        Path mine = Files.createFile(tailers.resolve(ProcessHandle.current().pid() + "-1.tailer"));
        assertThat(Tailers.mayLive(mine)).isTrue();
        // Then its number was that of another process before.
        Files.setLastModifiedTime(mine, FileTime.from(Instant.now().minus(Duration.ofDays(10_000))));
        assertThat(Tailers.mayLive(mine)).isFalse();
        try (RunningJvm child = RunningJvm.start(HoldLockProgram.class, Files.createDirectory(directory()), "lock")) {
            assertThat(child.readLine()).isNotEmpty();
            Path ended = Files.createFile(tailers.resolve(child.pid() + "-7.tailer"));
            assertThat(Tailers.mayLive(ended)).isTrue();
            child.kill();
            assertThat(Tailers.mayLive(ended)).isFalse();
        }
        assertThat(Tailers.mayLive(Files.createFile(tailers.resolve("x-1.tailer")))).isFalse();
        assertThat(Tailers.mayLive(tailers.resolve("1-2.tailer"))).as("not there").isFalse();
    }

    @Test
    void theWriterMayReadWhatTailersNeed() throws IOException {
        Sample.fill(directory(), 1);
        try (Tailer _ = Tailer.open(directory())) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(registrations().getFirst())))
                    .isEqualTo("rw-r--r--");
        }
    }

    @Test
    @Tag("verify")
    void segmentsAreGivenBackWhileTailersComeAndGo() throws Exception {
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        try (Queue queue = Queue.open(directory(),
                new QueueOptions().segmentSize(Sample.SEGMENT_SIZE).maxRecords(1000))) {
            queue.group("group");
            Sample.append(queue, 1);
            Thread producer = new Thread(() -> Sample.append(queue, 20_000));
            Thread consumer = new Thread(() -> {
                while (queue.nextOffset() < 20_000) {
                    acknowledgeAll(queue);
                }
            });
            threads.addAll(List.of(producer, consumer));
            for (int i = 0; i < 2; i++) {
                int seed = i;
                threads.add(new Thread(() -> comeAndGo(queue, seed)));
            }
            threads.forEach(thread -> {
                thread.setUncaughtExceptionHandler((_, e) -> failures.add(e));
                thread.start();
            });
            Polls.joinAll(threads);
            assertThat(failures).isEmpty();
            // The queue gives up its files in the background.
            Polls.waitWhile(() -> queue.firstOffset() == 0);
        }
        assertThat(registrations()).isEmpty();
    }

    /** Opens tailers, which read a few records here and there. */
    private void comeAndGo(Queue queue, int seed) {
        Random random = new Random(seed);
        while (queue.nextOffset() < 20_000) {
            try (Tailer tailer = Tailer.open(directory())) {
                for (int i = random.nextInt(5); i >= 0; i--) {
                    tailer.seek(random.nextInt(3) == 0 ? 0 : random.nextLong(queue.nextOffset()));
                    for (int j = random.nextInt(100); j > 0 && tailer.poll(); j--) {
                        Payloads.Id payload = Payloads.intact(tailer.segment());
                        if (!payload.equals(new Payloads.Id(1, tailer.offset()))) {
                            throw new AssertionError("record " + tailer.offset() + " is " + payload);
                        }
                    }
                }
            }
        }
    }

    // --- Misuse ---

    @Test
    void segmentEndsWithTheNextPoll() {
        Sample.fill(directory(), 3);
        Tailer tailer = Tailer.open(directory());
        assertThatIllegalStateException().isThrownBy(tailer::offset).withMessageContaining("poll()");
        assertThatIllegalStateException().isThrownBy(tailer::segment);
        assertThatIllegalStateException().isThrownBy(tailer::time);
        assertThat(tailer.poll()).isTrue();
        MemorySegment first = tailer.segment();
        assertThat(tailer.segment()).isSameAs(first);
        assertThat(tailer.poll()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> first.get(ValueLayout.JAVA_BYTE, 0));
        MemorySegment second = tailer.segment();
        tailer.seek(2);
        assertThatIllegalStateException().isThrownBy(() -> second.get(ValueLayout.JAVA_BYTE, 0));
        assertThatIllegalStateException().isThrownBy(tailer::offset);
        assertThat(tailer.poll()).isTrue();
        MemorySegment third = tailer.segment();
        assertThatIllegalArgumentException().isThrownBy(() -> third.fill((byte) 0)).withMessageContaining("read-only");
        tailer.close();
        assertThatIllegalStateException().isThrownBy(() -> third.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void closedTailerSaysSo() throws IOException {
        Sample.fill(directory(), 3);
        Tailer tailer = Tailer.open(directory());
        assertThat(registrations()).hasSize(1);
        tailer.close();
        tailer.close();
        assertThat(registrations()).isEmpty();
        for (ThrowingCallable call : List.<ThrowingCallable>of(tailer::poll, tailer::offset, tailer::time,
                tailer::segment, tailer::nextOffset, tailer::seekToEnd, tailer::seekToBeginning,
                () -> tailer.seek(0), () -> tailer.poll(Duration.ZERO))) {
            assertThatIllegalStateException().isThrownBy(call)
                    .withMessageContaining("The tailer of queue " + directory() + " is closed");
        }
    }

    @Test
    void otherThreadsAreRefused() throws InterruptedException {
        Sample.fill(directory(), 3);
        try (Tailer tailer = Tailer.open(directory())) {
            assertThat(tailer.poll()).isTrue();
            ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
            for (Runnable call : List.<Runnable>of(tailer::poll, tailer::close, tailer::segment, tailer::seekToEnd)) {
                Thread other = new Thread(call);
                other.setUncaughtExceptionHandler((_, e) -> failures.add(e));
                other.start();
                other.join();
                assertThat(failures.poll()).isInstanceOf(WrongThreadException.class)
                        .hasMessageContaining("let each thread open its own");
            }
            assertThat(Payloads.intact(tailer.segment())).isEqualTo(new Payloads.Id(1, 0));
        }
    }

    @Test
    void whereThereIsNoQueueThereIsNoTailer() throws IOException {
        assertThatThrownBy(() -> Tailer.open(temporary.resolve("none"))).isInstanceOf(QueueException.class)
                .hasMessage("There is no queue in " + temporary.resolve("none")
                        + ": there is no such directory; give the directory that a queue was opened in");
        Path file = Files.createFile(temporary.resolve("file"));
        assertThatThrownBy(() -> Tailer.open(file)).isInstanceOf(QueueException.class)
                .hasMessageContaining("that is not a directory");
        Files.createDirectory(directory());
        assertThatThrownBy(() -> Tailer.open(directory())).isInstanceOf(QueueException.class)
                .hasMessageContaining("it has no file 'queue'; give the directory");
        assertThat(directory()).isEmptyDirectory();
        Files.write(directory().resolve("queue"), new byte[10]);
        assertThatThrownBy(() -> Tailer.open(directory())).isInstanceOf(QueueCorruptException.class);
        assertThat(registrations()).isEmpty();
    }
}
