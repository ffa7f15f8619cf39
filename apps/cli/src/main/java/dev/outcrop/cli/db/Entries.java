package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.Property;
import dev.outcrop.rocksdb.ReadOptions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Scans entries, and stops when the command is interrupted. */
final class Entries {
    /** After this many entries, asks the command whether to go on, and shows the progress. */
    private static final int INTERVAL = 512;

    private Entries() {
    }

    /** Uses entries. */
    interface Use {
        /** Uses an entry, and returns whether to go on. Both segments are valid until this method returns. */
        boolean entry(MemorySegment key, MemorySegment value);
    }

    /** Scans a range while the command goes on. Does not put the range into the cache. Returns how many entries were used. */
    static long each(ColumnFamily family, KeyRange range, Progress progress, BooleanSupplier goesOn, Use use) {
        long[] count = {0};
        family.with(new ReadOptions().fillCache(false)).scan(range, (key, value) -> {
            if (count[0] % INTERVAL == 0) {
                progress.at(count[0]);
                if (!goesOn.getAsBoolean()) {
                    return false;
                }
            }
            count[0]++;
            return use.entry(key, value);
        });
        return count[0];
    }

    /** Returns RocksDB's estimate of the number of entries. */
    static long estimate(ColumnFamily family) {
        return Objects.requireNonNullElse(family.longProperty(Property.ESTIMATE_NUM_KEYS), Progress.UNKNOWN);
    }

    static byte[] bytes(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_BYTE);
    }
}
