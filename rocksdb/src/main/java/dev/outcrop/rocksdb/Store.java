package dev.outcrop.rocksdb;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;

/** An open database: its native handles, its lifetime, and what its readers share. */
final class Store {
    final long db;
    /** The default column family. */
    final long family;
    /** Whether its keys are in the reverse order of their bytes. */
    final boolean isReversed;
    final Lifetime lifetime;
    /** What the leak detector calls a pinned slice of this database; made once, not for each slice. */
    final String sliceName;
    final ValueSizes sizes = new ValueSizes();

    Store(Object owner, String name, long db, Options options) {
        this.db = db;
        this.isReversed = options.isReversed();
        this.family = CApi.rocksdb_get_default_column_family_handle(db);
        this.sliceName = "pinned slice of " + name;
        this.lifetime = new Lifetime(owner, name, this::free, options.pinBudget());
    }

    Scratch enter() {
        return lifetime.enter();
    }

    private void free() {
        CApi.rocksdb_column_family_handle_destroy(family);
        CApi.rocksdb_close(db);
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
