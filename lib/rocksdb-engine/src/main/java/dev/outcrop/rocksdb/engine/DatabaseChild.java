package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Lifetime;
import java.util.ArrayList;
import java.util.List;

/** The kinds of objects that keep a closed database, or one of its column families, alive. */
public enum DatabaseChild {
    COLUMN_FAMILY("dropped column family in use", "dropped column families in use"),
    ITERATOR("iterator",
            "iterators"),
    LOG_ITERATOR("iterator of the log", "iterators of the log"),
    REPLAYER("replayer",
            "replayers"),
    SNAPSHOT("snapshot", "snapshots"),
    TRANSACTION("transaction",
            "transactions"),
    WRITE_BATCH("write batch with index", "write batches with index"),
    /** Too many to count: computed as the rest of all leases. */
    PINNED_VALUE("pinned value", "pinned values");

    private final String one;
    private final String several;

    DatabaseChild(String one, String several) {
        this.one = one;
        this.several = several;
    }

    /** Describes the open children of a closed database, for messages; empty if there are none. */
    public static String open(Lifetime database, List<Lifetime> families) {
        long pinned = database.leases();
        List<String> found = new ArrayList<>();
        for (DatabaseChild each : values()) {
            long count = each == PINNED_VALUE ? pinned : each.count(database, families);
            pinned -= database.leases(each);
            if (count > 0) {
                found.add(count + " " + (count == 1 ? each.one : each.several));
            }
        }
        return String.join(", ", found);
    }

    private long count(Lifetime database, List<Lifetime> families) {
        long ofFamilies = 0;
        for (Lifetime family : families) {
            // Open families that are known here do not count.
            ofFamilies += this == COLUMN_FAMILY
                    ? family.leases() > 0 ? -1 : 0
                    : family.leases(this);
        }
        return database.leases(this) + ofFamilies;
    }
}
