package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A tailer with a name goes on where the last one of its name has committed, and what it still has to read is kept for it. */
class NamedTailerTest extends QueueFixture {
    private static final int SEGMENT_SIZE = 16 << 10;
    private static final int LENGTH = 1000;
    private static final int PER_SEGMENT = 15;
    private static final String NAME = "Copy to /backup";

    private static final int NEW_FILES = TestSize.choose("outcrop.new.files", 50, 300);

    private Queue open() {
        // Without a thread in the background, files go exactly when something is acknowledged.
        return Queue.open(directory(), new QueueOptions().segmentSize(SEGMENT_SIZE).backgroundThread(false));
    }

    private static void append(Queue queue, int records) {
        Sample.append(queue, queue.nextOffset() + records, LENGTH);
    }

    /** Appends records, and acknowledges all of them for the only group. */
    private static void pass(Queue queue, int records) {
        append(queue, records);
        try (Consumer consumer = queue.group("group").consumer()) {
            Polls.all(consumer, 100, (offset, _, _) -> consumer.acknowledge(offset));
        }
    }

    private static List<Long> read(Tailer tailer, int most) {
        List<Long> offsets = new ArrayList<>();
        while (offsets.size() < most && tailer.poll()) {
            assertThat(Payloads.intact(tailer.segment())).isEqualTo(new Payloads.Id(1, tailer.offset()));
            offsets.add(tailer.offset());
        }
        return offsets;
    }

    @Test
    void goesOnBehindWhatWasCommitted() {
        try (Queue queue = open()) {
            append(queue, 10);
            try (Tailer tailer = Tailer.open(directory(), NAME)) {
                assertThat(read(tailer, 4)).isEqualTo(range(0, 4));
                tailer.commit();
                assertThat(read(tailer, 3)).isEqualTo(range(4, 7));
                tailer.seekToCommitted();
                assertThat(tailer.nextOffset()).isEqualTo(4);
            }
            try (Tailer tailer = Tailer.open(directory(), NAME); Tailer other = Tailer.open(directory(), "other")) {
                assertThat(read(tailer, 100)).isEqualTo(range(4, 10));
                assertThat(read(other, 100)).isEqualTo(range(0, 10));
                tailer.commit();
                tailer.seek(2);
                tailer.commit();
            }
            try (Tailer tailer = Tailer.open(directory(), NAME)) {
                assertThat(tailer.nextOffset()).isEqualTo(2);
            }
        }
        assertThat(QueueFiles.tailers(directory())).containsExactly(NAME, "other");
    }

    @Test
    void whatItHasNotReadIsKeptWhileNobodyHasItOpen() {
        int records = 20 * PER_SEGMENT;
        try (Queue queue = open()) {
            pass(queue, 1);
            try (Tailer tailer = Tailer.open(directory(), NAME)) {
                assertThat(read(tailer, 1)).hasSize(1);
                tailer.commit();
            }
            pass(queue, records);
            assertThat(queue.group("group").position()).isEqualTo(records + 1);
        }
        // All of it is retired, but for the last segment, and the next writer gives nothing back either.
        for (int i = 1; i <= 2; i++) {
            try (Queue queue = open()) {
                pass(queue, PER_SEGMENT);
            }
        }
        try (Tailer tailer = Tailer.open(directory(), NAME)) {
            assertThat(read(tailer, 5)).isEqualTo(range(1, 6));
            tailer.commit();
            tailer.seek(3);
            assertThat(read(tailer, Integer.MAX_VALUE)).isEqualTo(range(6, records + 1 + 2 * PER_SEGMENT));
            tailer.commit();
        }
        assertThat(QueueFiles.verify(directory()).damages()).isEmpty();
        try (Queue queue = open()) {
            pass(queue, 2 * PER_SEGMENT);
            assertThat(queue.firstOffset()).isGreaterThan(records);
        }
    }

    @Test
    void nothingIsKeptForANameThatIsForgotten() {
        try (Queue queue = open()) {
            append(queue, 1);
            Tailer.open(directory(), NAME).close();
            pass(queue, 10 * PER_SEGMENT);
            assertThat(queue.firstOffset()).isZero();
            assertThat(QueueFiles.deleteTailer(directory(), NAME)).isTrue();
            assertThat(QueueFiles.deleteTailer(directory(), NAME)).isFalse();
            pass(queue, 2 * PER_SEGMENT);
            assertThat(queue.firstOffset()).isGreaterThan(9 * PER_SEGMENT);
            try (Tailer tailer = Tailer.open(directory(), NAME)) {
                assertThat(tailer.nextOffset()).isEqualTo(queue.firstOffset());
            }
        }
    }

