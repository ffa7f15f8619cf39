package org.rocksdb;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;

/**
 * An object of RocksDB. It may be closed by one thread while others use it: a call that has begun finishes, a later one is refused
 * with {@link IllegalStateException}, or with {@link AssertionError} where assertions are enabled.
 */
public abstract class RocksObject extends AbstractImmutableNativeReference {

    /** The address of the native object. */
    protected final long nativeHandle_;

    /** Null in what does without it, and in what a mocking library makes without calling a constructor. */
    private final Lifetime lifetime_;

    /**
     * For subclasses.
     *
     * @param nativeHandle the address of the native object
     */
    protected RocksObject(long nativeHandle) {
        this(nativeHandle, true);
    }

    /**
     * Perhaps without a lifetime, which takes time to make and to end: what is guarded otherwise never calls {@link #use}, and closes
     * itself in another way.
     */
    @SuppressWarnings("this-escape") // used when this object is closed
    RocksObject(long nativeHandle, boolean hasLifetime) {
        super(true);
        nativeHandle_ = nativeHandle;
        lifetime_ = hasLifetime ? new Lifetime(getClass().getName(), () -> disposeInternal(nativeHandle)) : null;
    }

    /** Begins a call that uses the native object, which lives until the scratch memory is closed. */
    final Scratch use() {
        if (lifetime_ == null) {
            throw refusal("The object " + getClass().getName() + " was made without its constructor");
        }
        try {
            return lifetime_.enter();
        } catch (IllegalStateException e) {
            throw refusal(e.getMessage());
        }
    }

    /** As {@link #use}, but null if the object is closed. */
    final Scratch useIfOpen() {
        try {
            return lifetime_.enter();
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** Keeps the native object until {@link #release}, closed or not, for another one that refers to it. */
    final void lease(Scratch entered) {
        lifetime_.lease(entered);
    }

    /** Gives back what {@link #lease} took. */
    final void release() {
        lifetime_.release();
    }

    /** Ends the native object with its parts, which are closed when no call is running any longer. */
    final void end(Runnable closeParts) {
        lifetime_.close(closeParts);
    }

    /** As {@link #end(Runnable)}; meanwhile calls are kept from waiting for what nobody can do any longer. */
    final void end(Runnable endWaits, Runnable closeParts) {
        lifetime_.close(endWaits, closeParts);
    }

    /** What is thrown for a use that comes too late. */
    static IllegalStateException refusal(String message) {
        assert false : message;
        return new IllegalStateException(message);
    }

    /** Waits for calls that use the native object, then frees it with {@link #disposeInternal(long)}. */
    @Override
    protected void disposeInternal() {
        dispose();
    }

    /** What {@link #disposeInternal()} does, for classes of which the published ones do not override that. */
    void dispose() {
        lifetime_.close();
    }

    /**
     * Frees the native object.
     *
     * @param handle its address
     */
    protected abstract void disposeInternal(long handle);

    /**
     * The address of the native object.
     *
     * @return an address; meaningless once this object is closed
     */
    public long getNativeHandle() {
        return nativeHandle_;
    }
}
