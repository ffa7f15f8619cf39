package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;

/** The base database of a database with transactions. It ends with that database; closing it does nothing. */
final class BaseDB extends RocksDB {

    private final RocksDB whole;
    /** Made in advance, because there may be no memory for it when the whole database is closed. */
    private final Runnable endWaits = state_::endWaits;
    private final Runnable closeChildren = state_::closeChildren;

    BaseDB(RocksDB whole) {
        super(whole instanceof TransactionDB
                ? NativeTransactionDatabase.base(whole.nativeHandle_)
                : NativeTransactionDatabase.optimisticBase(whole.nativeHandle_));
        this.whole = whole;
        state_.path = whole.state_.path;
        state_.logDirectory = whole.state_.logDirectory;
        state_.countsReads = whole.state_.countsReads;
        state_.isTraced = whole.state_.isTraced;
        state_.hasListeners = whole.state_.hasListeners;
        state_.shareWith(whole.state_);
        disOwnNativeHandle();
    }

    /** Returns whether families of a database are families of this database too. */
    @SuppressWarnings("ReferenceEquality") // a database is itself only
    boolean isPartOf(RocksDB database) {
        return database == whole;
    }

    void endWithWhole() {
        end(endWaits, closeChildren);
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