    @Test
    @Tag("verify")
    void theProcessMayBeKilled() throws Exception {
        try (Queue queue = open()) {
            append(queue, 100);
            int committed = 0;
            for (int round = 1; round <= 3; round++) {
                try (RunningJvm child = RunningJvm.start(TailProgram.class, directory(), NAME)) {
                    assertThat(child.readLine()).isEqualTo("open");
                    child.writeLine("10");
                    committed += 10;
                    assertThat(child.readLine()).isEqualTo(Integer.toString(committed - 1));
                    assertThatThrownBy(() -> Tailer.open(directory(), NAME)).isInstanceOf(QueueLockedException.class)
                            .hasMessageContainingAll(NAME, "another process");
                    assertThatThrownBy(() -> QueueFiles.deleteTailer(directory(), NAME))
                            .isInstanceOf(QueueLockedException.class);
                    child.kill();
                }
                pass(queue, 10 * PER_SEGMENT);
            }
            try (Tailer tailer = Tailer.open(directory(), NAME)) {
                assertThat(read(tailer, Integer.MAX_VALUE)).isEqualTo(range(committed, queue.nextOffset()));
            }
        }
    }

    /** A power cut: the position is older than the records and files. */
    private void setPosition(String name, long offset) throws IOException {
        Sample.write(directory().resolve("tailers").resolve(name + ".position"), 8,
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(offset).flip());
    }

    @Test
    void aPositionOfWhichAPowerCutHasTakenTheNewestGoesOnWithWhatIsKept() throws IOException {
        try (Queue queue = open()) {
            append(queue, 10 * PER_SEGMENT);
            try (Tailer tailer = Tailer.open(directory(), "copy")) {
                assertThat(read(tailer, Integer.MAX_VALUE)).hasSize(10 * PER_SEGMENT);
                tailer.commit();
            }
            pass(queue, PER_SEGMENT);
            long first = queue.firstOffset();
            assertThat(first).isGreaterThan(5 * PER_SEGMENT);
            setPosition("copy", 3);
            try (Tailer tailer = Tailer.open(directory(), "copy")) {
                assertThat(read(tailer, Integer.MAX_VALUE)).isEqualTo(range(first, queue.nextOffset()));
            }
        }
    }

    @Test
    void aPositionOfRecordsThatAPowerCutHasTakenDoesNotLeaveOutOthersWithTheirOffsets() throws IOException {
        try (Queue queue = open()) {
            append(queue, 10);
            Tailer.open(directory(), "copy").close();
        }
        setPosition("copy", 15);
        try (Queue queue = open()) {
            append(queue, 10);
            try (Tailer tailer = Tailer.open(directory(), "copy")) {
                assertThat(read(tailer, Integer.MAX_VALUE)).isEqualTo(range(10, 20));
            }
        }
        // One that is open can be behind the end only where its process was faster than the writer after the power cut.
        setPosition("copy", 25);
        try (Tailer tailer = Tailer.open(directory(), "copy")) {
            open().close();
            assertThat(tailer.nextOffset()).isEqualTo(20);
        }
    }

