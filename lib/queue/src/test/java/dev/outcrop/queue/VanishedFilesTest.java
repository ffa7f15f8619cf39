package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a queue that others remove, cut off, or put something else in the place of, while it is open and while it is closed. */
class VanishedFilesTest {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;
    private static final int RECORDS = 2 * PER_SEGMENT + 10;

    @TempDir
    private Path temporary;

    private Path directory() throws IOException {
        return temporary.toRealPath().resolve("queue");
    }

    private static void append(Queue queue, int count) {
        Sample.append(queue, queue.nextOffset() + count);
    }

    /** Appends until there is a spare: one may have come too late for its segment, and then there is none before the next. */
    private static List<Path> awaitSpares(Queue queue, Path directory) throws Exception {
        List<Path> spares = Sample.files(directory, ".spare");
        while (spares.isEmpty()) {
            append(queue, 1);
            Thread.sleep(1);
            spares = Sample.files(directory, ".spare");
        }
        return spares;
    }

    enum Damage {
        REMOVED,
        CUT,
        EMPTIED,
        REPLACED,
        LINKED;

        void to(Path file, Path elsewhere) throws IOException {
            switch (this) {
                case REMOVED -> Files.delete(file);
                case CUT -> Sample.truncate(file, Files.size(file) / 2);
                case EMPTIED -> Sample.truncate(file, 0);
                case REPLACED -> {
                    byte[] content = Files.readAllBytes(file);
                    Files.delete(file);
                    Files.write(file, content);
                }
                case LINKED -> {
                    Files.move(file, elsewhere);
                    Files.createSymbolicLink(file, elsewhere);
                }
            }
        }
    }

    // --- While it is open ---

