package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;

/** Makes the database of all cases: every key with a value, compacted into one sorted run. */
final class DatabaseBuilder {
    private DatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) {
        Workload workload = Workload.current();
        try (RocksDB db = RocksDB.open(workload.database().directory(), new Options().set(workload.options()))) {
            KeyValueWriter writer = db.with(new WriteOptions().disableWAL(true));
            byte[] key = Keys.first(Workload.KEY_BYTES);
            byte[] value = new byte[Workload.VALUE_BYTES];
            for (int index = 0; index < workload.readersKeys() + workload.pinnersKeys(); index++) {
                Keys.set(key, index);
                writer.put(key, value);
            }
            db.compact();
        }
    }
}
