package dev.outcrop.benchmarks.get;

import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** Makes the database of the current workload: every key with a value, compacted into one sorted run. */
final class DatabaseBuilder {
    private static final byte VALUE = 'v';

    private DatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) throws RocksDBException {
        try (RocksJavaDatabase db = new RocksJavaDatabase();
                WriteOptions unlogged = new WriteOptions().setDisableWAL(true)) {
            byte[] key = Keys.first();
            byte[] value = new byte[db.workload.valueBytes()];
            Arrays.fill(value, VALUE);
            for (int index = 0; index < db.workload.keys(); index++) {
                Keys.set(key, index);
                db.database.put(unlogged, key, value);
            }
            db.database.compactRange();
        }
    }
}
