package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the database of the current workload: every key with a value in its family, each family compacted into one
 * sorted run.
 */
final class MultiGetDatabaseBuilder {
    private static final byte VALUE = 'v';

    private MultiGetDatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) {
        MultiGetWorkload workload = MultiGetWorkload.current();
        Options options = new Options().set(EngineOptions.READING.text());
        byte[] key = Keys.first(MultiGetWorkload.KEY_BYTES);
        byte[] value = new byte[workload.shape().valueBytes()];
        Arrays.fill(value, VALUE);
        try (RocksDB db = RocksDB.open(workload.database().directory(), options)) {
            workload.families().stream().skip(1).forEach(name -> db.createColumnFamily(name, options));
            List<ColumnFamily> families = db.columnFamilies();
            WriteOptions writing = new WriteOptions().disableWAL(true);
            List<KeyValueWriter> writers = families.stream().map(family -> family.with(writing)).toList();
            for (int index = 0; index < workload.keys(); index++) {
                Keys.set(key, index);
                writers.get(workload.familyOf(index)).put(key, value);
            }
            families.forEach(ColumnFamily::flush);
            families.forEach(ColumnFamily::compact);
        }
    }
}
