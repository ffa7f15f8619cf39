package dev.outcrop.cli.demo;

import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.pipeline.RecordMapper;
import dev.outcrop.queue.Queue;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.MergeOperator;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes the records of the queue to the database: each class file under its name. The same batch increments the counter of that name,
 * which would show if a record had its effect twice. The program may be killed at any moment and started again.
 */
final class PipelineProgram {
    /** The column family with a counter for each class file: 8 bytes, little-endian, as RocksDB's own operator adds them. */
    static final String COUNTERS = "counters";
    static final ValueLayout.OfLong COUNTER = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** The consumer group of the pipeline. */
    static final String GROUP = "class-files";

    private static final Duration INTERVAL = Duration.ofMillis(10);

    private PipelineProgram() {
    }

    /**
     * Writes, and exits with 0, or with 1 after a line with the reason.
     *
     * @param args the directory of the queue; the directory of the database; the record before which to wait for kill -9, or -1
     */
    public static void main(String[] args) {
        Report report = new Report(System.out);
        System.exit(report.exitCode(() -> {
            int end = Integer.parseInt(args[2]);
            try (Queue queue = QueueRecord.open(Path.of(args[0])); RocksDB db = open(Path.of(args[1]))) {
                AtomicBoolean waits = new AtomicBoolean();
                write(queue, db, end < 0 ? mapper(db) : killedBefore(end, mapper(db), waits), report, waits);
            }
        }));
    }

    /** Opens the database, or creates it if it does not exist. */
    static RocksDB open(Path directory) {
        return RocksDB.open(directory, new Options().createIfMissing(true).createMissingColumnFamilies(true),
                Map.of(COUNTERS, new Options().mergeOperator(MergeOperator.UINT64_ADD)));
    }

    static RecordMapper mapper(RocksDB db) {
        ColumnFamily counters = Objects.requireNonNull(db.findColumnFamily(COUNTERS));
        MemorySegment one = MemorySegment.ofArray(new byte[Math.toIntExact(COUNTER.byteSize())]);
        one.set(COUNTER, 0, 1);
        return (offset, payload, writes) -> {
            MemorySegment key = QueueRecord.key(payload);
            writes.put(key, QueueRecord.value(payload));
            writes.in(counters).merge(key, one);
        };
    }

    /** Returns a mapper that maps records up to {@code end}. Then it sets {@code waits}, and waits for kill -9. */
    static RecordMapper killedBefore(int end, RecordMapper mapper, AtomicBoolean waits) {
        return (offset, payload, writes) -> {
            if (offset == end) {
                waits.set(true);
                Report.awaitEnd();
            }
            mapper.map(offset, payload, writes);
        };
    }

    /** Writes all records. If {@code waits} becomes true meanwhile, reports this after the last record that is in the database. */
    static void write(Queue queue, RocksDB db, RecordMapper mapper, Report report, AtomicBoolean waits)
            throws InterruptedException {
        try (Pipeline pipeline = Pipeline.from(queue, GROUP).map(mapper).into(db)) {
            report.found(Math.toIntExact(pipeline.position()), Math.toIntExact(queue.nextOffset()));
            while (!pipeline.drain(INTERVAL)) {
                // Read this before the position: records that were in the database when the mapper began to wait are reported before the
                // wait.
                boolean isWaiting = waits.get();
                report.now(Math.toIntExact(pipeline.position()));
                if (isWaiting) {
                    report.awaitKill();
                }
            }
            report.now(Math.toIntExact(pipeline.position()));
        }
    }
}
