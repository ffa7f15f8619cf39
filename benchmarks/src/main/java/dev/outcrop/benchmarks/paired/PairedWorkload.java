package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.CFunctions;
import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Turns;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The work of a process of a case.
 *
 * @param paired    the case
 * @param keys      number of keys in the database
 * @param plan      how sides take turns
 * @param functions the C functions; null if there is no compiler
 */
record PairedWorkload(PairedCase paired, int keys, Turns.Plan plan, @Nullable Path functions) {
    static final int RANGE_ENTRIES = 100;
    static final int CALL_KEYS = 100;
    static final byte VALUE = 'v';
    static final int CACHE_LINE = 64;
    private static final int MAX_KEYS = 100_000;
    private static final int WRITTEN_RECORDS = 5000;
    /** Threads look at the clock more often, or one would go on alone for too long when the other is done. */
    private static final int WRITTEN_RECORDS_OF_THREADS = 1000;

    static PairedWorkload of(PairedCase paired, Effort effort, @Nullable Path functions) {
        int most = paired.task() == PairedTask.MULTIGET ? MAX_KEYS / 10 : MAX_KEYS;
        int keys = paired.task() == PairedTask.FRESH_KEY
                ? 1
                : Math.clamp(effort.dataBytes() / (paired.valueBytes() + paired.keyBytes()), 2 * RANGE_ENTRIES, most);
        // About 20 and 1,200 ms in a full run; half of it for reads of one value, which are short, and have many sides.
        Duration time = paired.task().isPoint() ? effort.time().dividedBy(2) : effort.time();
        return new PairedWorkload(paired, keys,
                Turns.Plan.of(effort, time.multipliedBy(8).dividedBy(paired.threads()), time.dividedBy(8)), functions);
    }

    /** The workload of this JVM. */
    static PairedWorkload current() {
        return Settings.current(PairedWorkload.class);
    }

    /** What the functions in C do. */
    CFunctions.Shape shape() {
        return new CFunctions.Shape(keys, paired.keyBytes(), paired.valueBytes(), operations(), paired.records(),
                RANGE_ENTRIES, paired.task() == PairedTask.RANDOM_KEYS);
    }

    /** The contents of the database that the sides read. */
    DatabaseBuilder.Contents contents() {
        return new DatabaseBuilder.Contents(EngineOptions.READING.text(), keys, paired.keyBytes(), paired.valueBytes(),
                paired.families());
    }

    /** How many operations a thread of a side does before it looks at the clock. */
    int operations() {
        return switch (paired.task()) {
            case FRESH_KEY, HOT_KEY, RANDOM_KEYS -> paired.valueBytes() > 4 << 10 ? 100 : 500;
            case FULL, BACKWARD -> keys;
            case RANGE -> 200;
            case SEEK -> 2000;
            case MULTIGET -> paired.valueBytes() > 4 << 10 ? 2 : 20;
            case PUT, BATCH, BUILD ->
                (paired.threads() == 1 ? WRITTEN_RECORDS : WRITTEN_RECORDS_OF_THREADS) / paired.records();
        };
    }
}
