package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.FlightRecordings;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** Flight recordings of real flushes, compactions and stalls. */
class FlightRecorderListenerTest extends DatabaseTest {
    private static final int MOST_ROUNDS = 50;

    private interface Work {
        void in(RocksDB db) throws Exception;
    }

    private List<RecordedEvent> record(Options options, Work work) throws Exception {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of("Flush", "Compaction", "WriteStall")) {
                recording.enable("dev.outcrop." + event).withoutThreshold();
            }
            recording.start();
            try (RocksDB db = RocksDB.open(directory.resolve("db"),
                    options.createIfMissing(true).addEventListener(new FlightRecorderListener()))) {
                work.in(db);
                // RocksDB drops the remaining events of an atomic flush if the database is closed.
                db.backgroundWork().waitForCompact();
            } // after which no callback is running
            recording.stop();
            recording.dump(file);
        }
        return FlightRecordings.read(file);
    }

    /** A table file with more than one key; files with single ones would be moved, not merged. */
    private static void flush(RocksDB db) {
        db.put(Bytes.of("a"), new byte[1_000]);
        db.put(Bytes.of("z"), new byte[1_000]);
        db.flush();
    }

    @Test
    void recordsStalls() throws Exception {
        List<RecordedEvent> stalls = List.of();
        // Again if compactions were so fast that no write had to be slowed down.
        for (int round = 0; round < MOST_ROUNDS && stalls.isEmpty(); round++) {
            stalls = FlightRecordings.named(record(new Options().level0FileNumCompactionTrigger(2)
                    .level0SlowdownWritesTrigger(2).level0StopWritesTrigger(30), db -> {
                        for (int i = 0; i < 5; i++) {
                            flush(db);
                        }
                    }), "dev.outcrop.WriteStall");
        }

        assertThat(stalls).isNotEmpty().allSatisfy(event -> {
            assertThat(event.getString("columnFamily")).isEqualTo("default");
            assertThat(event.getString("condition")).isEqualTo("DELAYED");
        });
    }

    @Test
    void recordsTheFlushOfEachColumnFamilyOfAnAtomicOne() throws Exception {
        List<RecordedEvent> events = record(new Options().atomicFlush(true), db -> {
            List<ColumnFamily> families = List.of(db.columnFamily("default"),
                    db.createColumnFamily("users", new Options()), db.createColumnFamily("orders", new Options()));
            for (int round = 0; round < 2; round++) {
                families.forEach(family -> family.put(Bytes.of("key"), new byte[1_000]));
                db.flush(families, new FlushOptions());
            }
        });

        assertThat(events).filteredOn(event -> event.getEventType().getName().equals("dev.outcrop.Flush"))
                .extracting(event -> event.getString("columnFamily")).containsExactlyInAnyOrder("default", "users",
                        "orders", "default", "users", "orders");
    }

    @Test
    void recordsFlushesAndCompactions() throws Exception {
        List<RecordedEvent> events = record(new Options().disableAutoCompactions(true), db -> {
            flush(db);
            flush(db);
            db.compact();
        });

        assertThat(events).filteredOn(event -> event.getEventType().getName().equals("dev.outcrop.Flush")).hasSize(2)
                .allSatisfy(event -> {
                    assertThat(event.getString("columnFamily")).isEqualTo("default");
                    assertThat(event.getString("file")).endsWith(".sst");
                    assertThat(event.getDuration()).isPositive();
                });
        assertThat(events).filteredOn(event -> event.getEventType().getName().equals("dev.outcrop.Compaction"))
                .isNotEmpty().first().satisfies(event -> {
                    assertThat(event.getInt("inputFiles")).isEqualTo(2);
                    assertThat(event.getInt("outputFiles")).isEqualTo(1);
                    assertThat(event.getLong("inputSize")).isGreaterThan(event.getLong("outputSize"));
                    assertThat(event.getString("failure")).isNull();
                });
    }
}
