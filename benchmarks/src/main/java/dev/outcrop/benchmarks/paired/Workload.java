package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.turns.CFunctions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a process of a case does.
 *
 * @param database engine and database
 * @param shape    the case
 * @param keys     number of keys in the database
 * @param rounds   how many turns each side takes
 * @param turn     how long a turn takes at least
 * @param warmUp   for how long each side runs before the first round
 */
record Workload(Database database, PairedCase shape, int keys, int rounds, Duration turn, Duration warmUp) {
    static final int RANGE_ENTRIES = 100;
    static final int CALL_KEYS = 100;
    static final byte VALUE = 'v';
    static final int CACHE_LINE = 64;
    private static final int MAX_KEYS = 100_000;
    private static final int WRITTEN_RECORDS = 5000;
    /** Threads look at the clock more often, or one would go on alone for too long when the other is done. */
    private static final int WRITTEN_RECORDS_OF_THREADS = 1000;
    private static final int ROUNDS = 40;
    private static final int QUICK_ROUNDS = 20;

    static Workload of(Database database, PairedCase shape, Effort effort) {
        int most = shape.task() == Task.MULTIGET ? MAX_KEYS / 10 : MAX_KEYS;
        int keys = shape.task() == Task.FRESH_KEY
                ? 1
                : Math.clamp(effort.dataBytes() / (shape.valueBytes() + shape.keyBytes()), 2 * RANGE_ENTRIES, most);
        // About 20 and 1,200 ms in a full run; half of it for reads of one value, which are short, and have many sides.
        Duration time = shape.task().isPoint() ? effort.time().dividedBy(2) : effort.time();
        return new Workload(database, shape, keys, effort.isQuick() ? QUICK_ROUNDS : ROUNDS, time.dividedBy(8),
                time.multipliedBy(8).dividedBy(shape.threads()));
    }

    /** The workload of this JVM. */
    static Workload current() {
        PairedCase shape = new PairedCase(Task.valueOf(Settings.text("task")), Settings.number("keyBytes"),
                Settings.number("valueBytes"), Settings.number("families"), Settings.number("records"),
                Settings.number("threads"));
        return new Workload(Database.current(), shape, Settings.number("keys"), Settings.number("rounds"),
                Duration.parse(Settings.text("turn")), Duration.parse(Settings.text("warmUp")));
    }

    /** Arguments of a JVM that has this workload. */
    List<String> jvmArgs() {
        List<String> arguments = new ArrayList<>(database.jvmArgs(Map.of("task", shape.task().name(), "keyBytes",
                shape.keyBytes(), "valueBytes", shape.valueBytes(), "families", shape.families(), "records",
                shape.records(), "threads", shape.threads(), "keys", keys, "rounds", rounds, "turn", turn, "warmUp",
                warmUp)));
        // As in the forks of JMH: on a busy machine a compiler in the background may not get through within the
        // warm-up.
        arguments.add("-Xbatch");
        return arguments;
    }

    /** What the functions in C do. */
    CFunctions.Shape functions() {
        return new CFunctions.Shape(keys, keyBytes(), shape.valueBytes(), operations(), shape.records(), RANGE_ENTRIES,
                shape.task() == Task.RANDOM_KEYS);
    }

    int keyBytes() {
        return shape.keyBytes();
    }

    /** The names of the column families besides the default one, which has number 0. */
    List<String> families() {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= shape.families(); i++) {
            names.add("family" + i);
        }
        return names;
    }

    /** The number of the column family that has a key. */
    int familyOf(long key) {
        return shape.families() == 0 ? 0 : 1 + (int) (key % shape.families());
    }

    /** How many operations a thread of a side does before it looks at the clock. */
    int operations() {
        return switch (shape.task()) {
            case FRESH_KEY, HOT_KEY, RANDOM_KEYS -> shape.valueBytes() > 4 << 10 ? 100 : 500;
            case FULL, BACKWARD -> keys;
            case RANGE -> 200;
            case SEEK -> 2000;
            case MULTIGET -> shape.valueBytes() > 4 << 10 ? 2 : 20;
            case PUT, BATCH, BUILD ->
                (shape.threads() == 1 ? WRITTEN_RECORDS : WRITTEN_RECORDS_OF_THREADS) / shape.records();
        };
    }
}
