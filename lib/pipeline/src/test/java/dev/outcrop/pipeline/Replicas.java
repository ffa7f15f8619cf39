package dev.outcrop.pipeline;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteBatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Databases with a kept log, changes of all kinds, and the content of a database. */
final class Replicas {
    private static final byte[] ONE = {1, 0, 0, 0, 0, 0, 0, 0};

    private Replicas() {
    }

    /** With column families {@code default} and {@code counters}, and a log that is kept. */
    static RocksDB database(Path path) {
        Options options = new Options().createIfMissing(true).createMissingColumnFamilies(true)
                .WALTtlSeconds(Duration.ofDays(1)).writeBufferSize(64 << 10);
        return RocksDB.open(path, options, Map.of("counters", new Options().mergeOperator(MergeOperator.UINT64_ADD)));
    }

    /** Changes some of a few keys in one batch, and at least one. */
    static void change(RocksDB db, Random random) {
        WriteBatch batch = new WriteBatch();
        ColumnFamily counters = db.columnFamily("counters");
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] key = Records.key(random.nextInt(500));
            // The first one is no range: a batch of empty ranges alone changes nothing.
            switch (random.nextInt(batch.count() == 0 ? 2 : 0, 12)) {
                case 0 -> batch.delete(key);
                case 1 -> {
                    // Half of the ranges are empty: RocksDB does not count these when it recovers its log.
                    long from = random.nextInt(500);
                    batch.deleteRange(MemorySegment.ofArray(Records.key(from)),
                            MemorySegment.ofArray(Records.key(from + Math.max(0, random.nextInt(-20, 20)))));
                }
                case 2, 3, 4 -> batch.in(counters).merge(Records.key(random.nextInt(5)), ONE);
                default -> batch.put(key, Records.payload(random));
            }
        }
        db.write(batch);
    }

    /** All entries by family and key, but for those of the pipelines. */
    static Map<String, String> content(RocksDB db) {
        Map<String, String> content = new TreeMap<>();
        for (ColumnFamily family : db.columnFamilies()) {
            if (!family.name().equals("outcrop.pipelines")) {
                family.scan((key, value) -> {
                    content.put(family.name() + " " + text(key), text(value));
                    return true;
                });
            }
        }
        return content;
    }

    private static String text(MemorySegment bytes) {
        return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
    }
}
