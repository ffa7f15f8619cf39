package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunLength;
import dev.outcrop.benchmarks.harness.Settings;
import java.time.Duration;
import java.util.SequencedMap;

/**
 * The work of one program of a case.
 *
 * @param cacheBytes  capacity of the block cache
 * @param pinnedBytes how many bytes of values are pinned
 * @param heldMillis  after how many milliseconds each value is replaced by another value; 0 for never
 * @param hasBudget   whether the database has the default pin budget
 * @param warmups     iterations that do not count
 * @param iterations  iterations that count
 * @param time        length of an iteration
 */
record PinsWorkload(long cacheBytes, long pinnedBytes, int heldMillis, boolean hasBudget, int warmups, int iterations,
        Duration time) {
    /** A value and its key fill a whole block. */
    static final int VALUE_BYTES = 4096;
    static final int KEY_BYTES = 16;
    static final int READERS = 2;
    static final double ZIPF_EXPONENT = 0.99;
    private static final long CACHE_BYTES = 64L << 20;
    private static final int OF_MEGABYTES = 64;

    /** Returns a workload that pins a number of megabytes in a cache of 64 MB, or the same share of a smaller cache. */
    static PinsWorkload of(int megabytes, int heldMillis, RunLength runLength) {
        // All data together is two and a half times the cache.
        long cacheBytes = Math.min(CACHE_BYTES, Long.highestOneBit(runLength.dataBytes() / 3));
        return new PinsWorkload(cacheBytes, cacheBytes / OF_MEGABYTES * megabytes, heldMillis, true,
                runLength.warmups(),
                runLength.iterations(), runLength.time());
    }

    /** Returns the workload of this JVM. */
    static PinsWorkload current() {
        return Settings.current(PinsWorkload.class);
    }

    PinsWorkload withoutBudget() {
        return new PinsWorkload(cacheBytes, pinnedBytes, heldMillis, false, warmups, iterations, time);
    }

    /** Returns the options in RocksDB's own notation. Nothing runs in the background. */
    String options() {
        return "create_if_missing=true;stats_dump_period_sec=0;stats_persist_period_sec=0;compression=kNoCompression;"
                + "disable_auto_compactions=true;max_open_files=-1;"
                + "block_based_table_factory={block_size=4096;filter_policy=bloomfilter:10:false;block_cache="
                + cacheBytes + '}';
    }

    /** Returns the contents of the database. */
    DatabaseBuilder.Contents contents() {
        return new DatabaseBuilder.Contents(options(), readersKeys() + pinnersKeys(), KEY_BYTES, VALUE_BYTES, 0);
    }

    /** Returns the number of keys for the readers, which are the first keys: 1.5 times as much data as the cache holds. */
    int readersKeys() {
        return (int) (cacheBytes / VALUE_BYTES * 3 / 2);
    }

    /** Returns the number of keys for the thread that pins, which are the next keys: as much data as the cache holds. */
    int pinnersKeys() {
        return (int) (cacheBytes / VALUE_BYTES);
    }

    int pins() {
        return (int) (pinnedBytes / VALUE_BYTES);
    }

    SequencedMap<String, Object> params() {
        return Row.params("cacheBytes", cacheBytes, "pinnedBytes", pinnedBytes, "heldMillis", heldMillis, "readBytes",
                (long) readersKeys() * VALUE_BYTES, "valueBytes", VALUE_BYTES, "threads", READERS);
    }
}
