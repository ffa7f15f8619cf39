package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;

/** The base database of a database with transactions. It ends with that database; closing it does nothing. */
final class BaseDatabase extends RocksDB {

    private final RocksDB whole;
    /** Made beforehand: there may be no memory for them when the whole is closed. */
    private final Runnable endWaits = parts_::endWaits;
    private final Runnable closeParts = parts_::closeChildren;

    BaseDatabase(RocksDB whole) {
        super(whole instanceof TransactionDB
                ? NativeTransactionDatabase.base(whole.nativeHandle_)
                : NativeTransactionDatabase.optimisticBase(whole.nativeHandle_));
        this.whole = whole;
        parts_.path = whole.parts_.path;
        parts_.logDirectory = whole.parts_.logDirectory;
        parts_.hasStatistics = whole.parts_.hasStatistics;
        parts_.hasListeners = whole.parts_.hasListeners;
        parts_.shareWith(whole.parts_);
        disOwnNativeHandle();
    }

    /** Whether families of a database are this one's, too. */
    @SuppressWarnings("ReferenceEquality") // a database is itself only
    boolean isPartOf(RocksDB database) {
        return database == whole;
    }

    void endWithWhole() {
        end(endWaits, closeParts);
    }

    @Override
    protected void disposeInternal(long handle) {
        if (whole instanceof TransactionDB) {
            NativeTransactionDatabase.closeBase(handle);
        } else {
            NativeTransactionDatabase.closeOptimisticBase(handle);
        }
    }
}
