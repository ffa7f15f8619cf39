package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.NativeProperties;
import org.jspecify.annotations.Nullable;

/** An open column family, with what it was opened or created with. */
final class Family extends FamilyHandle {
    final Store store;
    /** What the leak detector calls an iterator of this family; made once, not for each iterator. */
    final String iteratorName;
    final boolean hasMergeOperator;
    /** Whether its table files can hold the deletion of a range. */
    private final boolean canDeleteRanges;
    /** What it was opened or created with. */
    final Options options;

    /** For a handle that the store has just taken a lease for. */
    Family(Store store, long handle, String name, Options options) {
        super(store, handle, name, options.keyOrder(), options.timestampSize());
        this.store = store;
        this.hasMergeOperator = options.hasMergeOperator();
        this.canDeleteRanges = options.canDeleteRanges();
        this.options = options.copy();
        this.iteratorName = "iterator of " + lifetime;
    }

    /** RocksDB ends the process when it meets a merge without an operator, and checks it for single writes only. */
    void requireMergeOperator() {
        if (!hasMergeOperator) {
            throw RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE, "The " + this
                    + " has no merge operator; open it with new Options().mergeOperator(…)");
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
        return NativeProperties.text(store.db, handle, Native.in(entered, property));
    }
}
