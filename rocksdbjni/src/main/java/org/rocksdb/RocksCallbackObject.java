package org.rocksdb;

import dev.outcrop.rocksdbjni.Unsupported;

/** An object that native code calls back. */
public abstract class RocksCallbackObject extends AbstractImmutableNativeReference {

    /** The address of the native object. */
    protected final long nativeHandle_;

    /** What frees the native object when nobody can reach it: options and databases that use it hold it too. Null once closed. */
    private volatile Object kept;

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

    /** Called while the native object is made. */
    final void keep(Object callback) {
        kept = callback;
    }

    /** What a user of the native object must hold as long as it does. */
    Object kept() {
        Object callback = kept;
        if (callback == null) {
            throw closed();
        }
        return callback;
    }

    final IllegalStateException closed() {
        String message = "The object " + getClass().getName() + " is closed, or has no native object";
        assert false : message;
        return new IllegalStateException(message);
    }

    /** Leaves the native object to its other users; it is freed after the last of them. */
    @Override
    protected void disposeInternal() {
        if (kept == null && nativeHandle_ != 0) {
            throw Unsupported.method("RocksCallbackObject.disposeInternal()");
        }
        kept = null;
    }
}
