package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad sectors, which {@code src/test/c/unreadable.c} makes: in JVMs of their own, because these would end otherwise. */
@EnabledOnOs(OS.LINUX)
@ParameterizedClass
@MethodSource("verifications")
@Tag("verify")
class UnreadableTest extends QueueFixture {
    private static final int SEGMENT_SIZE = 64 << 10;
    /** Each record is on two pages or more. */
    private static final int LENGTH = 5000;
    private static final int RECORD = QueueLayout.PAYLOAD + LENGTH;
    private static final int PER_SEGMENT = (SEGMENT_SIZE - QueueLayout.HEADER) / RECORD;
    private static final int END = 3 * PER_SEGMENT - 4;

    private static final String[] ATTEMPTS = {"open", "tail", "verify", "repair", "verify", "open"};

    /** One of them in {@code mvn verify}. */
    static Stream<ReadVerification> verifications() {
        Random random = new Random(TestSize.seed(UnreadableTest.class));
        ReadVerification[] all = ReadVerification.values();
        return TestSize.isNightly() ? Stream.of(all) : Stream.of(PowerCuts.any(all, random));
    }

    private final ReadVerification verification;

    UnreadableTest(ReadVerification verification) {
        this.verification = verification;
    }

    static final class Program {
        static void main(String[] arguments) {
            Path path = Path.of(arguments[0]);
            for (String what : arguments[1].split(",", -1)) {
                try {
                    System.out.println(what + ": " + attempt(what, path, ReadVerification.valueOf(arguments[2])));
                } catch (QueueCorruptException e) {
                    System.out.println(
                            what + ": corrupt " + e.file().getFileName() + " " + e.position() + " " + e.offset());
                }
            }
        }

        private static String attempt(String what, Path path, ReadVerification verification) {
            return switch (what) {
                case "verify" -> {
                    QueueCheck found = QueueFiles.verify(path);
                    yield found.isSound() + " " + found.damages();
                }
                case "repair" -> QueueFiles.repair(path).repairs().toString();
                case "tail" -> Sample.offsets(path, LENGTH).toString();
                default -> read(path, verification);
            };
        }

        private static String read(Path path, ReadVerification verification) {
            try (Queue queue = options(path, verification); Consumer consumer = queue.group("reader").consumer()) {
                int read = 0;
                for (int some = -1; some != 0; read += some) {
                    some = consumer.poll(3, Polls.SKIP);
                }
                return "read to " + read;
            }
        }

        private static Queue options(Path path, ReadVerification verification) {
            return Queue.open(path, new QueueOptions().segmentSize(SEGMENT_SIZE).keepBytes(Long.MAX_VALUE)
                    .verifyReads(verification));
        }
    }

    @BeforeEach
    void fill() {
        try (Queue queue = Program.options(directory(), verification)) {
            Sample.append(queue, END, LENGTH);
            queue.group("reader");
        }
    }

    /** The output of the program while a page of a file cannot be read. */
    private List<String> run(String file, int page, String... attempts) throws IOException, InterruptedException {
        String bad = file + " " + page * Pages.SIZE + " " + (page + 1) * Pages.SIZE;
        return ChildJvm.shortLived()
                .environment("LD_PRELOAD", WatchedDisk.library("unreadable"))
                .environment("OUTCROP_UNREADABLE", bad).lines(Program.class, directory(), String.join(",", attempts),
                        verification);
    }

    private static String name(long base) {
        return String.format("%020d.segment", base);
    }

    private void assertRepaired(List<String> said, long... lost) {
        assertThat(said.get(4)).isEqualTo("verify: true []");
        assertThat(said.get(5)).startsWith("open: read to ");
        assertThat(Sample.offsets(directory(), LENGTH)).isEqualTo(LongStream.range(0, END)
                .filter(offset -> Arrays.binarySearch(lost, offset) < 0).boxed().toList());
        assertThat(QueueFiles.verify(directory()).isSound()).isTrue();
    }

    /** The record that begins before page 5 of a segment and ends on it. */
    private static final int ON_PAGE_5 = (5 * Pages.SIZE - QueueLayout.HEADER) / RECORD;

    @Test
    void pageOfAnEarlierSegment() throws Exception {
        List<String> said = run(name(0), 5, ATTEMPTS);
        int position = QueueLayout.HEADER + ON_PAGE_5 * RECORD;
        String corrupt = "corrupt " + name(0) + " " + position + " " + ON_PAGE_5;
        assertThat(said).startsWith("open: " + corrupt, "tail: " + corrupt);
        assertThat(said.get(2)).startsWith("verify: false").contains("at byte 20480: 4096 bytes cannot be read",
                "at byte " + position + ", record " + ON_PAGE_5);
        assertThat(said.get(3)).contains("4096 bytes at byte 20480 could not be read", "quarantine");
        assertRepaired(said, ON_PAGE_5);
    }

