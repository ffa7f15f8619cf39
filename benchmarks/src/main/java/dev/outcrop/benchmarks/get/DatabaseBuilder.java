package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import java.util.Arrays;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * Makes the database of the current workload: every key with a value, compacted into one sorted run; or one key that is only in
 * the log, from where it comes into the memtable of whoever opens the database.
 */
final class DatabaseBuilder {
    private static final byte VALUE = 'v';

    private DatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) throws RocksDBException {
        Workload workload = Workload.current();
        try (RocksJavaDatabase db = new RocksJavaDatabase();
                WriteOptions writing = new WriteOptions().setDisableWAL(!workload.access().isFresh())) {
            byte[] key = Keys.first(Workload.KEY_BYTES);
            byte[] value = new byte[workload.valueBytes()];
            Arrays.fill(value, VALUE);
            for (int index = 0; index < workload.keys(); index++) {
                Keys.set(key, index);
                db.database.put(writing, key, value);
            }
            if (!workload.access().isFresh()) {
                db.database.compactRange();
            }
        }
    }
}
