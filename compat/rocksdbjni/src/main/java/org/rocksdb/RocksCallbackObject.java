package org.rocksdb;

import dev.outcrop.rocksdbjni.Unsupported;

/** An object that native code calls back. */
public abstract class RocksCallbackObject extends AbstractImmutableNativeReference {

    /** The address of the native object. */
    protected final long nativeHandle_;

    /**
     * The owner of the native object. When the owner becomes unreachable, it frees the native object. Options and databases that use the
     * native object hold the owner too. Null once closed.
     */
    private volatile Object kept;

    /**
     * For subclasses.
     *
     * @param nativeParameterHandles arguments of {@link #initializeNative}
     */
    @SuppressWarnings("this-escape") // as published: subclasses make their native object here
    protected RocksCallbackObject(long... nativeParameterHandles) {
        super(true);
        // The native object is freed when this object becomes unreachable.
        endWatch();
        nativeHandle_ = initializeNative(nativeParameterHandles);
    }

    /**
     * Makes the native object.
     *
     * @param nativeParameterHandles arguments of the constructor
     * @return its address
     */
    protected abstract long initializeNative(long... nativeParameterHandles);

    /** Sets the owner of the native object. Called while the native object is made. */
    final void keep(Object callback) {
        kept = callback;
    }

    /** Returns the owner, which users of the native object must hold. */
    Object kept() {
        Object callback = kept;
        if (callback == null) {
            throw closed();
        }
        return callback;
    }

    /** Makes no native object. For subclasses with a native object for each user. */
    static long keepWithoutNative(RocksCallbackObject object, long... nativeParameterHandles) {
        object.keep(object);
        return 0;
    }

    final IllegalStateException closed() {
        String message = "The object " + getClass().getName() + " is closed, or has no native object";
        assert false : message;
        return new IllegalStateException(message);
    }

    /** Releases the native object. It is freed after its last user. */
    @Override
    protected void disposeInternal() {
        if (kept == null && nativeHandle_ != 0) {
            throw Unsupported.method("RocksCallbackObject.disposeInternal()");
        }
        kept = null;
    }
}
