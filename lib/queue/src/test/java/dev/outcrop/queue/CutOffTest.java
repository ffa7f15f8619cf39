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
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Files that are truncated while the queue is open. In a JVM of its own, which may end. */
@Tag("verify")
class CutOffTest {
    @TempDir
    private Path directory;

    /** Cuts off the files that a consumer and a moved group are going to come to. */
    static final class Program {
        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            QueueOptions options = new QueueOptions().segmentSize(Sample.SEGMENT_SIZE)
                    .verifyReads(ReadVerification.valueOf(arguments[1]));
            try (Queue queue = Queue.open(path, options); Consumer consumer = queue.group("reader").consumer()) {
                Sample.append(queue, 5 * Sample.PER_SEGMENT);
                queue.sync();
                Sample.truncate(Sample.segment(path, Sample.PER_SEGMENT), 5000);
                Sample.truncate(Sample.segment(path, 3 * Sample.PER_SEGMENT), 0);
                int[] read = {0};
                for (int i = 0; i < 2; i++) {
                    try {
                        Polls.all(consumer, 100, (_, _, _) -> read[0]++);
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
    @OneOf(2)
    @EnumSource
    void readersThatComeToACutOffFileSaySo(ReadVerification verification) throws Exception {
        List<String> lines = ChildJvm.shortLived().lines(Program.class, directory.resolve("queue"), verification);
        int first = Sample.PER_SEGMENT;
        assertThat(lines).containsExactly(first + " " + first + " 5000 true",
                first + " " + first + " 5000 true", "seek " + 3 * first, "behind " + 2 * first, "sound false");
    }

    /** Cuts off a file while a consumer and a tailer are in the middle of it, between the two ends of a record. */
    static final class UnderReaders {
        static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[0]);
            // A thread in the background might still prepare the file, and log that it is cut off.
            try (Queue queue = Queue.open(path, new QueueOptions().segmentSize(1 << 20).keepBytes(Long.MAX_VALUE)
                    .backgroundThread(false).verifyReads(ReadVerification.valueOf(arguments[1])));
                    Tailer tailer = Tailer.open(path);
                    Consumer consumer = queue.group("reader").consumer()) {
                Polls.append(queue, 500, 1000);
                queue.sync();
                for (int i = 0; i < 10; i++) {
                    boolean _ = tailer.poll();
                }
                boolean[] isCut = {false};
                try {
                    Polls.all(consumer, 5, (_, _, _) -> {
                        if (!isCut[0]) {
                            isCut[0] = true;
                            cut(path);
                        }
                    });
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
    @OneOf(2)
    @EnumSource
    void readersInTheMiddleOfACutOffFileSaySo(ReadVerification verification) throws Exception {
        List<String> lines = ChildJvm.shortLived().lines(UnderReaders.class, directory.resolve("queue"), verification);
        // It begins at 64 + 39 * 1024, and its last bytes are missing.
        assertThat(lines).containsExactly("consumer 39 40000", "tailer 39 40000");
    }

    /** Truncates a file before a record in the middle of a consumer's run. */
    static final class InARun {
        static void main(String[] arguments) throws IOException {
            for (int i = 1; i < arguments.length; i++) {
                run(Path.of(arguments[0]).resolve(Integer.toString(i)), arguments[i].split(",", -1));
            }
        }

        private static void run(Path path, String[] how) {
            boolean isAnotherThere = Boolean.parseBoolean(how[1]);
            // As above, without what another thread might log.
            QueueOptions options = new QueueOptions().segmentSize(1 << 20).keepBytes(Long.MAX_VALUE)
                    .backgroundThread(false).verifyReads(ReadVerification.valueOf(how[0]));
            if (Boolean.parseBoolean(how[3])) {
                try (Queue before = Queue.open(path, options)) {
                    fill(before, how[2]);
                }
            }
            try (Queue queue = Queue.open(path, options); Consumer consumer = queue.group("reader").consumer()) {
                if (queue.nextOffset() == 0) {
                    fill(queue, how[2]);
                }
                long cutAt = Long.parseLong(how[4]);
                poll(consumer, cutAt, () -> {
                    UnderReaders.cut(path);
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
            Polls.append(queue, 500, Integer.parseInt(length));
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

    }

    /**
     * The first payload lies before the cut and behind it, of the others a record ends and another one begins there: how reads are verified,
     * whether another consumer is there, how long payloads are, whether the queue was opened again, and behind which record it is cut.
     */
    private static final List<String> RUNS = List.of("FIRST_READ,false,1000,false,20", "FIRST_READ,true,1000,false,20",
            "FIRST_READ,false,552,false,20", "FIRST_READ,true,552,false,20", "ALWAYS,false,552,false,20",
            "FIRST_READ,false,1000,true,20", "FIRST_READ,true,1000,true,20", "FIRST_READ,false,552,true,20",
            "FIRST_READ,true,552,true,20", "ALWAYS,false,552,true,20", "FIRST_READ,false,1000,true,35",
            "FIRST_READ,false,1000,true,36", "FIRST_READ,false,1000,true,37", "FIRST_READ,true,1000,true,37",
            "FIRST_READ,false,1000,true,38", "FIRST_READ,false,1000,false,38");

    @Test
    void whoFindsRecordsInACutOffFileItselfSaysSo() throws Exception {
        findRecords(RUNS);
    }

    @ParameterizedTest
    @Tag("nightly")
    @FieldSource("RUNS")
    void whoFindsRecordsInACutOffFileFirstSaysSo(String run) throws Exception {
        findRecords(List.of(run));
    }

    private void findRecords(List<String> runs) throws Exception {
        List<String> expected = new ArrayList<>();
        List<Object> arguments = new ArrayList<>(List.of(Files.createDirectory(directory.resolve("queues"))));
        for (String run : runs) {
            arguments.add(run);
            String[] how = run.split(",", -1);
            int record = QueueLayout.PAYLOAD + Integer.parseInt(how[2]);
            int there = (40960 - QueueLayout.HEADER) / record;
            String corrupt = "corrupt " + there + " " + (QueueLayout.HEADER + there * record);
            if (Boolean.parseBoolean(how[1])) {
                expected.add(corrupt);
            }
            expected.addAll(List.of(Integer.toString(there), corrupt, "held " + there));
        }
        assertThat(ChildJvm.withNativeAccess().lines(InARun.class, arguments.toArray()))
                .containsExactlyElementsOf(expected);
    }

    /** Cuts off the file that is appended to, when the JIT compiler has seen appends, or before. */
    static final class Appending {
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
            for (int i = 2; i < arguments.length; i++) {
                run(Path.of(arguments[0]).resolve(Integer.toString(i)), Integer.parseInt(arguments[1]),
                        arguments[i].split(",", -1));
            }
        }

        private static void run(Path path, int before, String[] how) throws IOException {
            Form form = Form.valueOf(how[0]);
            MemorySegment payload = MemorySegment.ofArray(new byte[Integer.parseInt(how[1])]);
            QueueOptions options = new QueueOptions().segmentSize(1 << 20).backgroundThread(false).keepBytes(1);
            Queue queue = Queue.open(path, options);
            for (int i = before; i > 0; i--) {
                form.append(queue, payload);
            }
            Sample.truncate(Sample.files(path, ".segment").getLast(), 0);
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

    private static final List<String> FORMS = List.of("BYTES,0", "BYTES,8", "BYTES,64", "BYTES,1000", "BYTES,5000",
            "SEGMENT,64", "SEGMENT,5000", "WRITER,64", "WRITER,5000", "IDLE_WRITER,64", "IDLE_WRITER,5000", "BATCH,64",
            "BATCH,1000");

    @Test
    void whoAppendsToACutOffFileSaysSo() throws Exception {
        append(10, FORMS);
    }

    @ParameterizedTest
    @OneOf(13)
    @FieldSource("FORMS")
    void whoHasAppendedALotToACutOffFileSaysSo(String form) throws Exception {
        append(20_000, List.of(form));
    }

    @ParameterizedTest
    @Tag("nightly")
    @FieldSource("FORMS")
    void whoAppendsToACutOffFileFirstSaysSo(String form) throws Exception {
        append(10, List.of(form));
    }

    private void append(int before, List<String> forms) throws Exception {
        List<Object> arguments = new ArrayList<>(List.of(Files.createDirectory(directory.resolve("queues")), before));
        List<String> expected = new ArrayList<>();
        for (String form : forms) {
            arguments.add(form);
            expected.addAll(List.of("true", "true", "closed"));
        }
        assertThat(ChildJvm.withNativeAccess().option("-Xbatch").lines(Appending.class,
                arguments.toArray())).containsExactlyElementsOf(expected);
    }

    static final class GroupsProgram {
        private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

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

    /** Otherwise they would go on reading unmapped memory. */
    @Test
    void allGroupsEndWhenTheirFilesCannotBeWritten() throws IOException, InterruptedException {
        assertThat(ChildJvm.shortLived().lines(GroupsProgram.class, directory.resolve("queue"))).containsSubsequence(
                "not closed", "ended", "ended", "ended", "ended",
                "ended", "opened again");
    }
}
