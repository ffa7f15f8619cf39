package org.rocksdb;

/** An env that native code owns, for example the default one. */
public class RocksEnv extends Env {

    /** Wraps a native {@code Env}. */
    RocksEnv(long handle) {
        super(handle);
    }

    /** Does nothing: the native env is not this object's. */
    @Override
    protected final void disposeInternal(long handle) {
    }
}
