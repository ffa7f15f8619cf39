package org.rocksdb;

import dev.outcrop.rocksdbjni.Unsupported;

/** An object that native code calls back. */
public abstract class RocksCallbackObject extends AbstractImmutableNativeReference {

    /** The address of the native object. */
    protected final long nativeHandle_;

    /** Frees the native object when it becomes unreachable; options and databases that use it hold it too. Null once closed. */
    private volatile Object kept;

    /**
     * For subclasses.
     *
     * @param nativeParameterHandles arguments of {@link #initializeNative}
     */
    @SuppressWarnings("this-escape") // as published: subclasses make their native object here
    protected RocksCallbackObject(long... nativeParameterHandles) {
        super(true);
        // The native object is freed when this one becomes unreachable.
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

    /** Sets the object that owns the native one, called while that is made. */
    final void keep(Object callback) {
        kept = callback;
    }

    /** Returns the object that users of the native one must hold. */
    Object kept() {
        Object callback = kept;
        if (callback == null) {
            throw closed();
        }
        return callback;
    }

    /** Makes no native object, for subclasses of which each user makes one. */
    static long keepWithoutNative(RocksCallbackObject object, long... nativeParameterHandles) {
        object.keep(object);
        return 0;
    }

    final IllegalStateException closed() {
        String message = "The object " + getClass().getName() + " is closed, or has no native object";
        assert false : message;
        return new IllegalStateException(message);
    }

    /** Releases the native object, which is freed after its last user. */
    @Override
    protected void disposeInternal() {
        if (kept == null && nativeHandle_ != 0) {
            throw Unsupported.method("RocksCallbackObject.disposeInternal()");
        }
        kept = null;
    }
}
