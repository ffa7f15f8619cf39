package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.CFunctions;
import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.InProcessComparison;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The work of a process of a case. It is also the program of the process.
 *
 * @param paired    the case
 * @param keys      number of keys in the database
 * @param plan      how sides take turns
 * @param functions the C functions; null if there is no compiler
 */
record PairedWorkload(PairedCase paired, int keys, InProcessComparison.Plan plan, @Nullable Path functions) {
    static final int RANGE_ENTRIES = 100;
    static final int CALL_KEYS = 100;
    static final byte VALUE = 'v';
    static final int CACHE_LINE = 64;
    private static final int WRITTEN_RECORDS = 5000;
    /**
     * The limit if there are several threads. They must check the clock more often: otherwise one thread would run alone for too long after
     * the others are done.
     */
    private static final int WRITTEN_RECORDS_OF_THREADS = 1000;

    static PairedWorkload of(PairedCase paired, RunLength runLength, @Nullable Path functions) {
        int keys = paired.task() == PairedTask.FRESH_KEY
                ? 1
                : Math.clamp(runLength.dataBytes() / (paired.valueBytes() + paired.keyBytes()), 2 * RANGE_ENTRIES,
                        paired.mostKeys());
        // About 20 and 1,200 ms in a full run. Reads of one value get half of this time, because they are short and have many sides.
        Duration time = paired.task().isPoint() ? runLength.time().dividedBy(2) : runLength.time();
        return new PairedWorkload(paired, keys,
                InProcessComparison.Plan.of(time.multipliedBy(8).dividedBy(paired.threads()),
                        time.dividedBy(8)),
                functions);
    }

    public static void main(String[] args) throws Exception {
        org.rocksdb.RocksDB.loadLibrary();
        PairedWorkload workload = Settings.current(PairedWorkload.class);
        Path file = workload.functions();
        Optional<CFunctions> c = file == null
                ? Optional.empty()
                : Optional.of(new CFunctions(file, Database.current().engine(), workload.shape()));
        PairedTask task = workload.paired().task();
        PairedSides all = task.isWriting() ? new WriteSides(workload, c) : readers(workload, c);
        List<Side> sides = new ArrayList<>(all.all());
        Set<String> limits = new LinkedHashSet<>();
        task.forms().forEach(form -> limits.addAll(form.limits()));
        c.ifPresent(functions -> limits.forEach(limit -> sides.add(all.limit(limit, functions.work(limit)))));
        new InProcessComparison(workload.plan(), workload.paired().threads(), workload.operations()).run(sides,
                all::renew);
    }

    private static PairedSides readers(PairedWorkload workload, Optional<CFunctions> c) {
        RocksDB db = RocksDB.open(Database.current().directory(), new Options().set(EngineOptions.READING.text()));
        c.ifPresent(functions -> NativeHandles.lend(db, functions));
        PairedTask task = workload.paired().task();
        if (task.isPoint()) {
            return new PointSides(workload, db);
        }
        return task == PairedTask.MULTIGET ? new MultiGetSides(workload, db) : new ScanSides(workload, db);
    }

    /** Returns the work of the C functions. */
    CFunctions.Shape shape() {
        return new CFunctions.Shape(keys, paired.keyBytes(), paired.valueBytes(), operations(), paired.records(),
                RANGE_ENTRIES, paired.task().choice());
    }

    /** Returns the contents of the database that the sides read. */
    DatabaseBuilder.Contents contents() {
        return new DatabaseBuilder.Contents(EngineOptions.READING.text(), keys, paired.keyBytes(), paired.valueBytes(),
                paired.families());
    }

    /** Returns the number of operations of a thread between two checks of the clock. */
    int operations() {
        return switch (paired.task()) {
            case FRESH_KEY, HOT_KEY, RANDOM_KEYS, ASCENDING_KEYS -> paired.valueBytes() > 4 << 10 ? 100 : 500;
            case FULL, BACKWARD -> keys;
            case RANGE -> 200;
            case SEEK -> 2000;
            case MULTIGET -> paired.valueBytes() > 4 << 10 ? 2 : 20;
            case PUT, BATCH, BUILD ->
                (paired.threads() == 1 ? WRITTEN_RECORDS : WRITTEN_RECORDS_OF_THREADS) / paired.records();
        };
    }

    /** The indexes of the keys that a thread reads. */
    static final class KeySequence {
        private final int keys;
        private final boolean isRandom;
        private final boolean isAscending;
        private final RandomIndexes random = new RandomIndexes();
        private long next;

        KeySequence(PairedWorkload workload) {
            this.keys = workload.keys();
            this.isRandom = workload.paired().task().choice() == CFunctions.Choice.RANDOM;
            this.isAscending = workload.paired().task().choice() == CFunctions.Choice.ASCENDING;
        }

        void restart(long seed) {
            random.restart(seed);
            next = Long.remainderUnsigned(seed, keys);
        }

        long next() {
            if (isRandom) {
                return random.next(keys);
            }
            if (!isAscending) {
                return keys / 2;
            }
            long index = next;
            next = index + 1 == keys ? 0 : index + 1;
            return index;
        }
    }
}
