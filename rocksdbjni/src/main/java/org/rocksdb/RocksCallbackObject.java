package org.rocksdb;

import dev.outcrop.rocksdbjni.Unsupported;

/** An object that native code calls back. */
public abstract class RocksCallbackObject extends AbstractImmutableNativeReference {

    /** The address of the native object. */
    protected final long nativeHandle_;

    /**
     * For subclasses.
     *
     * @param nativeParameterHandles what {@link #initializeNative} gets
     */
    @SuppressWarnings("this-escape") // as published: subclasses make their native object here
    protected RocksCallbackObject(long... nativeParameterHandles) {
        super(true);
        nativeHandle_ = initializeNative(nativeParameterHandles);
    }

    /**
     * Makes the native object.
     *
     * @param nativeParameterHandles what the constructor got
     * @return its address
     */
    protected abstract long initializeNative(long... nativeParameterHandles);

    /** Frees the native object. There is none as long as no callback can be made. */
    @Override
    protected void disposeInternal() {
        throw Unsupported.method("RocksCallbackObject.disposeInternal()");
    }
}
