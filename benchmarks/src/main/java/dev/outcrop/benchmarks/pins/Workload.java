package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What one program of a case does.
 *
 * @param database    engine and database
 * @param cacheBytes  capacity of the block cache
 * @param pinnedBytes how many bytes of values are held
 * @param heldMillis  after how many milliseconds each is replaced by another one; 0 for never
 */
record Workload(Database database, long cacheBytes, long pinnedBytes, int heldMillis) {
    /** Together with its key, a value fills a block of its own. */
    static final int VALUE_BYTES = 4096;
    static final int KEY_BYTES = 16;
    static final int READERS = 2;
    static final double ZIPF_EXPONENT = 0.99;
    private static final long CACHE_BYTES = 64L << 20;

    /** A case, as large as the effort allows. */
    static Workload of(Database database, PinsCase pinsCase, Effort effort) {
        // All data together is two and a half times the cache.
        long cacheBytes = Math.min(CACHE_BYTES, Long.highestOneBit(effort.dataBytes() / 3));
        return new Workload(database, cacheBytes, cacheBytes / PinsCase.OF_MEGABYTES * pinsCase.megabytes(),
                pinsCase.heldMillis());
    }

    /** The workload of this JVM. */
    static Workload current() {
        return new Workload(Database.current(), Long.parseLong(Settings.text("cacheBytes")),
                Long.parseLong(Settings.text("pinnedBytes")), Settings.number("heldMillis"));
    }

    /** Arguments of a JVM that has this workload. */
    List<String> jvmArgs(Effort effort, boolean hasBudget) {
        return database.jvmArgs(Map.of("cacheBytes", cacheBytes, "pinnedBytes", pinnedBytes, "heldMillis", heldMillis,
                "hasBudget", hasBudget, "warmups", effort.warmups(), "iterations", effort.iterations(),
                "iterationMillis", effort.time().toMillis()));
    }

    /** How the database is opened, in RocksDB's own notation; nothing runs in the background. */
    String options() {
        return "create_if_missing=true;stats_dump_period_sec=0;stats_persist_period_sec=0;compression=kNoCompression;"
                + "disable_auto_compactions=true;max_open_files=-1;"
                + "block_based_table_factory={block_size=4096;filter_policy=bloomfilter:10:false;block_cache="
                + cacheBytes + '}';
    }

    /** The first keys are for those who read: half as much again as the cache holds. */
    int readersKeys() {
        return (int) (cacheBytes / VALUE_BYTES * 3 / 2);
    }

    /** The keys behind them are for the one who pins: as much as the cache holds. */
    int pinnersKeys() {
        return (int) (cacheBytes / VALUE_BYTES);
    }

    int pins() {
        return (int) (pinnedBytes / VALUE_BYTES);
    }

    SequencedMap<String, Object> params() {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("cacheBytes", cacheBytes);
        params.put("pinnedBytes", pinnedBytes);
        params.put("heldMillis", heldMillis);
        params.put("readBytes", (long) readersKeys() * VALUE_BYTES);
        params.put("valueBytes", VALUE_BYTES);
        params.put("threads", READERS);
        return params;
    }
}
