package dev.outcrop.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.cli.demo.Comparison.Difference;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo can fail: what comes back from the database is really compared, in the random reads and in the scan. */
class OutcropDemoTest {
    private static final int CLASSES = 200;
    private static final int VICTIM = 77;

    private final Arena arena = Arena.ofShared();
    @TempDir
    private Path directory;
    private Input input;
    private RocksDB db;
    private OutcropDemo demo;

    @BeforeEach
    void store() throws IOException {
        Path file = directory.resolve("classes");
        JdkClasses.list(CLASSES).writeTo(file, _ -> {
        });
        input = Input.read(file, arena);
        db = RocksDB.open(directory.resolve("db"), new Options().set("create_if_missing=true"));
        demo = new OutcropDemo(input, db, Report.SILENT);
        demo.store();
    }

    @AfterEach
    void close() {
        db.close();
        arena.close();
    }

    private void read() {
        demo.read(Phase.READ, OutcropDemo.shuffled(input.size(), new Random(1)));
    }

    private byte[] key() {
        return input.keys().get(VICTIM).toArray(ValueLayout.JAVA_BYTE);
    }

    private byte[] value() {
        return input.values().get(VICTIM).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void whatWasStoredIsRead() {
        read();
        demo.scan();
        assertThat(input.size()).isEqualTo(CLASSES);
    }

    @Test
    void oneFlippedBitIsFound() {
        byte[] flipped = value();
        int last = flipped.length - 1;
        flipped[last] ^= 1;
        db.put(key(), flipped);
        String message = "byte " + last + " of " + input.name(VICTIM);
        assertThatThrownBy(this::read).isInstanceOf(Difference.class).hasMessageContaining(message);
        assertThatThrownBy(demo::scan).isInstanceOf(Difference.class).hasMessageContaining(message);
    }

    @Test
    void aMissingByteIsFound() {
        db.put(key(), Arrays.copyOf(value(), value().length - 1));
        assertThatThrownBy(this::read).isInstanceOf(Difference.class).hasMessageContaining(input.name(VICTIM));
        assertThatThrownBy(demo::scan).isInstanceOf(Difference.class).hasMessageContaining(input.name(VICTIM));
    }

    @Test
    void aMissingRecordIsFound() {
        db.delete(key());
        assertThatThrownBy(this::read).isInstanceOf(Difference.class).hasMessageContaining("not found");
        assertThatThrownBy(demo::scan).isInstanceOf(Difference.class)
                .hasMessage(input.name(VICTIM) + " was stored and is not found");
    }

    @Test
    void aMissingLastRecordIsFoundByTheScan() {
        db.delete(input.keys().get(CLASSES - 1).toArray(ValueLayout.JAVA_BYTE));
        assertThatThrownBy(demo::scan).isInstanceOf(Difference.class)
                .hasMessageContaining(input.name(CLASSES - 1) + " was stored and is not found");
    }

    @Test
    void aRecordTooManyIsFoundByTheScan() {
        db.put(new byte[]{(byte) 0xff}, new byte[0]);
        assertThatThrownBy(demo::scan).isInstanceOf(Difference.class).hasMessageContaining("was not stored");
    }

    @Test
    void aRecordBetweenOthersIsFoundByTheScan() {
        byte[] between = Arrays.copyOf(key(), key().length + 1);
        db.put(between, new byte[0]);
        assertThatThrownBy(demo::scan).isInstanceOf(Difference.class)
                .hasMessage(input.name(VICTIM) + "\0 is there and was not stored");
    }

    @Test
    void randomOrderHasEveryIndexOnce() {
        int[] order = OutcropDemo.shuffled(1000, new Random(2));
        assertThat(order).doesNotHaveDuplicates().hasSize(1000).isNotEqualTo(Arrays.stream(order).sorted().toArray());
        assertThat(Arrays.stream(order).max()).hasValue(999);
    }
}