    @Test
    void pageOfTheLastSegment() throws Exception {
        List<String> said = run(name(2L * PER_SEGMENT), 5, ATTEMPTS);
        long lost = 2L * PER_SEGMENT + ON_PAGE_5;
        assertThat(said.getFirst()).isEqualTo("open: corrupt " + name(2L * PER_SEGMENT) + " 20480 " + lost);
        assertRepaired(said, lost);
    }

    @Test
    void pageBehindTheLastRecord() throws Exception {
        List<String> said = run(name(2L * PER_SEGMENT), 15, ATTEMPTS);
        assertThat(said.getFirst()).isEqualTo("open: corrupt " + name(2L * PER_SEGMENT) + " 61440 " + END);
        assertRepaired(said);
    }

    @Test
    void pageWithTheHeaderOfASegment() throws Exception {
        List<String> said = run(name(PER_SEGMENT), 0, ATTEMPTS);
        String corrupt = "corrupt " + name(PER_SEGMENT) + " 0 " + PER_SEGMENT;
        assertThat(said).startsWith("open: " + corrupt, "tail: " + corrupt);
        assertRepaired(said, LongStream.range(PER_SEGMENT, 2L * PER_SEGMENT).toArray());
    }

    /** If nothing was called durable, a last segment without a header is what a power cut leaves. An unreadable one is not. */
    @Test
    void pageWithTheHeaderOfTheLastSegmentAfterAKill() throws Exception {
        try (QueueFile file = QueueFile.open(directory().resolve(QueueFile.NAME))) {
            file.write(file.slot().withSynced(0, 0));
        }
        List<String> said = run(name(2L * PER_SEGMENT), 0, ATTEMPTS);
        String corrupt = "corrupt " + name(2L * PER_SEGMENT) + " 0 " + 2 * PER_SEGMENT;
        assertThat(said).startsWith("open: " + corrupt, "tail: " + corrupt);
        assertThat(said.get(2)).startsWith("verify: false").contains("at byte 0, record " + 2 * PER_SEGMENT);
        assertRepaired(said, LongStream.range(2L * PER_SEGMENT, END).toArray());
    }

    @Test
    void theQueuesOwnFile() throws Exception {
        List<String> said = run("/queue/queue", 0, ATTEMPTS);
        assertThat(said).startsWith("open: corrupt queue 0 -1", "tail: corrupt queue 0 -1");
        assertThat(said.get(2)).contains("it cannot be read there");
        assertRepaired(said);
    }

    @Test
    void theFileOfAGroup() throws Exception {
        List<String> said = run("/groups/reader.group", 2, ATTEMPTS);
        assertThat(said.getFirst()).isEqualTo("open: corrupt reader.group 0 -1");
        assertThat(said.get(2)).contains("it cannot be read there");
        assertRepaired(said);
    }

    /** A group's only consumer finds records of such sizes itself. */
    static final class Runs {
        static void main(String[] arguments) {
            boolean isAnotherThere = Boolean.parseBoolean(arguments[2]);
            try (Queue queue = Program.options(Path.of(arguments[0]), ReadVerification.valueOf(arguments[1]));
                    Consumer consumer = queue.group("reader").consumer()) {
                poll(consumer, () -> {
                    if (isAnotherThere) {
                        poll(queue.group("reader").consumer(), () -> {
                        });
                    }
                });
                poll(consumer, () -> {
                });
                System.out.println("held " + consumer.acknowledgeUpTo(Long.MAX_VALUE));
            }
        }

        private static void poll(Consumer consumer, Runnable at20) {
            try {
                System.out.println(consumer.poll(1000, (offset, payload, _) -> {
                    if (offset == 20) {
                        at20.run();
                    }
                    if (!Payloads.intact(payload).equals(new Payloads.Id(1, offset))) {
                        throw new AssertionError("record " + offset);
                    }
                }));
            } catch (QueueCorruptException e) {
                System.out.println("corrupt " + e.offset() + " " + e.position());
            }
        }
    }

    /** A record of the first length is on that page and the one before; one of the other length begins with the page. */
    @ParameterizedTest
    @OneOf(4)
    @CsvSource({"1000,false", "1000,true", "552,false", "552,true"})
    void pageInTheMiddleOfARun(int length, boolean isAnotherThere) throws Exception {
        Path small = temporary.resolve("small");
        try (Queue queue = Program.options(small, verification)) {
            Sample.append(queue, 500, length);
        }
        List<String> lines = ChildJvm.shortLived()
                .environment("LD_PRELOAD", WatchedDisk.library("unreadable"))
                .environment("OUTCROP_UNREADABLE", name(0) + " " + 10 * Pages.SIZE + " " + 11 * Pages.SIZE)
                .lines(Runs.class, small, verification, isAnotherThere);
        int record = QueueLayout.PAYLOAD + length;
        int there = (10 * Pages.SIZE - QueueLayout.HEADER) / record;
        String corrupt = "corrupt " + there + " " + (QueueLayout.HEADER + there * record);
        List<String> said = new ArrayList<>(List.of(Integer.toString(there), corrupt, "held " + there));
        if (isAnotherThere) {
            said.addFirst(corrupt);
        }
        assertThat(lines).containsExactlyElementsOf(said);
    }
}
