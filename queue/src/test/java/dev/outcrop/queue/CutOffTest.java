package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that somebody makes shorter while the queue is open. In a JVM of its own, because that is what would end otherwise. */
class CutOffTest {
    @TempDir
    private Path directory;

    /** Cuts off the files that a consumer and a moved group are going to come to. */
    static final class Program {
        private Program() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            QueueOptions options = new QueueOptions().segmentSize(Sample.SEGMENT_SIZE)
                    .verifyReads(ReadVerification.valueOf(arguments[1]));
            try (Queue queue = Queue.open(path, options); Consumer consumer = queue.group("reader").consumer()) {
                for (long i = 0; i < 5 * Sample.PER_SEGMENT; i++) {
                    queue.append(new Payload(1, i).bytes(Sample.LENGTH));
                }
                queue.sync();
                Sample.truncate(Sample.segment(path, Sample.PER_SEGMENT), 5000);
                Sample.truncate(Sample.segment(path, 3 * Sample.PER_SEGMENT), 0);
                int[] read = {0};
                for (int i = 0; i < 2; i++) {
                    try {
                        while (consumer.poll(100, (_, _, _) -> read[0]++) > 0) {
                            // And the next ones.
                        }
                    } catch (QueueCorruptException e) {
                        System.out.println(read[0] + " " + e.offset() + " " + e.position() + " " + e.file().equals(path
                                .toRealPath().resolve(String.format("%020d.segment", Sample.PER_SEGMENT))));
                    }
                }
                try {
                    queue.group("other").seek(3L * Sample.PER_SEGMENT + 1);
                } catch (QueueCorruptException e) {
                    System.out.println("seek " + e.offset());
                }
                queue.group("reader").seek(2L * Sample.PER_SEGMENT);
                try (Delivery delivery = consumer.poll()) {
                    System.out.println("behind " + (delivery == null ? -1 : delivery.offset()));
                }
            }
            System.out.println("sound " + QueueFiles.verify(path).isSound());
        }
    }

    @ParameterizedTest
    @EnumSource
    void readersThatComeToACutOffFileSaySo(ReadVerification verification) throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().run(Program.class, directory.resolve("queue"),
                verification);

        assertThat(result.exitCode()).as(result.output()).isZero();
        int first = Sample.PER_SEGMENT;
        assertThat(result.output().lines()).containsExactly(first + " " + first + " 5000 true",
                first + " " + first + " 5000 true", "seek " + 3 * first, "behind " + 2 * first, "sound false");
    }

    /** Cuts off a file while a consumer and a tailer are in the middle of it, between the two ends of a record. */
    static final class UnderReaders {
        private UnderReaders() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            try (Queue queue = Queue.open(path, new QueueOptions().segmentSize(1 << 20).keepBytes(Long.MAX_VALUE)
                    .verifyReads(ReadVerification.valueOf(arguments[1])));
                    Tailer tailer = Tailer.open(path);
                    Consumer consumer = queue.group("reader").consumer()) {
                for (int i = 0; i < 500; i++) {
                    queue.append(new byte[1000]);
                }
                queue.sync();
                for (int i = 0; i < 10; i++) {
                    boolean _ = tailer.poll();
                }
                boolean[] isCut = {false};
                try {
                    while (consumer.poll(5, (_, _, _) -> {
                        if (!isCut[0]) {
                            isCut[0] = true;
                            cut(path);
                        }
                    }) > 0) {
                        // And the next ones.
                    }
                } catch (QueueCorruptException e) {
                    System.out.println("consumer " + e.offset() + " " + e.position());
                }
                try {
                    while (tailer.poll()) {
                        // And the next ones.
                    }
                } catch (QueueCorruptException e) {
                    System.out.println("tailer " + e.offset() + " " + e.position());
                }
            }
        }

        private static void cut(Path path) {
            try {
                Sample.truncate(Sample.segment(path, 0), 40960);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void readersInTheMiddleOfACutOffFileSaySo(ReadVerification verification) throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().run(UnderReaders.class, directory.resolve("queue"),
                verification);

        assertThat(result.exitCode()).as(result.output()).isZero();
        // It begins at 64 + 39 * 1024, and its last bytes are missing.
        assertThat(result.output().lines()).containsExactly("consumer 39 40000", "tailer 39 40000");
    }

    /** Cuts off a file before a record in the middle of what a consumer finds itself. */
    static final class InARun {
        private InARun() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            boolean isAnotherThere = Boolean.parseBoolean(arguments[2]);
            QueueOptions options = new QueueOptions().segmentSize(1 << 20).keepBytes(Long.MAX_VALUE)
                    .verifyReads(ReadVerification.valueOf(arguments[1]));
            if (Boolean.parseBoolean(arguments[4])) {
                try (Queue before = Queue.open(path, options)) {
                    fill(before, arguments[3]);
                }
            }
            try (Queue queue = Queue.open(path, options); Consumer consumer = queue.group("reader").consumer()) {
                if (queue.nextOffset() == 0) {
                    fill(queue, arguments[3]);
                }
                long cutAt = Long.parseLong(arguments[5]);
                poll(consumer, cutAt, () -> {
                    cut(path);
                    if (isAnotherThere) {
                        poll(queue.group("reader").consumer(), cutAt, () -> {
                        });
                    }
                });
                poll(consumer, cutAt, () -> {
                });
                System.out.println("held " + consumer.acknowledgeUpTo(Long.MAX_VALUE));
            }
        }

        private static void fill(Queue queue, String length) {
            queue.group("reader");
            for (int i = 0; i < 500; i++) {
                queue.append(new byte[Integer.parseInt(length)]);
            }
            queue.sync();
        }

        private static void poll(Consumer consumer, long cutAt, Runnable cut) {
            try {
                System.out.println(consumer.poll(1000, (offset, payload, _) -> {
                    // All of it, which ends the JVM if it is not there.
                    int _ = Polls.text(payload).length();
                    if (offset == cutAt) {
                        cut.run();
                    }
                }));
            } catch (QueueCorruptException e) {
                System.out.println("corrupt " + e.offset() + " " + e.position());
            }
        }

        private static void cut(Path path) {
            UnderReaders.cut(path);
        }
    }

    /** The first payload lies before the cut and behind it, of the others a record ends and another one begins there. */
    @ParameterizedTest
    @CsvSource({"FIRST_READ,false,1000,false,20", "FIRST_READ,true,1000,false,20", "FIRST_READ,false,552,false,20",
            "FIRST_READ,true,552,false,20", "ALWAYS,false,552,false,20", "FIRST_READ,false,1000,true,20",
            "FIRST_READ,true,1000,true,20", "FIRST_READ,false,552,true,20", "FIRST_READ,true,552,true,20",
            "ALWAYS,false,552,true,20", "FIRST_READ,false,1000,true,35", "FIRST_READ,false,1000,true,36",
            "FIRST_READ,false,1000,true,37", "FIRST_READ,true,1000,true,37", "FIRST_READ,false,1000,true,38",
            "FIRST_READ,false,1000,false,38"})
    void whoFindsRecordsInACutOffFileItselfSaysSo(ReadVerification verification, boolean isAnotherThere, int length,
            boolean isReopened, int cutAt) throws Exception {
        ChildJvm.Result result = ChildJvm.withNativeAccess().run(InARun.class, directory.resolve("queue"), verification,
                isAnotherThere, length, isReopened, cutAt);

        assertThat(result.exitCode()).as(result.output()).isZero();
        int record = QueueLayout.PAYLOAD + length;
        int there = (40960 - QueueLayout.HEADER) / record;
        String corrupt = "corrupt " + there + " " + (QueueLayout.HEADER + there * record);
        List<String> expected = new ArrayList<>(List.of(Integer.toString(there), corrupt, "held " + there));
        if (isAnotherThere) {
            expected.addFirst(corrupt);
        }
        assertThat(result.output().lines()).containsExactlyElementsOf(expected);
    }

    /** Cuts off the file that is appended to, when the JIT compiler has seen appends, or before. */
    static final class Appending {
        private Appending() {
        }

        private enum Form {
            BYTES,
            SEGMENT,
            WRITER,
            IDLE_WRITER,
            BATCH;

            void append(Queue queue, MemorySegment payload) {
                switch (this) {
                    case BYTES -> queue.append((byte[]) payload.heapBase().orElseThrow());
                    case SEGMENT -> queue.append(payload);
                    case WRITER -> queue.append(payload.byteSize(), to -> to.copyFrom(payload));
                    case IDLE_WRITER -> queue.append(payload.byteSize(), _ -> {
                    });
                    case BATCH -> queue.append(List.of(payload, payload));
                    default -> throw new AssertionError(this);
                }
            }
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            Form form = Form.valueOf(arguments[1]);
            MemorySegment payload = MemorySegment.ofArray(new byte[Integer.parseInt(arguments[2])]);
            QueueOptions options = new QueueOptions().segmentSize(1 << 20).backgroundThread(false).keepBytes(1);
            Queue queue = Queue.open(path, options);
            for (int i = Integer.parseInt(arguments[3]); i > 0; i--) {
                form.append(queue, payload);
            }
            try (Stream<Path> files = Files.list(path)) {
                Sample.truncate(
                        files.filter(file -> file.toString().endsWith(".segment")).max(Comparator.naturalOrder())
                                .orElseThrow(),
                        0);
            }
            for (int i = 0; i < 2; i++) {
                try {
                    form.append(queue, payload);
                    System.out.println("appended");
                } catch (QueuePoisonedException e) {
                    System.out.println(String.valueOf(e.getMessage()).contains("the file is shorter than it was"));
                }
            }
            try {
                queue.close();
            } catch (QueuePoisonedException e) {
                System.out.println("closed");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"BYTES,0", "BYTES,8", "BYTES,64", "BYTES,1000", "BYTES,5000", "SEGMENT,64", "SEGMENT,5000", "WRITER,64",
            "WRITER,5000", "IDLE_WRITER,64", "IDLE_WRITER,5000", "BATCH,64", "BATCH,1000"})
    void whoAppendsToACutOffFileSaysSo(String form, int length) throws Exception {
        for (int before : List.of(10, 20_000)) {
            ChildJvm.Result result = ChildJvm.withNativeAccess().option("-Xbatch").run(Appending.class,
                    directory.resolve("queue" + before), form, length, before);

            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output().lines()).containsExactly("true", "true", "closed");
        }
    }

    /** Cuts off the files of all groups, and closes the queue. */
    static final class GroupsProgram {
        private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

        private GroupsProgram() {
        }

        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            Queue queue = Queue.open(path, new QueueOptions().segmentSize(Sample.SEGMENT_SIZE));
            queue.append(new byte[40]);
            List<ConsumerGroup> groups = new ArrayList<>();
            for (String name : NAMES) {
                ConsumerGroup group = queue.group(name);
                groups.add(group);
                try (Consumer consumer = group.consumer()) {
                    consumer.poll(1, (offset, _, _) -> consumer.acknowledge(offset));
                }
                Sample.truncate(path.resolve("groups").resolve(name + ".group"), 0);
            }
            try {
                queue.close();
                System.out.println("closed");
            } catch (RuntimeException | InternalError e) {
                System.out.println("not closed");
            }
            for (ConsumerGroup group : groups) {
                try {
                    System.out.println("in use " + group.position());
                } catch (IllegalStateException e) {
                    System.out.println("ended");
                }
            }
            Queue.open(path).close();
            System.out.println("opened again");
        }
    }

    /** Otherwise they would go on reading what is unmapped. */
    @Test
    void allGroupsEndWhenTheirFilesCannotBeWritten() throws IOException, InterruptedException {
        ChildJvm.Result result = ChildJvm.shortLived().run(GroupsProgram.class, directory.resolve("queue"));
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).containsSubsequence("not closed", "ended", "ended", "ended", "ended",
                "ended", "opened again");
    }
}
