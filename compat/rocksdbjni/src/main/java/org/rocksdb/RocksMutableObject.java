package org.rocksdb;

import dev.outcrop.memory.LeakDetector;

/** An object with a native object that may be replaced. */
public abstract class RocksMutableObject extends AbstractNativeReference {

    private long nativeHandle_;
    private boolean owningHandle_;
    /** Null if this object owns nothing, or is not watched by the leak detector. */
    private LeakDetector.Tracker tracker;

    /** Makes an object without a native object. {@link #setNativeHandle} sets one later. */
    protected RocksMutableObject() {
    }

    /**
     * Makes an object that owns a native object.
     *
     * @param nativeHandle its address
     */
    @SuppressWarnings("this-escape") // only the class of the object is used
    protected RocksMutableObject(long nativeHandle) {
        nativeHandle_ = nativeHandle;
        owningHandle_ = true;
        tracker = LeakDetector.track(this, getClass().getName());
    }

    /**
     * Replaces the native object. Frees the previous native object if it belonged to this object.
     *
     * @param newNativeHandle    its address
     * @param owningNativeHandle whether it belongs to this one
     */
    public synchronized void resetNativeHandle(long newNativeHandle, boolean owningNativeHandle) {
        close();
        setNativeHandle(newNativeHandle, owningNativeHandle);
    }

    /**
     * Sets the native object. Does not free the previous one.
     *
     * @param nativeHandle       its address
     * @param owningNativeHandle whether it belongs to this one
     */
    public synchronized void setNativeHandle(long nativeHandle, boolean owningNativeHandle) {
        nativeHandle_ = nativeHandle;
        owningHandle_ = owningNativeHandle;
        endWatch();
        tracker = owningNativeHandle ? LeakDetector.track(this, getClass().getName()) : null;
    }

    @Override
    protected synchronized boolean isOwningHandle() {
        return owningHandle_;
    }

    /**
     * Returns the address of the native object.
     *
     * @return never 0
     * @throws IllegalStateException if there is none; {@code AssertionError} where assertions are enabled
     */
    protected synchronized long getNativeHandle() {
        if (nativeHandle_ == 0) {
            String message = "The object " + getClass().getName() + " is closed, or has no native object yet";
            assert false : message;
            throw new IllegalStateException(message);
        }
        return nativeHandle_;
    }

    @Override
    public final synchronized void close() {
        requireStack();
        if (owningHandle_) {
            endWatch();
            disposeInternal();
            owningHandle_ = false;
            nativeHandle_ = 0;
        }
    }

    private void endWatch() {
        if (tracker != null) {
            tracker.close();
        }
    }

    /** Frees the native object. */
    protected void disposeInternal() {
        disposeInternal(nativeHandle_);
    }

    /**
     * Frees the native object.
     *
     * @param handle its address
     */
    protected abstract void disposeInternal(long handle);
}
