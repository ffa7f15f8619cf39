package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowReadEventTest {
    private static final MemorySegment KEY = Bytes.inNative(Bytes.of("key"));

    @TempDir
    private Path directory;

    @Test
    void recordsEachFormOfReadBeyondTheThreshold() throws Exception {
        List<RecordedEvent> events = record(Duration.ZERO);

        assertThat(events).hasSize(6).allSatisfy(event -> {
            assertThat(event.getString("columnFamily")).contains("database", directory.getFileName().toString());
            assertThat(event.getLong("keySize")).isEqualTo(3);
        });
        assertThat(events.getFirst().getStackTrace().getFrames())
                .anySatisfy(frame -> assertThat(frame.getMethod().getName()).isEqualTo("read"));
    }

    @Test
    void recordsNothingBelowTheThreshold() throws Exception {
        assertThat(record(Duration.ofDays(1))).isEmpty();
    }

    private List<RecordedEvent> record(Duration threshold) throws Exception {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording();
                RocksDB db = RocksDB.open(directory.resolve("db"), new Options().createIfMissing(true))) {
            recording.enable("dev.outcrop.SlowRead").withThreshold(threshold);
            db.put(KEY, KEY);
            read(db); // before the start: not recorded
            recording.start();
            read(db);
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("dev.outcrop.SlowRead")).toList();
    }

    private static void read(RocksDB db) {
        MemorySegment buffer = Bytes.inNative(new byte[100]);
        assertThat(db.get(Bytes.of("key"))).hasSize(3);
        assertThat(db.get(KEY)).hasSize(3);
        assertThat(db.get(KEY, buffer)).isEqualTo(3);
        assertThat(db.get(KEY, Bytes.onHeap(new byte[100]))).isEqualTo(3);
        try (PinnedSlice pinned = db.getPinned(KEY); PinnedSlice hybrid = db.getHybrid(KEY, buffer)) {
            assertThat(pinned).isNotNull();
            assertThat(hybrid).isNotNull();
        }
    }
}
