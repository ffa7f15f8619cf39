package dev.outcrop.benchmarks.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.rocksdb.RocksDB;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo can fail: all that comes back from the database is really compared, in the random reads and in the scan. */
class DemoSideTest {
    private static final int COUNT = 200;
    private static final int VICTIM = 77;
    private static final String OPTIONS = "create_if_missing=true;error_if_exists=true";

    private final Arena arena = Arena.ofShared();
    @TempDir
    private Path directory;
    private DemoRecords records;
    private OutcropDemo demo;
    private RocksDB db;

    @BeforeEach
    void store() throws Exception {
        records = DemoRecords.read(writeRecords(), arena);
        demo = new OutcropDemo(directory.resolve("db"), OPTIONS, records);
        demo.isSilent = true;
        demo.store();
        db = demo.db();
    }

    private Path writeRecords() throws IOException {
        Path file = directory.resolve("records");
        Random random = new Random(1);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < COUNT; i++) {
                byte[] key = String.format("key%05d", i).getBytes(StandardCharsets.UTF_8);
                byte[] value = new byte[50 + random.nextInt(5000)];
                random.nextBytes(value);
                out.writeInt(key.length);
                out.writeInt(value.length);
                out.write(key);
                out.write(value);
            }
        }
        return file;
    }

    @AfterEach
    void close() {
        demo.close();
        arena.close();
    }

    private void read() throws Exception {
        demo.read("read", DemoSide.shuffled(records.size(), new Random(1)));
    }

    private byte[] key() {
        return records.keys().get(VICTIM).toArray(ValueLayout.JAVA_BYTE);
    }

    private byte[] value() {
        return records.values().get(VICTIM).toArray(ValueLayout.JAVA_BYTE);
    }

    private void assertFound(String message) {
        assertThatThrownBy(this::read).isInstanceOf(DemoSide.Difference.class).hasMessageContaining(message);
        assertThatThrownBy(demo::scan).isInstanceOf(DemoSide.Difference.class).hasMessageContaining(message);
    }

    @Test
    void allIsReadAsItWasStored() throws Exception {
        read();
        demo.scan();
        assertThat(records.size()).isEqualTo(COUNT);
    }

    @Test
    void oneFlippedBitIsFound() {
        byte[] flipped = value();
        int last = flipped.length - 1;
        flipped[last] ^= 1;
        db.put(key(), flipped);
        assertFound("byte " + last + " of " + records.name(VICTIM));
    }

    @Test
    void aMissingByteIsFound() {
        db.put(key(), Arrays.copyOf(value(), value().length - 1));
        assertFound(records.name(VICTIM) + " has ");
    }

    @Test
    void aMissingRecordIsFound() {
        db.delete(key());
        assertFound(records.name(VICTIM) + " was stored and is not found");
    }

    @Test
    void aMissingLastRecordIsFoundByTheScan() {
        db.delete(records.keys().get(COUNT - 1).toArray(ValueLayout.JAVA_BYTE));
        assertThatThrownBy(demo::scan).isInstanceOf(DemoSide.Difference.class)
                .hasMessage(records.name(COUNT - 1) + " was stored and is not found");
    }

    @Test
    void aRecordTooManyIsFoundByTheScan() {
        db.put(new byte[]{(byte) 0xff}, new byte[0]);
        assertThatThrownBy(demo::scan).isInstanceOf(DemoSide.Difference.class).hasMessageContaining("was not stored");
    }

    @Test
    void aRecordBetweenOthersIsFoundByTheScan() {
        db.put(Arrays.copyOf(key(), key().length + 1), new byte[0]);
        assertThatThrownBy(demo::scan).isInstanceOf(DemoSide.Difference.class)
                .hasMessage(records.name(VICTIM) + "\0 is there and was not stored");
    }

    @Test
    void randomOrderHasEveryIndexOnce() {
        int[] order = DemoSide.shuffled(1000, new Random(2));
        assertThat(order).doesNotHaveDuplicates().hasSize(1000).isNotEqualTo(Arrays.stream(order).sorted().toArray());
        assertThat(Arrays.stream(order).max()).hasValue(999);
    }

    @Tag("verify")
    @ParameterizedTest
    @ValueSource(classes = {OutcropDemo.class, RocksJavaDemo.class})
    void eachSideDoesAllPhases(Class<?> side) {
        String database = directory.resolve(side.getSimpleName()).toString();
        List<String> arguments = List.of(database, directory.resolve("records").toString(), "3", OPTIONS);

        JavaProgram program = new JavaProgram(side, List.of(), arguments, Map.of());

        String output = program.run();

        assertThat(output.lines().filter(line -> line.startsWith("phase "))).containsExactly(
                "phase store 200 " + records.bytes(), "phase read 200 " + records.bytes(),
                "phase read_again 200 " + records.bytes(), "phase scan 200 " + records.bytes());
        assertThat(output.lines().filter(line -> line.startsWith("latencies "))).hasSize(4)
                .allSatisfy(line -> assertThat(line.split(" ")).hasSize(COUNT + 1));
        assertThat(output.lines().filter(line -> line.startsWith("done "))).hasSize(4);
        // The database is there.
        assertThatThrownBy(program::run).isInstanceOf(BenchmarkException.class)
                .hasMessageContaining("failed ").hasMessageContaining("exists");
    }
}
