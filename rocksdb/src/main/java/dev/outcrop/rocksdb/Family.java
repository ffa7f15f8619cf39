package dev.outcrop.rocksdb;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import org.jspecify.annotations.Nullable;

/**
 * What an operation on a column family needs. Its lifetime is entered around every native call that is given the handle; it ends when
 * the family is dropped or the database closed, and holds a lease on the database.
 */
final class Family implements CallbackGuard.Read {
    final Store store;
    /** The {@code rocksdb_column_family_handle_t *}. */
    final long handle;
    final String name;
    final int id;
    final Lifetime lifetime;
    /** What the leak detector calls an iterator of this family; made once, not for each iterator. */
    final String iteratorName;
    final KeyOrder order;
    /** The database's. */
    final CallbackGuard guard;
    final boolean hasMergeOperator;
    /** How many bytes of each key are its timestamp; 0 if keys have none. */
    final int timestampSize;
    /** Whether its table files can hold the deletion of a range. */
    private final boolean canDeleteRanges;
    /** What it was opened or created with. */
    final Options options;
    /** What its readers learn about its values. */
    final ValueSizes sizes = new ValueSizes();

    /** For a handle that the store has just taken a lease for. */
    Family(Store store, long handle, String name, Options options) {
        this.store = store;
        this.handle = handle;
        this.name = name;
        this.guard = store.guard;
        this.id = CApi.rocksdb_column_family_handle_get_id(handle);
        this.order = options.keyOrder();
        this.hasMergeOperator = options.hasMergeOperator();
        this.timestampSize = options.timestampSize();
        this.canDeleteRanges = options.canDeleteRanges();
        this.options = options.copy();
        this.lifetime = new Lifetime(isDefault() ? store.name : "column family " + name + " of " + store.name,
                this::free);
        this.iteratorName = "iterator of " + lifetime;
    }

    /** Starts a use that neither changes the database nor waits for its background work. */
    Scratch enter() {
        if (guard.isNeeded()) {
            guard.read(this);
        }
        return lifetime.enter();
    }

    /** As {@link #enter()}, for what is called so rarely that it is linked only then. */
    Scratch enterToLook() {
        Headroom.require(CallbackGuard.WORKING);
        return enter();
    }

    /** Starts a write. */
    Scratch enterToWrite() {
        if (guard.isNeeded()) {
            guard.write();
        }
        return lifetime.enter();
    }

    /** Starts any other change, or what waits for the background work. */
    Scratch enterToWork() {
        Headroom.require(CallbackGuard.WORKING);
        if (guard.isNeeded()) {
            guard.work();
        }
        return lifetime.enter();
    }

    /** Starts a change that waits for RocksDB's background threads. */
    Scratch enterToWait() {
        CallbackGuard.requireMayWait(this);
        return enterToWork();
    }

    @Override
    public boolean isInUseByCaller() {
        return lifetime.isEnteredByCaller() || store.lifetime.isEnteredByCaller();
    }

    /** RocksDB ends the process when it meets a merge without an operator, and checks it for single writes only. */
    void requireMergeOperator() {
        if (!hasMergeOperator) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The " + this
                    + " has no merge operator; open it with new Options().mergeOperator(…)");
        }
    }

    /**
     * Keeps the family's handle for what is pinned in it, until {@link #release()}: a family that is dropped takes its block cache with
     * it when its handle goes, and RocksDB does not keep that for pins. The default family cannot be dropped.
     */
    void hold(Scratch entered) {
        if (!isDefault()) {
            lifetime.lease(entered);
        }
    }

    /** Gives back what {@link #hold} has taken. */
    void release() {
        if (!isDefault()) {
            lifetime.release();
        }
    }

    /** RocksDB checks this too late, when it has logged the write, and then refuses all writes until it is opened again. */
    void requireRangeDeletions() {
        if (!canDeleteRanges) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The table format of the " + this
                    + " cannot hold the deletion of a range; delete the keys one by one, or use block-based tables,"
                    + " which are RocksDB's default");
        }
    }

    /** A property of this family, which is entered; null if there is none of that name. */
    @Nullable
    String property(Scratch entered, String property) {
        long value = CApi.rocksdb_property_value_cf(store.db, handle, Native.in(entered, property));
        return value == 0 ? null : Native.takeString(value);
    }

    boolean isDefault() {
        return id == 0;
    }

    private void free() {
        CApi.rocksdb_column_family_handle_destroy(handle);
        store.lifetime.release(Child.COLUMN_FAMILY);
    }

    @Override
    public String toString() {
        return lifetime.toString();
    }
}
