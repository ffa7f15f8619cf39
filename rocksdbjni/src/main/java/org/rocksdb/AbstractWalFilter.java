package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeWalFilter;

/**
 * Sees each record of the write-ahead log while a database is opened, before it is applied. RocksDB calls it from the thread that opens. If
 * it throws, the exception is logged and opening fails.
 *
 * <p>Closing it says that no more options will be given it. Options that have it keep its native object.
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
