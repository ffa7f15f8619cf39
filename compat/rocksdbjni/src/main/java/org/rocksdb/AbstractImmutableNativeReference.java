package org.rocksdb;

import java.util.concurrent.atomic.AtomicBoolean;

/** An object with a native object that never changes. */
public abstract class AbstractImmutableNativeReference extends AbstractNativeReference {

    /** Whether closing this object frees the native one. */
    protected final AtomicBoolean owningHandle_;

    /**
     * For subclasses.
     *
     * @param owningHandle whether closing this object frees the native one
     */
    protected AbstractImmutableNativeReference(boolean owningHandle) {
        owningHandle_ = new AtomicBoolean(owningHandle);
    }

    @Override
    public boolean isOwningHandle() {
        return owningHandle_.get();
    }

    /** Leaves the native object to another owner: {@link #close()} does nothing from now on. */
    protected final void disOwnNativeHandle() {
        owningHandle_.set(false);
    }

    @Override
    public void close() {
        requireStack();
        if (owningHandle_.compareAndSet(true, false)) {
            disposeInternal();
        }
    }

    /** Frees the native object; called at most once. */
    protected abstract void disposeInternal();
}
