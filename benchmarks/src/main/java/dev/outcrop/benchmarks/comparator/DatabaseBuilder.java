package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.lang.foreign.MemorySegment;

/** Makes the database of the current workload: every key with a value, compacted into one sorted run. */
final class DatabaseBuilder {
    private DatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) {
        Workload workload = Workload.current();
        Options options = new Options().set(EngineOptions.READING.text())
                .comparator(OutcropOrder.of(workload.order()));
        try (RocksDB db = RocksDB.open(workload.database().directory(), options)) {
            KeyValueWriter writer = db.with(new WriteOptions().disableWAL(true));
            MemorySegment key = MemorySegment.ofArray(workload.order().firstKey());
            MemorySegment value = MemorySegment.ofArray(new byte[Workload.VALUE_BYTES]);
            for (int index = 0; index < Workload.KEYS; index++) {
                workload.order().set(key, index);
                writer.put(key, value);
            }
            db.compact();
        }
    }
}