    @ParameterizedTest
    @EnumSource(Damage.class)
    void spareIsReplacedByAnotherOne(Damage damage) throws Exception {
        long end;
        try (Queue queue = Sample.open(directory())) {
            for (int round = 0; round < 3; round++) {
                append(queue, PER_SEGMENT / 2);
                int i = 0;
                for (Path spare : awaitSpares(queue, directory())) {
                    damage.to(spare, temporary.resolve("elsewhere-" + round + "-" + i++));
                }
                append(queue, PER_SEGMENT);
            }
            end = queue.nextOffset();
        }
        assertThat(QueueFiles.verify(directory()).damages()).isEmpty();
        assertThat(Sample.offsets(directory())).isEqualTo(LongStream.range(0, end).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void queueWithoutItsLockFileStaysThisProcesss(boolean isReplaced) throws Exception {
        Path lock = directory().resolve("lock");
        try (Queue queue = Sample.open(directory())) {
            append(queue, 1);
            Files.delete(lock);
            if (isReplaced) {
                Files.createFile(lock);
            }
            assertThatThrownBy(() -> Sample.open(directory())).isInstanceOf(QueueLockedException.class)
                    .hasMessageContaining("in this process");
            append(queue, RECORDS);
        }
        assertThat(QueueFiles.verify(directory()).damages()).isEmpty();
        assertThat(Sample.offsets(directory())).hasSize(RECORDS + 1);
    }

    @Test
    @Tag("verify")
    void noOtherProcessGetsInWhenTheLockFileIsRemoved() throws Exception {
        try (RunningJvm child = RunningJvm.start(HoldLockProgram.class, directory(), "queue")) {
            assertThat(child.readLine()).isEqualTo("open");
            for (int i = 0; i < 2; i++) {
                Files.delete(directory().resolve("lock"));
                assertThatThrownBy(() -> Queue.open(directory())).isInstanceOf(QueueLockedException.class)
                        .hasMessageContaining("'lock' was removed or replaced");
                assertThatThrownBy(() -> QueueFiles.verify(directory())).isInstanceOf(QueueLockedException.class);
                assertThatThrownBy(() -> QueueFiles.repair(directory())).isInstanceOf(QueueLockedException.class);
                assertThatThrownBy(() -> QueueFiles.delete(directory())).isInstanceOf(QueueLockedException.class);
                // Which opens and closes the file "queue", and must not let go of its lock.
                Tailer.open(directory()).close();
            }
        }
        Queue.open(directory()).close();
    }

    @ParameterizedTest
    @EnumSource(value = Damage.class, names = "LINKED", mode = EnumSource.Mode.EXCLUDE)
    void queueWithoutItsIdentityIsPoisoned(Damage damage) throws Exception {
        Path identity = directory().resolve("queue");
        Queue queue = Sample.open(directory());
        append(queue, PER_SEGMENT / 2);
        damage.to(identity, identity);
        assertThatThrownBy(() -> append(queue, RECORDS)).isInstanceOf(QueuePoisonedException.class)
                .hasMessageContainingAll(identity.toString(), "removed, replaced or cut off");
        assertThatThrownBy(() -> append(queue, 1)).isInstanceOf(QueuePoisonedException.class);
        assertThatThrownBy(queue::close).isInstanceOf(QueuePoisonedException.class);
        if (!Files.exists(identity)) {
            assertThatThrownBy(() -> Sample.open(directory())).isInstanceOf(QueueCorruptException.class)
                    .hasMessageContaining("missing");
        }
    }

    @Test
    void groupsFileThatIsCutOffIsNamed() throws Exception {
        Path file = directory().resolve("groups").resolve("g.group");
        Queue queue = Sample.open(directory());
        append(queue, 3);
        try (Consumer consumer = queue.group("g").consumer()) {
            Delivery delivery = Objects.requireNonNull(consumer.poll());
            Sample.truncate(file, 0);
            assertThatThrownBy(delivery::acknowledge).isInstanceOf(QueueException.class)
                    .hasMessageContaining(file.toString());
            delivery.close();
            assertThatThrownBy(() -> queue.group("g").seek(0)).isInstanceOf(QueueException.class)
                    .hasMessageContaining(file.toString());
        }
        queue.close();
        Sample.open(directory()).close();
        assertThat(QueueFiles.verify(directory()).damages()).isEmpty();
    }

    @Test
    void positionOfATailerThatIsCutOffIsNamed() throws Exception {
        Sample.fill(directory(), 3);
        Path file = directory().resolve("tailers").resolve("t.position");
        try (Tailer tailer = Tailer.open(directory(), "t")) {
            assertThat(tailer.poll()).isTrue();
            Sample.truncate(file, 0);
            assertThatThrownBy(tailer::commit).isInstanceOf(QueueException.class).hasMessageContaining(file.toString());
            assertThatThrownBy(tailer::seekToCommitted).isInstanceOf(QueueException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    // --- While it is closed ---

    /** All that may be in the place of a file. None is read from or written to: a FIFO without a partner would make that wait. */
    enum Strange {
        LINK_TO_ITSELF,
        LINK_TO_A_FILE,
        LINK_TO_NOTHING,
        FIFO,
        DEVICE;

        /** Puts it there. Returns the file that must not change. */
        Path at(Path file, Path elsewhere) throws Exception {
            switch (this) {
                case LINK_TO_ITSELF -> {
                    if (Files.exists(file)) {
                        Files.move(file, elsewhere);
                    } else {
                        Files.writeString(elsewhere, "somebody else's");
                    }
                    Files.createSymbolicLink(file, elsewhere);
                }
                case LINK_TO_A_FILE -> {
                    Files.deleteIfExists(file);
                    Files.writeString(elsewhere, "somebody else's");
                    Files.createSymbolicLink(file, elsewhere);
                }
                case LINK_TO_NOTHING -> {
                    Files.deleteIfExists(file);
                    Files.createSymbolicLink(file, elsewhere);
                }
                case FIFO -> {
                    Files.deleteIfExists(file);
                    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
                }
                case DEVICE -> {
                    Files.deleteIfExists(file);
                    Files.createSymbolicLink(file, Path.of("/dev/zero"));
                }
            }
            return elsewhere;
        }
    }

    private static byte[] content(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
    }

    private static void quietly(Runnable call) {
        try {
            call.run();
        } catch (QueueException | UncheckedIOException e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
    }

    @ParameterizedTest
    @Tag("verify")
    @EnumSource(Strange.class)
    void whatIsNoRegularFileIsNeitherOpenedNorFollowed(Strange strange) throws Exception {
        List<String> names = List.of("lock", "queue", "queue.new", "repair.new", "repair.moved", "7.spare",
                "groups/g.group",
                "groups/group.new", "groups/repair.new", "tailers/t.position", "tailers/1-1.tailer", "tailers/1-1.new",
                "00000000000000000000.segment", "%020d.segment".formatted(PER_SEGMENT),
                "%020d.segment".formatted(2 * PER_SEGMENT), "quarantine/00000000000000000000.segment-0.bytes");
        for (String name : names) {
            Path queue = temporary.toRealPath().resolve(strange + name.replace('/', '-'));
            Sample.fill(queue, RECORDS);
            try (Queue open = Sample.open(queue)) {
                open.group("g");
            }
            Tailer.open(queue, "t").close();
            Path file = queue.resolve(name);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Path elsewhere = strange.at(file,
                    temporary.toRealPath().resolve(strange + name.replace('/', '-') + ".elsewhere"));
            byte[] before = content(elsewhere);
            boolean isThere = Files.exists(elsewhere);

            List<Runnable> calls = List.of(() -> QueueFiles.verify(queue), () -> Sample.open(queue).close(),
                    () -> QueueFiles.survey(queue), () -> Tailer.open(queue).close(), () -> Sample.offsets(queue),
                    () -> Tailer.open(queue, "t").close(), () -> QueueFiles.deleteTailer(queue, "t"),
                    () -> QueueFiles.repair(queue), () -> Sample.open(queue).close());
            for (Runnable call : calls) {
                quietly(call);
                assertThat(content(elsewhere)).as(name).isEqualTo(before);
                assertThat(Files.exists(elsewhere)).as(name).isEqualTo(isThere);
            }
            quietly(() -> QueueFiles.delete(queue));
            assertThat(content(elsewhere)).as(name).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource(Strange.class)
    void lockThatIsNoRegularFileIsRefusedByName(Strange strange) throws Exception {
        Sample.fill(directory(), 1);
        Path lock = directory().resolve("lock");
        strange.at(lock, temporary.resolve("elsewhere"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Sample.open(directory())).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContainingAll(lock.toString(), "not a regular file", "Move it to another place");
            assertThatThrownBy(() -> QueueFiles.verify(directory())).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(lock.toString());
        }
        Files.delete(lock);
        Sample.open(directory()).close();
    }

    @Test
    void verifyingAndOpeningAgreeAboutLinks() throws Exception {
        Sample.fill(directory(), RECORDS);
        Path file = Sample.segment(directory(), PER_SEGMENT);
        Strange.LINK_TO_ITSELF.at(file, temporary.resolve("elsewhere"));
        assertThat(QueueFiles.verify(directory()).damages()).extracting(QueueCheck.Damage::file).containsExactly(file);
        assertThatThrownBy(() -> Sample.open(directory())).isInstanceOf(UncheckedIOException.class)
                .hasMessageContainingAll(file.toString(), "a symbolic link, which is not followed");
        Files.delete(file);
        Files.move(temporary.resolve("elsewhere"), file);
        assertThat(QueueFiles.verify(directory()).damages()).isEmpty();
        assertThat(Sample.offsets(directory())).hasSize(RECORDS);
    }

    // --- Copies ---

    /** The space that a file takes on the disk, as far as one can tell: the space by which the disk gets less meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"00000000000000000000.segment", "queue", "groups/g.group"})
    void aRepairCopiesNoHoles(String name) throws Exception {
        Sample.fill(directory(), RECORDS);
        try (Queue queue = Sample.open(directory())) {
            queue.group("g");
        }
        long size = 3L << 40;
        Path file = directory().resolve(name);
        long was = Files.size(file);
        Sample.write(file, size - 3, ByteBuffer.wrap(new byte[]{1, 2, 3}));
        FileStore disk = Files.getFileStore(directory());
        assertThat(disk.getUsableSpace()).as("less than the file pretends to take").isLessThan(size);

        assertThat(QueueFiles.verify(directory()).damages()).extracting(QueueCheck.Damage::file).containsExactly(file);
        QueueFiles.repair(directory());

        assertThat(QueueFiles.verify(directory()).damages()).isEmpty();
        List<Path> copies = Sample.files(directory().resolve("quarantine"), "");
        assertThat(copies).hasSize(1);
        long from = name.endsWith(".segment") ? was : 0;
        assertThat(copies.getFirst()).hasSize(size - from);
        try (FileChannel copy = FileChannel.open(copies.getFirst())) {
            ByteBuffer end = ByteBuffer.allocate(3);
            copy.read(end, size - from - 3);
            assertThat(end.array()).containsExactly(1, 2, 3);
        }
        assertThat(Sample.offsets(directory())).hasSize(RECORDS);
    }
}
