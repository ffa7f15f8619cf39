package org.rocksdb;

import dev.outcrop.memory.LeakDetector;
import java.util.concurrent.atomic.AtomicBoolean;

/** An object with a native object that never changes. */
public abstract class AbstractImmutableNativeReference extends AbstractNativeReference {

    /** Whether closing this object frees the native object. */
    protected final AtomicBoolean owningHandle_;

    /** Null if the leak detector does not watch this object. */
    private final LeakDetector.Tracker tracker;

    /**
     * For subclasses.
     *
     * @param owningHandle whether closing this object frees the native object
     */
    @SuppressWarnings("this-escape") // only the class of the object is used
    protected AbstractImmutableNativeReference(boolean owningHandle) {
        owningHandle_ = new AtomicBoolean(owningHandle);
        tracker = owningHandle ? LeakDetector.track(this, getClass().getName()) : null;
    }

    @Override
    public boolean isOwningHandle() {
        return owningHandle_.get();
    }

    /** Leaves the native object to another owner: {@link #close()} does nothing from now on. */
    protected final void disOwnNativeHandle() {
        owningHandle_.set(false);
        endWatch();
    }

    /** Tells the leak detector that this object is closed, or need not be closed. */
    final void endWatch() {
        if (tracker != null) {
            tracker.close();
        }
    }

    @Override
    public void close() {
        requireStack();
        if (owningHandle_.compareAndSet(true, false)) {
            endWatch();
            disposeInternal();
        }
    }

    /** Frees the native object; called at most once. */
    protected abstract void disposeInternal();
}