    @Test
    void ofThoseWhoMakeANameAtTheSameTimeOneHasIt() throws Exception {
        try (Queue queue = open()) {
            append(queue, 10);
            for (int round = 0; round < 50; round++) {
                String name = "name" + round;
                CyclicBarrier start = new CyclicBarrier(2);
                CountDownLatch tried = new CountDownLatch(2);
                Callable<Boolean> making = () -> {
                    start.await();
                    try (Tailer tailer = Tailer.open(directory(), name)) {
                        tailer.seekToEnd();
                        tailer.commit();
                        tried.countDown();
                        assertThat(tried.await(5, TimeUnit.MINUTES)).isTrue();
                        return true;
                    } catch (QueueLockedException e) {
                        return false;
                    } finally {
                        tried.countDown();
                    }
                };
                try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
                    Future<Boolean> one = threads.submit(making);
                    Future<Boolean> other = threads.submit(making);
                    assertThat(List.of(one.get(), other.get())).containsExactlyInAnyOrder(true, false);
                }
                try (Tailer tailer = Tailer.open(directory(), name)) {
                    assertThat(tailer.nextOffset()).isEqualTo(10);
                }
            }
        }
        assertThat(Sample.files(directory().resolve("tailers"), "")).hasSize(50);
    }

    @Test
    void whatAKillHasLeftOfANewNameGoesAtTheNextOpening() throws Exception {
        open().close();
        Path tailers = directory().resolve("tailers");
        Path left;
        try (RunningJvm child = RunningJvm.start(TailProgram.class, directory())) {
            assertThat(child.readLine()).isEqualTo("open");
            left = Files.createFile(tailers.resolve(child.pid() + "-7.new"));
            open().close();
            assertThat(left).as("its process lives").exists();
            child.kill();
        }
        Path own = Files.createFile(tailers.resolve(ProcessHandle.current().pid() + "-7.new"));
        Path foreign = Files.createFile(tailers.resolve("notes-7.new"));
        Path strange = Files.createDirectory(tailers.resolve("1-7.new"));
        open().close();
        assertThat(left).doesNotExist();
        assertThat(own).exists();
        assertThat(foreign).exists();
        assertThat(strange).exists();
    }

    /** By a writer that does not see its process, because that is in another container. */
    @Test
    @Tag("verify")
    void whoseNewFileIsDeletedMeanwhileMakesAnother() throws Exception {
        Path tailers = directory().resolve("tailers");
        AtomicBoolean isOver = new AtomicBoolean();
        try (Queue queue = open(); ExecutorService thread = Executors.newSingleThreadExecutor()) {
            append(queue, 1);
            Future<Integer> deleting = thread.submit(() -> {
                int deleted = 0;
                while (!isOver.get()) {
                    try (DirectoryStream<Path> files = Files.newDirectoryStream(tailers, "*.new")) {
                        for (Path file : files) {
                            deleted += Files.deleteIfExists(file) ? 1 : 0;
                        }
                    }
                    Thread.sleep(1);
                }
                return deleted;
            });
            try {
                for (int i = 0; i < NEW_FILES; i++) {
                    try (Tailer tailer = Tailer.open(directory(), "copy " + i)) {
                        assertThat(tailer.poll()).isTrue();
                    }
                }
            } finally {
                isOver.set(true);
            }
            assertThat(deleting.get()).isNotNegative();
        }
        assertThat(QueueFiles.tailers(directory())).hasSize(NEW_FILES);
    }

    /** Otherwise nothing would be kept for it, and its commits would be lost. */
    @Test
    @Tag("verify")
    void whoOpensANameThatIsForgottenMeanwhileHasItsFile() throws Exception {
        open().close();
        try (RunningJvm child = RunningJvm.start(ForgetProgram.class, directory(), "copy")) {
            assertThat(child.readLine()).isEqualTo("ready");
            Path file = directory().resolve("tailers").resolve("copy.position");
            for (int opened = 0; opened < TestSize.choose("outcrop.forgotten.names", 200, 1000);) {
                try (Tailer _ = Tailer.open(directory(), "copy")) {
                    assertThat(file).exists();
                    opened++;
                } catch (QueueLockedException e) {
                    Thread.onSpinWait();
                }
            }
            child.kill();
        }
    }

    @Test
    void badUseIsRefused() {
        assertThatThrownBy(() -> Tailer.open(directory(), NAME)).isInstanceOf(QueueException.class)
                .hasMessageContaining("There is no queue");
        try (Queue queue = open()) {
            append(queue, 1);
            assertThatIllegalArgumentException().isThrownBy(() -> Tailer.open(directory(), ""))
                    .withMessage("A tailer needs a name");
            assertThatIllegalArgumentException().isThrownBy(() -> Tailer.open(directory(), "x".repeat(300)))
                    .withMessageContaining("The name of a tailer");
            try (Tailer tailer = Tailer.open(directory())) {
                assertThatIllegalStateException().isThrownBy(tailer::commit)
                        .withMessageContaining("Tailer.open(directory, name)");
                assertThatIllegalStateException().isThrownBy(tailer::seekToCommitted);
            }
            try (Tailer tailer = Tailer.open(directory(), NAME)) {
                assertThatThrownBy(() -> Tailer.open(directory(), NAME)).isInstanceOf(QueueLockedException.class)
                        .hasMessageContainingAll(NAME, "this process");
                assertThatThrownBy(() -> QueueFiles.deleteTailer(directory(), NAME))
                        .isInstanceOf(QueueLockedException.class);
                assertThat(tailer.poll()).isTrue();
            }
        }
    }

    /** A tailer that could not say what it still reads would meet files that are used again. */
    @Test
    void nobodyReadsWithoutSayingSo() throws IOException {
        Path tailers = directory().resolve("tailers");
        try (Queue queue = open()) {
            append(queue, 1);
            // Not even the superuser, as whom the tests may run, can write to a directory that is a file.
            Files.delete(tailers);
            Files.createFile(tailers);
            for (@Nullable
            String name : new @Nullable String[]{null, NAME}) {
                assertThatThrownBy(() -> {
                    try (Tailer _ = name == null ? Tailer.open(directory()) : Tailer.open(directory(), name)) {
                        append(queue, 1);
                    }
                }).isInstanceOf(UncheckedIOException.class).hasMessageContainingAll("cannot be tailed",
                        "its directory tailers cannot be written", tailers.toString());
            }
            assertThat(queue.nextOffset()).isEqualTo(1);
            Files.delete(tailers);
            try (Tailer tailer = Tailer.open(directory())) {
                assertThat(read(tailer, 2)).containsExactly(0L);
            }
        }
    }

    /** Forgets a tailer's name again and again, until it is killed. Arguments: directory, name. */
    static final class ForgetProgram {
        public static void main(String[] arguments) {
            System.out.println("ready");
            while (true) {
                try {
                    boolean _ = QueueFiles.deleteTailer(Path.of(arguments[0]), arguments[1]);
                } catch (QueueLockedException e) {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
