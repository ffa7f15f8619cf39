package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.util.Arrays;
import java.util.List;

/** Makes the database of the current workload: every key with a value in its family, each family in one sorted run. */
final class DatabaseBuilder {
    private DatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) {
        Workload workload = Workload.current();
        Options options = new Options().set(EngineOptions.READING.text());
        byte[] key = Keys.first(workload.keyBytes());
        byte[] value = new byte[workload.shape().valueBytes()];
        Arrays.fill(value, Workload.VALUE);
        try (RocksDB db = RocksDB.open(workload.database().directory(), options)) {
            workload.families().forEach(name -> db.createColumnFamily(name, options));
            List<ColumnFamily> families = db.columnFamilies();
            WriteOptions writing = new WriteOptions().disableWAL(true);
            List<KeyValueWriter> writers = families.stream().map(family -> family.with(writing)).toList();
            for (int index = 0; index < workload.keys(); index++) {
                Keys.set(key, index);
                // So that a checksum tells one value from another.
                value[0] = (byte) index;
                value[value.length - 1] = (byte) (index >> 8);
                writers.get(workload.familyOf(index)).put(key, value);
            }
            families.forEach(ColumnFamily::flush);
            families.forEach(ColumnFamily::compact);
        }
    }
}
