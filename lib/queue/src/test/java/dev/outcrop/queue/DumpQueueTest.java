package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.testsupport.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The script that was written from the document of the format reads the same as the library. */
class DumpQueueTest extends QueueFixture {
    private static final int PER_SEGMENT = Sample.PER_SEGMENT;

    @BeforeAll
    static void requirePython() throws InterruptedException {
        boolean isThere;
        try {
            isThere = new ProcessBuilder("python3", "--version").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            isThere = false;
        }
        assumeTrue(isThere, "There is no python3 on the PATH, which build/tools/dump-queue.py needs");
    }

    private record Dump(int exitCode, String output, String errors) {
    }

    private Dump dump(String... options) throws IOException, InterruptedException {
        Path script = Path.of("").toAbsolutePath();
        while (!Files.exists(script.resolve("build/tools/dump-queue.py"))) {
            script = Objects.requireNonNull(script.getParent(),
                    "build/tools/dump-queue.py is not above the working directory");
        }
        List<String> command = new ArrayList<>(
                List.of("python3", "-B", script.resolve("build/tools/dump-queue.py").toString(),
                        directory().toString()));
        command.addAll(List.of(options));
        Path output = temporary.resolve("output");
        Path errors = temporary.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        Process process = builder.start();
        assertThat(ChildJvm.awaitEnd(process)).as("has ended by itself").isTrue();
        return new Dump(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8),
                Files.readString(errors, StandardCharsets.UTF_8));
    }

    // --- The same, as the library reads it ---

    private String expected(String groups, String notes) throws IOException {
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.isSound()).isTrue();
        QueueCheck.Slot slot = check.slots().getFirst();
        List<String> segments = new ArrayList<>();
        for (QueueCheck.Segment segment : check.segments()) {
            segments.add(segment(segment));
        }
        return "{\"queue\": {\"sequence\": " + slot.sequence() + ", \"id\": " + Long.toUnsignedString(slot.queueId())
                + ", \"segmentSize\": " + slot.segmentSize() + ", \"retired\": " + slot.retired() + ", \"synced\": "
                + slot.synced() + ", \"cleanPosition\": " + slot.cleanPosition() + "}, \"segments\": ["
                + String.join(", ", segments) + "], \"groups\": [" + groups + "], \"notes\": [" + notes
                + "], \"damage\": []}\n";
    }

    private static String segment(QueueCheck.Segment check) throws IOException {
        SegmentFile segment = SegmentFile.existing(MappedFile.openReadOnly(check.file()), 0);
        try (Arena arena = Arena.ofConfined()) {
            List<String> records = new ArrayList<>();
            int position = QueueLayout.HEADER;
            for (long offset = check.baseOffset(); offset < check.endOffset(); offset++) {
                int length = QueueLayout.length(segment.commitWord(position));
                records.add("{\"offset\": " + offset + ", \"position\": " + position + ", \"kind\": \""
                        + (segment.kind(position) == QueueLayout.KIND_RECORD ? "record" : "withdrawn")
                        + "\", \"time\": " + segment.time(position) + ", \"length\": " + length + ", \"payload\": \""
                        + HexFormat.of().formatHex(segment.lend(position, length, arena).toArray(ValueLayout.JAVA_BYTE))
                        + "\"}");
                position += (int) QueueLayout.recordBytes(length);
            }
            assertThat(position).isEqualTo((int) check.bytes());
            return "{\"file\": \"" + check.file().getFileName() + "\", \"base\": " + check.baseOffset()
                    + ", \"generation\": " + Long.toUnsignedString(check.generation()) + ", \"created\": "
                    + segment.created + ", \"records\": [" + String.join(", ", records) + "], \"end\": "
                    + check.endOffset() + ", \"bytes\": " + check.bytes() + "}";
        } finally {
            segment.close();
        }
    }

    private void assertSame(String groups) throws IOException, InterruptedException {
        Dump dump = dump("--json");
        assertThat(dump.errors).isEmpty();
        assertThat(dump.output).isEqualTo(expected(groups, ""));
        assertThat(dump.exitCode).isZero();
    }

    // --- Tests ---

    @Test
    void recordsOfAllKindsAndSizesAreTheSame() throws Exception {
        Sample.open(directory()).close();
        assertSame("");
        try (Queue queue = Sample.open(directory())) {
            for (int i = 0; i < 200; i++) {
                queue.append(Payloads.of(i, i, Payloads.SHORTEST + i * 7 % 500));
                if (i % 13 == 0) {
                    queue.append(new byte[i / 13]);
                    Polls.appendWithdrawn(queue);
                }
            }
        }
        assertSame("");
        assertThat(QueueFiles.verify(directory()).segments().size()).isGreaterThan(5);
    }

    @Test
    void groupsAreTheSame() throws Exception {
        Sample.fill(directory(), 3 * PER_SEGMENT);
        try (Queue queue = Sample.open(directory()); Consumer consumer = queue.group("größe 1").consumer()) {
            queue.group("none");
            List<Delivery> deliveries = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                deliveries.add(Objects.requireNonNull(consumer.poll()));
            }
            for (int i : new int[]{0, 1, 2, 5, 31, 32, 33, 63, 64, 99}) {
                deliveries.get(i).acknowledge();
            }
            deliveries.forEach(Delivery::close);
        }
        Files.writeString(directory().resolve("groups").resolve("A.group"), "no group's");
        assertSame("{\"name\": \"gr\\u00f6\\u00dfe 1\", \"file\": \"groups/gr%C3%B6%C3%9Fe%201.group\", \"floor\": 3, "
                + "\"ahead\": [5, 31, 32, 33, 63, 64, 99]}, {\"name\": \"none\", \"file\": \"groups/none.group\", "
                + "\"floor\": 0, \"ahead\": []}");
    }

    @Test
    void queueWhoseFilesWereUsedAgainIsTheSame() throws Exception {
        try (Queue queue = Queue.open(directory(), Sample.inForeground())) {
            try (Consumer consumer = queue.group("g").consumer()) {
                for (int i = 0; i < 20 * PER_SEGMENT + 5; i++) {
                    queue.append(Payloads.of(1, i, Sample.LENGTH - i % 3));
                    try (Delivery delivery = Objects.requireNonNull(consumer.poll())) {
                        delivery.acknowledge();
                    }
                }
            }
            assertThat(queue.firstOffset()).isGreaterThan(10L * PER_SEGMENT);
        }
        assertSame("{\"name\": \"g\", \"file\": \"groups/g.group\", \"floor\": " + (20 * PER_SEGMENT + 5)
                + ", \"ahead\": []}");
    }

    @Test
    void textIsForPeople() throws Exception {
        try (Queue queue = Sample.open(directory())) {
            queue.append("größer".getBytes(StandardCharsets.UTF_8));
            queue.append(new byte[]{-1, 0});
        }
        Dump dump = dump();
        assertThat(dump.exitCode).isZero();
        assertThat(dump.output).contains("segment 00000000000000000000.segment", "\"größer\"", "ff00", "  1  record");
    }

    @Test
    void damageIsFoundWithFileAndPosition() throws Exception {
        Sample.fill(directory(), 3 * PER_SEGMENT);
        Path segment = Sample.segment(directory(), PER_SEGMENT);
        Sample.flip(segment, Sample.position(5) + 40, 2);
        Dump dump = dump("--json");
        assertThat(dump.exitCode).isEqualTo(1);
        assertThat(dump.errors).isEqualTo(segment + " is damaged at byte " + Sample.position(5) + ": records "
                + (PER_SEGMENT + 5) + " to " + (PER_SEGMENT + 5) + " are not whole\n");
        assertThat(dump.output).contains("\"damage\": [{\"file\": \"" + segment.getFileName() + "\", \"position\": "
                + Sample.position(5));
        assertThat(dump.output).contains("{\"offset\": " + (PER_SEGMENT + 6) + ", ")
                .doesNotContain("{\"offset\": " + (PER_SEGMENT + 5) + ", ");
        QueueFiles.repair(directory());
        assertSame("");
        Files.delete(segment);
        assertThat(dump().errors).contains(segment + " is damaged at byte 0: records 36 to 71 are missing");
        Sample.zero(directory().resolve("queue"), 0, QueueLayout.PAGE);
        Dump without = dump();
        assertThat(without.exitCode).isEqualTo(1);
        assertThat(without.errors).contains("neither of its slots is whole");
    }

    @Test
    void whatIsNoQueueIsDamage() throws Exception {
        assertThat(dump().exitCode).isEqualTo(2);
        Files.createDirectory(directory());
        assertThat(dump().exitCode).isEqualTo(1);
    }
}
