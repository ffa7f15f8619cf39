package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeWalFilter;

/**
 * Filters the records of the write-ahead log while a database is opened, before they are applied. RocksDB calls it from the thread that
 * opens the database. If it throws, the exception is logged and opening fails.
 *
 * <p>A closed filter can be given to no more options. Options that have it keep its native object.
 */
public abstract class AbstractWalFilter extends RocksCallbackObject implements WalFilter {

    /** For subclasses. {@link #name()} is called before the fields of the subclass are set. */
    public AbstractWalFilter() {
        super();
    }

    /**
     * Makes the native filter.
     *
     * @param nativeParameterHandles nothing
     * @return its address
     */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        NativeWalFilter callback = WalFilterCallback.create(this, name());
        keep(callback);
        return callback.address();
    }
}
