package dev.outcrop.rocksdb;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An open database: its native handles, its column families, and its lifetime. */
final class Store {
    /** The {@code rocksdb_t *}. */
    final long db;
    final String name;
    final Options options;
    /** What the database counts into, or null. */
    final @Nullable Statistics statistics;
    final Lifetime lifetime;
    /** What the leak detector calls a pinned slice of this database; made once, not for each slice. */
    final String sliceName;
    private final Opened opened;
    private final Map<String, ColumnFamily> families = new ConcurrentHashMap<>();
    /** What native options point to, until the database has gone: comparators, environments, listeners. */
    private final List<Object> kept = new CopyOnWriteArrayList<>();

    Store(Object owner, String name, Opened opened) {
        this.opened = opened;
        this.db = opened.db();
        this.name = name;
        this.options = opened.options();
        this.statistics = Statistics.of(options);
        this.sliceName = "pinned slice of " + name;
        this.lifetime = new Lifetime(owner, name, this::free, options.pinBudget());
        kept.addAll(options.kept());
        try (Scratch scratch = lifetime.enter()) {
            opened.families().forEach((family, handle) -> add(scratch, family, handle, opened.options(family)));
        }
    }

    /** Makes a family's Java half; the store's lease for it is taken here. */
    ColumnFamily add(Scratch entered, String family, long handle, Options familyOptions) {
        kept.addAll(familyOptions.kept());
        lifetime.lease(entered);
        ColumnFamily added = new ColumnFamily(new Family(this, handle, family, familyOptions));
        families.put(family, added);
        return added;
    }

    @Nullable
    ColumnFamily family(String family) {
        return families.get(Objects.requireNonNull(family, "name"));
    }

    ColumnFamily defaultFamily() {
        return Objects.requireNonNull(families.get(Opening.DEFAULT_FAMILY));
    }

    List<ColumnFamily> families() {
        List<ColumnFamily> all = new ArrayList<>(families.values());
        all.sort((a, b) -> Integer.compare(a.id(), b.id()));
        return all;
    }

    /** The family that a caller gave; one of another database would be read as something that it is not. */
    Family own(ColumnFamily columnFamily) {
        Family family = columnFamily.family();
        if (family.store != this) {
            throw new IllegalArgumentException("The " + family + " does not belong to the " + this);
        }
        return family;
    }

    /**
     * Drops a family, whose handle goes with the last of its iterators. First no call may use it any more: a write to a family that
     * has just been dropped would be logged, then fail, and RocksDB would refuse all writes until it is opened again.
     */
    synchronized void drop(Family family) {
        try (Scratch scratch = family.enter()) {
            if (family.isDefault()) {
                CApi.rocksdb_drop_column_family(db, family.handle, Native.error(scratch));
                Native.check(scratch, "Cannot drop the " + family);
            }
            family.lifetime.lease(scratch);
        }
        try {
            family.lifetime.close("was dropped");
            try (Scratch scratch = lifetime.enter()) {
                CApi.rocksdb_drop_column_family(db, family.handle, Native.error(scratch));
                Native.check(scratch, "Cannot drop the " + family
                        + ", which cannot be used before the database is opened again");
            }
            families.remove(family.name);
        } finally {
            family.lifetime.release();
        }
    }

    /** What kind of database it is. */
    DatabaseKind kind() {
        return opened.kind();
    }

    /** A writer to a family, of the kind that this kind of database needs. */
    KeyValueWriter writer(Family family, WriteOptions writeOptions) {
        return opened.kind().writer(family, writeOptions);
    }

    /** The family with an id, or null if there is none. */
    @Nullable
    Family family(int id) {
        for (ColumnFamily family : families.values()) {
            if (family.id() == id) {
                return family.family();
            }
        }
        return null;
    }

    Scratch enter() {
        return lifetime.enter();
    }

    void close() {
        families.values().forEach(family -> family.family().lifetime.requireOutside());
        lifetime.close(() -> families.values().forEach(family -> family.family().lifetime.close()));
    }

    private void free() {
        opened.kind().close(db);
        kept.clear();
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
