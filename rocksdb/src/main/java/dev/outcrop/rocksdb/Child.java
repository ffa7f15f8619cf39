package dev.outcrop.rocksdb;

import java.util.ArrayList;
import java.util.List;

/** What keeps a database, or one of its column families, alive after it was closed. */
enum Child {
    COLUMN_FAMILY("dropped column family in use", "dropped column families in use"), ITERATOR("iterator",
            "iterators"), LOG_ITERATOR("iterator of the log", "iterators of the log"), REPLAYER("replayer",
                    "replayers"), SNAPSHOT("snapshot", "snapshots"), TRANSACTION("transaction",
                            "transactions"), WRITE_BATCH("write batch with index", "write batches with index"),
    /** Not counted, because there are so many: what is left of all leases. */
    PINNED_VALUE("pinned value", "pinned values");

    private final String one;
    private final String several;

    Child(String one, String several) {
        this.one = one;
        this.several = several;
    }

    /** The children of a database that was closed, for messages; empty if there are none. */
    static String open(Store store) {
        long pinned = store.lifetime.leases();
        List<String> found = new ArrayList<>();
        for (Child each : values()) {
            long count = each == PINNED_VALUE ? pinned : each.count(store);
            pinned -= store.lifetime.leases(each);
            if (count > 0) {
                found.add(count + " " + (count == 1 ? each.one : each.several));
            }
        }
        return String.join(", ", found);
    }

    private long count(Store store) {
        long ofFamilies = 0;
        for (ColumnFamily family : store.families()) {
            // Of the families themselves, only those count that are not known here.
            ofFamilies += this == COLUMN_FAMILY
                    ? family.family().lifetime.leases() > 0 ? -1 : 0
                    : family.family().lifetime.leases(this);
        }
        return store.lifetime.leases(this) + ofFamilies;
    }
}
