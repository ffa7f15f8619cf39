package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A full disk: an appender is told, all that was appended can be read, and appending goes on when there is room again. */
@EnabledOnOs(OS.LINUX)
@Tag("verify")
class DiskFullTest {
    private static final int SEGMENT_SIZE = 64 << 10;
    private static final int RECORD = 1000;
    private static final int ROUNDS = TestSize.choose("outcrop.diskfull.rounds", 10, 500);

    @TempDir
    private Path directory;

    /** A queue on a file system of 2 MiB, and a file that fills it. */
    private static final class SmallDisk {
        private final Path disk;
        private final Path filler;

        SmallDisk(String disk) {
            this.disk = Path.of(disk);
            this.filler = this.disk.resolve("filler");
        }

        Path path() {
            return disk.resolve("queue");
        }

        /** Leaves room for so many bytes. */
        void fillExcept(long bytes) throws IOException {
            for (int attempts = 100;; attempts--) {
                try {
                    fillOnce(bytes);
                    return;
                } catch (IOException e) {
                    // The background thread has made a file meanwhile.
                    if (attempts == 0) {
                        throw e;
                    }
                }
            }
        }

        private void fillOnce(long bytes) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(filler.toFile(), "rw")) {
                // Without giving room back in between, which the background thread would take.
                long length = file.length() + Files.getFileStore(disk).getUsableSpace() - bytes;
                if (length > file.length()) {
                    file.seek(file.length());
                    file.write(new byte[(int) (length - file.length())]);
                } else {
                    file.setLength(length);
                }
            }
        }

        /** The room of the disk, with the filler's. */
        long usable() throws IOException {
            return Files.getFileStore(disk).getUsableSpace() + (Files.exists(filler) ? Files.size(filler) : 0);
        }

        void makeRoom() throws IOException {
            Files.delete(filler);
        }

        static QueueOptions options(boolean inBackground) {
            return new QueueOptions().segmentSize(SEGMENT_SIZE).backgroundThread(inBackground);
        }

        /** Appends until there is no room, and returns how many there are then. */
        static int fill(Queue queue, int from) {
            for (int i = from;; i++) {
                try {
                    queue.append(Payloads.of(1, i, RECORD));
                } catch (QueueException e) {
                    System.out.println(e.getClass().getSimpleName() + " "
                            + String.valueOf(e.getMessage()).contains("Nothing was appended"));
                    return i;
                }
            }
        }

        static void check(Queue queue, int count) {
            int found = intact(queue);
            System.out.println("checked "
                    + (count > 50 && count == found && queue.nextOffset() == count ? "all" : found + " of " + count));
        }

        /** Returns how many records from the first one on are intact. */
        static int intact(Queue queue) {
            int[] found = {0};
            try (Consumer consumer = queue.group("reader").consumer()) {
                Polls.all(consumer, 100, (offset, payload, _) -> {
                    if (offset == found[0] && Payloads.intact(payload).equals(new Payloads.Id(1, found[0]))) {
                        found[0]++;
                    }
                });
            }
            return found[0];
        }

        static void attempt(String what, Runnable action) {
            try {
                action.run();
                System.out.println(what + ": done");
            } catch (UncheckedIOException | QueueException e) {
                System.out.println(what + ": " + e.getClass().getSimpleName());
            }
        }
    }

    static final class FillDisk {
        static void main(String[] arguments) throws IOException {
            SmallDisk disk = new SmallDisk(arguments[0]);
            boolean inBackground = Boolean.parseBoolean(arguments[1]);
            int count;
            try (Queue queue = Queue.open(disk.path(), SmallDisk.options(inBackground))) {
                queue.group("reader");
                disk.fillExcept(512 << 10);
                count = SmallDisk.fill(queue, 0);
                disk.fillExcept(0);
                int refused = count;
                SmallDisk.attempt("append", () -> queue.append(Payloads.of(1, refused, RECORD)));
                SmallDisk.attempt("appendDurable",
                        () -> queue.with(Durability.SYNCED).append(Payloads.of(1, refused, RECORD)));
                SmallDisk.attempt("group", () -> queue.group("another"));
                SmallDisk.attempt("sync", queue::sync);
                SmallDisk.check(queue, count);
                disk.fillExcept(200 << 10);
                count = SmallDisk.fill(queue, count);
                SmallDisk.check(queue, count);
                // And so it is closed, and opened again.
                disk.fillExcept(0);
            }
            try (Queue queue = Queue.open(disk.path(), SmallDisk.options(inBackground))) {
                int refused = count;
                SmallDisk.attempt("append", () -> queue.append(Payloads.of(1, refused, RECORD)));
                SmallDisk.check(queue, count);
                disk.makeRoom();
                for (int i = 0; i < 200; i++) {
                    queue.append(Payloads.of(1, count++, RECORD));
                }
                SmallDisk.attempt("group", () -> queue.group("another"));
                SmallDisk.attempt("sync", queue::sync);
                SmallDisk.check(queue, count);
            }
            try (Queue queue = Queue.open(disk.path())) {
                SmallDisk.check(queue, count);
            }
        }
    }

    @ParameterizedTest
    @OneOf(3)
    // Not in the background without native access: a spare is written there zero by zero, and deleted when the disk is full, which makes
    // room at a moment that this test cannot know.
    @CsvSource({"true,true", "false,true", "false,false"})
    void appendingIsRefusedUntilThereIsRoom(boolean inBackground, boolean hasNativeAccess) throws Exception {
        List<String> lines = runOnOwnDisk(Children.withNativeAccess(hasNativeAccess), FillDisk.class, inBackground);

        // The background thread writes into its log that it cannot prepare a file.
        assertThat(lines.stream().filter(line -> line.matches("(QueueException|append|group|sync|checked).*")))
                .containsExactly("QueueException true", "append: QueueException", "appendDurable: QueueException",
                        "group: UncheckedIOException", "sync: done", "checked all", "QueueException true",
                        "checked all",
                        "append: QueueException", "checked all", "group: done", "sync: done", "checked all",
                        "checked all");
    }

    /** Acknowledges everything on a disk that the queue has filled. */
    static final class EmptyQueue {
        static void main(String[] arguments) throws Exception {
            SmallDisk disk = new SmallDisk(arguments[0]);
            boolean inBackground = Boolean.parseBoolean(arguments[1]);
            try (Queue queue = Queue.open(disk.path(), SmallDisk.options(inBackground))) {
                queue.group("reader");
                disk.fillExcept(512 << 10);
                int count = SmallDisk.fill(queue, 0);
                disk.fillExcept(0);
                try (Consumer consumer = queue.group("reader").consumer()) {
                    Polls.all(consumer, 100, (offset, _, _) -> consumer.acknowledge(offset));
                }
                appendInTheEnd(queue, Payloads.of(1, count, RECORD));
            }
        }

        private static void appendInTheEnd(Queue queue, byte[] payload) throws InterruptedException {
            for (int i = 0; i < 30_000; i++) {
                try {
                    queue.append(payload);
                    System.out.println("appended");
                    return;
                } catch (QueueException e) {
                    Thread.sleep(10);
                }
            }
        }
    }

    @ParameterizedTest
    @OneOf(2)
    @ValueSource(booleans = {true, false})
    void acknowledgingMakesRoom(boolean inBackground) throws Exception {
        assertThat(runOnOwnDisk(ChildJvm.withNativeAccess(), EmptyQueue.class, inBackground)).contains("appended");
    }

    /** Makes a queue on a disk with room for more and more pages. */
    static final class Create {
        static void main(String[] arguments) throws IOException {
            SmallDisk disk = new SmallDisk(arguments[0]);
            int failed = 0;
            for (int pages = 0;; pages++) {
                disk.fillExcept(pages * 4096L);
                try (Queue queue = Queue.open(disk.path(), SmallDisk.options(false))) {
                    queue.append(Payloads.of(1, 0, RECORD));
                    break;
                } catch (UncheckedIOException | QueueException e) {
                    failed++;
                    if (e instanceof QueueCorruptException) {
                        System.out.println("with room for " + pages + " pages: " + e);
                    }
                }
            }
            disk.makeRoom();
            try (Queue queue = Queue.open(disk.path())) {
                System.out.println(queue.nextOffset() + " " + queue.append(Payloads.of(1, 1, RECORD)));
            }
            System.out.println("failed " + (failed > 4));
        }
    }

    @Test
    void aFailedCreationIsNoObstacleLater() throws Exception {
        assertThat(runOnOwnDisk(ChildJvm.withNativeAccess(), Create.class)).containsExactly("1 1", "failed true");
    }

    /** Goes on with a queue whose files have holes, for which no room is reserved. */
    static final class Sparse {
        private static final int BEFORE = 52;

        static void main(String[] arguments) throws IOException {
            SmallDisk disk = new SmallDisk(arguments[0]);
            try (Queue queue = Queue.open(disk.path(), SmallDisk.options(false))) {
                queue.group("reader");
                for (int i = 0; i < BEFORE; i++) {
                    queue.append(Payloads.of(1, i, RECORD));
                }
            }
            makeSparse(disk.path());
            // Not more than is missing, except for the lock.
            disk.fillExcept(4096);
            int count = BEFORE;
            try (Queue queue = Queue.open(disk.path(), SmallDisk.options(false))) {
                for (; count < 2 * BEFORE; count++) {
                    queue.append(Payloads.of(1, count, RECORD));
                }
                System.out.println("accepted");
            } catch (QueueException | UncheckedIOException e) {
                System.out.println("refused");
            }
            disk.makeRoom();
            try (Queue again = Queue.open(disk.path())) {
                System.out.println(SmallDisk.intact(again) >= count ? "checked all" : "lost some");
            }
        }

        private static void makeSparse(Path path) throws IOException {
            try (DirectoryStream<Path> segments = Files.newDirectoryStream(path, "*.segment")) {
                for (Path segment : segments) {
                    byte[] bytes = Files.readAllBytes(segment);
                    int used = bytes.length;
                    while (used > 0 && bytes[used - 1] == 0) {
                        used--;
                    }
                    Files.delete(segment);
                    try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
                        file.write(bytes, 0, used);
                        file.setLength(bytes.length);
                    }
                }
            }
        }
    }

    @Test
    void aSegmentWithoutReservedRoomIsNoTrap() throws Exception {
        assertThat(runOnOwnDisk(ChildJvm.withNativeAccess(), Sparse.class)).contains("refused", "checked all");
    }

    /** Uses a queue while the space on its disk changes at random. Accepted records must always be there. */
    static final class ChangingRoom {
        static void main(String[] arguments) throws IOException {
            SmallDisk disk = new SmallDisk(arguments[0]);
            Random random = new Random(Long.parseLong(arguments[1]));
            int rounds = Integer.parseInt(arguments[2]);
            int accepted = 0;
            int refused = 0;
            disk.fillExcept(disk.usable());
            // A few rounds may all find room.
            for (int round = 0; round < rounds || (refused <= rounds / 20 && round < 100 * rounds); round++) {
                int before = accepted;
                Exception failure = null;
                disk.fillExcept(round % 5 == 0 ? disk.usable() : random.nextInt(300 << 10));
                try (Queue queue = Queue.open(disk.path(), SmallDisk.options(random.nextBoolean()));
                        Consumer consumer = queue.group("done").consumer()) {
                    if (queue.nextOffset() != accepted) {
                        throw new AssertionError("round " + round + ": " + queue.nextOffset() + ", not " + accepted);
                    }
                    for (int i = random.nextInt(1, 300); i > 0; i--) {
                        queue.append(Payloads.of(1, accepted, RECORD));
                        accepted++;
                        if (random.nextInt(50) == 0) {
                            disk.fillExcept(random.nextInt(300 << 10));
                        }
                        if (random.nextInt(50) == 0) {
                            queue.sync();
                        }
                    }
                    int[] next = {(int) queue.group("done").position()};
                    Polls.all(consumer, 100, (offset, payload, _) -> {
                        if (offset != next[0] || !Payloads.intact(payload).equals(new Payloads.Id(1, next[0]))) {
                            throw new AssertionError("record " + offset + ", not " + next[0]);
                        }
                        next[0]++;
                        consumer.acknowledge(offset);
                    });
                    if (next[0] != accepted) {
                        throw new AssertionError("read up to " + next[0] + ", not " + accepted);
                    }
                } catch (QueueException | UncheckedIOException e) {
                    if (e instanceof QueueCorruptException) {
                        throw e;
                    }
                    refused++;
                    failure = e;
                }
                if (accepted == before && round % 5 == 0) {
                    System.out.println("round " + round + ": nothing was accepted, though there was room: " + failure);
                }
            }
            System.out.println("rounds " + rounds + ", refused some " + (refused > rounds / 20) + ", accepted some "
                    + (accepted > rounds));
        }
    }

    @Test
    void changingRoomLosesNothing() throws Exception {
        long seed = TestSize.seed(getClass());
        List<String> lines = runOnOwnDisk(ChildJvm.withNativeAccess(),
                ChangingRoom.class, seed, ROUNDS);

        assertThat(lines.stream().filter(line -> line.startsWith("round")))
                .containsExactly("rounds " + ROUNDS + ", refused some true, accepted some true");
    }

    static final class Messages {
        static void main(String[] arguments) throws IOException {
            SmallDisk disk = new SmallDisk(arguments[0]);
            try (Queue queue = Queue.open(disk.path(), SmallDisk.options(false))) {
                queue.append(Payloads.of(1, 0, RECORD));
                disk.fillExcept(0);
                print(() -> {
                    while (true) {
                        queue.append(Payloads.of(1, 1, RECORD));
                    }
                });
                print(() -> queue.group("reader"));
                print(() -> Tailer.open(disk.path()).close());
            }
            Sample.flip(Sample.segment(disk.path(), 0), QueueLayout.HEADER + QueueLayout.PAYLOAD + 1L, 0);
            // No space for the quarantine.
            disk.fillExcept(0);
            print(() -> QueueFiles.repair(disk.path()));
            print(() -> Queue.open(disk.path().resolveSibling("another"), SmallDisk.options(false)).close());
        }

        private static void print(Runnable action) {
            try {
                action.run();
                System.out.println("no failure");
            } catch (UncheckedIOException | QueueException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @ParameterizedTest
    @OneOf(2)
    @ValueSource(booleans = {true, false})
    void messagesAreSentences(boolean hasNativeAccess) throws Exception {
        List<String> lines = runOnOwnDisk(Children.withNativeAccess(hasNativeAccess), Messages.class);

        List<String> messages = lines.stream().map(line -> line.replaceFirst("\\d+\\.spare", "1.spare")).toList();
        String noSpace = hasNativeAccess
                ? "fallocate failed on " + directory.toRealPath() + "/queue/1.spare: ENOSPC (No space left on device)."
                        + " Free space on the file system, or use a directory on one that has more"
                : "No space left on device";
        assertThat(messages).hasSize(5).first().isEqualTo("The queue cannot go on to its next file: " + noSpace
                + ". Nothing was appended; the records in the queue can be read. Try again when there is room on the disk");
        assertThat(messages).allSatisfy(message -> assertThat(message).contains("space")
                // No two marks behind each other, none behind a space, none at the end, and a capital letter behind a full stop.
                .doesNotContainPattern("^[^A-Z]|[.,;:][.,;:)]|\\s[.,;:)]|[.,;:]$|\\. [^A-Z]"));
    }

    private List<String> runOnOwnDisk(ChildJvm jvm, Class<?> program, Object... more)
            throws IOException, InterruptedException {
        assumeTrue(ChildJvm.canHaveDisk(), "this user may not mount file systems");
        return jvm.withDisk(directory, "size=2m").lines(program,
                Stream.concat(Stream.of(directory), Arrays.stream(more)).toArray());
    }
}
