package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records that were damaged after the process was killed: opening goes on without them, but not without a word. */
class DamagedAfterKillTest extends QueueFixture {
    private static final int END = 1000;

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(1 << 20).backgroundThread(false);
    }

    private Path segment() {
        return Sample.segment(directory(), 0);
    }

    private static int position(long offset) {
        return QueueLayout.HEADER + (int) offset * Sample.RECORD;
    }

    /** Leaves the files of a process that was told that all is durable. */
    @BeforeEach
    void leave() throws IOException {
        Path source = temporary.resolve("source");
        try (Queue queue = Queue.open(source, options())) {
            // The file "queue" says of the first one only that it is on the disk.
            queue.with(Durability.SYNCED).append(Payloads.of(1, 0, Sample.LENGTH));
            Sample.append(queue, END - 1);
            queue.with(Durability.SYNCED).append(Payloads.of(1, END - 1, Sample.LENGTH));
            Sample.copy(source, directory());
        }
    }

    /** Opens the queue, which must have all records but one. Returns the warnings. */
    private List<String> open(long missing) throws IOException {
        LoggedWarnings warnings = new LoggedWarnings("Recovery");
        try (warnings; Queue queue = Queue.open(directory(), options())) {
            assertThat(queue.nextOffset()).isEqualTo(Math.max(missing, END - 1) == missing ? missing : END);
        }
        assertThat(Sample.offsets(directory()))
                .isEqualTo(LongStream.range(0, END).filter(offset -> offset != missing).boxed().toList());
        assertThat(QueueFiles.verify(directory()).isSound()).isTrue();
        return warnings.messages;
    }

    private void assertKept(List<String> warnings, long offset, byte[] damaged) throws IOException {
        Path copy = directory().toRealPath().resolve("quarantine")
                .resolve(segment().getFileName() + "-" + position(offset) + ".bytes");
        assertThat(Arrays.copyOf(Files.readAllBytes(copy), damaged.length)).isEqualTo(damaged);
        assertThat(warnings).singleElement().asString().contains(segment().toRealPath().toString(),
                "at byte " + position(offset), "the checksum of record " + offset + " does not fit its content",
                copy.toString());
    }

    private byte[] damage(long offset) throws IOException {
        Sample.flip(segment(), position(offset) + QueueLayout.PAYLOAD + 50, 2);
        return Arrays.copyOfRange(Files.readAllBytes(segment()), position(offset), position(offset) + Sample.RECORD);
    }

    @Test
    void damagedRecordIsKeptAndReported() throws IOException {
        byte[] damaged = damage(500);
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.damages()).singleElement().satisfies(damage -> {
            assertThat(damage.file()).isEqualTo(segment().toRealPath());
            assertThat(damage.position()).isEqualTo(position(500));
            assertThat(damage.offset()).isEqualTo(500);
            assertThat(damage.what()).contains("the checksum of record 500 does not fit its content");
        });
        assertKept(open(500), 500, damaged);
    }

    @Test
    void damagedLastRecordIsKeptAndReported() throws IOException {
        byte[] damaged = damage(END - 1);
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.isSound()).isTrue();
        assertThat(check.notes()).singleElement().asString().contains(segment().toRealPath().toString(),
                "at byte " + position(END - 1), "the checksum of the last record, " + (END - 1) + ", does not fit",
                "torn by a power cut", "withdrawn when the queue is opened");
        assertThat(check).asString().contains("torn by a power cut");
        assertKept(open(END - 1), END - 1, damaged);
    }

    @Test
    void damagedLastRecordThatWasOnTheDiskIsDamage() throws IOException {
        Path closed = temporary.resolve("source");
        Sample.flip(Sample.segment(closed, 0), position(END - 1) + QueueLayout.PAYLOAD + 50, 2);
        QueueCheck check = QueueFiles.verify(closed);
        assertThat(check.notes()).isEmpty();
        assertThat(check.damages()).anySatisfy(damage -> {
            assertThat(damage.offset()).isEqualTo(END - 1);
            assertThat(damage.position()).isEqualTo(position(END - 1));
            assertThat(damage.what()).isEqualTo("the checksum of record " + (END - 1)
                    + " does not fit its content; no whole one is behind it, and all before " + END
                    + " were on the disk");
        });
    }

    @Test
    void segmentWithoutAHeaderIsNotPutAsideIfSomethingInItWasDurable() throws IOException {
        Sample.zero(segment(), 0, QueueLayout.HEADER);
        assertThatThrownBy(() -> Queue.open(directory(), options())).isInstanceOf(QueueCorruptException.class)
                .hasMessageContaining(segment().getFileName().toString());
        assertThat(QueueFiles.verify(directory()).isSound()).isFalse();
    }

    @Test
    void recordThatWasNeverCommittedIsNoDamage() throws IOException {
        Sample.zero(segment(), position(500), position(500) + Long.BYTES);
        QueueCheck check = QueueFiles.verify(directory());
        assertThat(check.isSound()).isTrue();
        assertThat(check.notes()).singleElement().asString().contains("record 500 is not there", "killed");
        assertThat(open(500)).isEmpty();
        assertThat(directory().resolve("quarantine")).doesNotExist();
    }
}
