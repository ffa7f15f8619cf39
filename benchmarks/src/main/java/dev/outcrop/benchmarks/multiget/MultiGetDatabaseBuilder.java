package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.get.EngineOptions;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Makes the database of the current workload: every key with a value in its family, each family compacted into one sorted run. */
final class MultiGetDatabaseBuilder {
    private static final byte VALUE = 'v';

    private MultiGetDatabaseBuilder() {
    }

    /** A program of its own, so that nothing it leaves in memory is there when the measuring starts. */
    public static void main(String[] args) {
        MultiGetWorkload workload = MultiGetWorkload.current();
        Options options = new Options().set(EngineOptions.text());
        byte[] key = KeyBatch.firstKey();
        byte[] value = new byte[workload.shape().valueBytes()];
        Arrays.fill(value, VALUE);
        try (RocksDB db = RocksDB.open(workload.database(), options)) {
            workload.families().stream().skip(1).forEach(name -> db.createColumnFamily(name, options));
            List<ColumnFamily> families = db.columnFamilies();
            WriteOptions writing = new WriteOptions().disableWAL(true);
            List<KeyValueWriter> writers = families.stream().map(family -> (KeyValueWriter) family.with(writing))
                    .toList();
            for (int index = 0; index < workload.keys(); index++) {
                ByteBuffer.wrap(key).putLong(index);
                writers.get(workload.familyOf(index)).put(key, value);
            }
            families.forEach(ColumnFamily::flush);
            families.forEach(ColumnFamily::compact);
        }
    }
}
