package dev.outcrop.benchmarks.scan;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.util.Arrays;

/** Makes the database of the current workload: every key with a value, compacted into one sorted run. */
final class ScanDatabaseBuilder {
    private static final byte VALUE = 'v';

    private ScanDatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) {
        ScanWorkload workload = ScanWorkload.current();
        byte[] key = Keys.first(ScanWorkload.KEY_BYTES);
        byte[] value = new byte[workload.valueBytes()];
        Arrays.fill(value, VALUE);
        try (RocksDB db = RocksDB.open(workload.database().directory(),
                new Options().set(EngineOptions.READING.text()))) {
            KeyValueWriter writer = db.with(new WriteOptions().disableWAL(true));
            for (int index = 0; index < workload.keys(); index++) {
                Keys.set(key, index);
                writer.put(key, value);
            }
            db.flush();
            db.compact();
        }
    }
}
