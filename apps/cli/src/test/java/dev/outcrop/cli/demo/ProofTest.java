package dev.outcrop.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.demo.Proof.Difference;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFiles;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.RocksDB;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proof can fail: whatever is damaged, missing or doubled is found. */
class ProofTest {
    private static final int CLASSES = 100;
    private static final int VICTIM = 33;

    private final Interruption interruption = Interruption.listen();
    private final StringWriter out = new StringWriter();
    private final JdkClasses classes = JdkClasses.list(CLASSES);
    private final byte[] key = classes.key(VICTIM).toArray(ValueLayout.JAVA_BYTE);
    @TempDir
    private Path directory;

    @BeforeEach
    void appendAndWrite() throws Exception {
        try (Queue queue = QueueRecord.open(queue())) {
            for (int i = 0; i < CLASSES; i++) {
                QueueRecord.append(queue, classes.key(i), classes.value(i));
            }
        }
        write();
    }

    @AfterEach
    void close() {
        interruption.close();
    }

    private Path queue() {
        return directory.resolve("queue");
    }

    private Path database() {
        return directory.resolve("database");
    }

    private void write() throws InterruptedException {
        try (Queue queue = QueueRecord.open(queue()); RocksDB db = PipelineProgram.open(database())) {
            PipelineProgram.write(queue, db, PipelineProgram.mapper(db),
                    new Report(new PrintStream(PrintStream.nullOutputStream())), new AtomicBoolean());
        }
    }

    private void change(String family, Consumer<ColumnFamily> change) {
        try (RocksDB db = PipelineProgram.open(database())) {
            change.accept(Objects.requireNonNull(db.findColumnFamily(family)));
        }
    }

    private void prove() {
        new Proof(new DemoOutput(new PrintWriter(out, true), interruption), classes).of(queue(), database());
    }

    private void assertFails(String message) {
        assertThatThrownBy(this::prove).isInstanceOf(Difference.class).hasMessageContaining(message);
    }

    @Test
    void whatArrivedOnceIsProved() {
        prove();
        assertThat(out.toString()).contains("each byte of 100 class files", "100 counters", "100 records");
    }

    @Test
    void aFlippedBitIsFound() {
        byte[] value = classes.value(VICTIM).toArray(ValueLayout.JAVA_BYTE);
        value[value.length - 1] ^= 1;
        change("default", family -> family.put(key, value));
        assertFails("byte " + (value.length - 1) + " of " + classes.name(VICTIM));
    }

    @Test
    void aMissingRecordIsFound() {
        change("default", family -> family.delete(key));
        assertFails(classes.name(VICTIM) + " was stored and is not found");
    }

    @Test
    void aMissingLastRecordIsFound() {
        change("default", family -> family.delete(classes.key(CLASSES - 1).toArray(ValueLayout.JAVA_BYTE)));
        assertFails(classes.name(CLASSES - 1) + " was stored and is not found");
    }

    @Test
    void aRecordThatWasNeverSentIsFound() {
        change("default", family -> family.put(new byte[]{'a'}, key));
        assertFails("a is there and was not stored");
    }

    @Test
    void anEffectThatIsThereTwiceIsFound() throws InterruptedException {
        try (Queue queue = QueueRecord.open(queue())) {
            QueueRecord.append(queue, classes.key(VICTIM), classes.value(VICTIM));
        }
        write();
        assertFails(classes.name(VICTIM) + " had its effect 2 times, not once");
    }

    @Test
    void aMissingCounterIsFound() {
        change(PipelineProgram.COUNTERS, family -> family.delete(key));
        assertFails(classes.name(VICTIM) + " was stored and is not found");
    }

    @Test
    void aQueueThatIsDamagedIsFound() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(
                QueueFiles.verify(queue()).segments().getFirst().file().toFile(), "rw")) {
            file.seek(100_000);
            int octet = file.read();
            file.seek(100_000);
            file.write(octet ^ 1);
        }
        assertFails("the queue is damaged");
    }

    @Test
    void aRecordOfTheQueueThatNobodyHasTakenIsFound() {
        try (Queue queue = QueueRecord.open(queue())) {
            QueueRecord.append(queue, classes.key(VICTIM), classes.value(VICTIM));
        }
        assertFails("the queue has 101 records of 100 class files");
    }

    @Test
    void whatIsNotAcknowledgedIsFound() {
        try (Queue queue = QueueRecord.open(queue())) {
            queue.group(PipelineProgram.GROUP).seek(VICTIM);
        }
        assertFails("only 33 of 100 records are acknowledged");
    }
}
