package org.rocksdb;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdbjni.ClassOrigin;

/**
 * A native object of RocksDB. One thread may close it while others use it. A running call finishes. A later call throws
 * {@link IllegalStateException}, or {@link AssertionError} if assertions are enabled.
 */
public abstract class RocksObject extends AbstractImmutableNativeReference {

    static {
        ClassOrigin.announce(RocksObject.class);
    }

    /** The address of the native object. */
    protected final long nativeHandle_;

    /** Null in classes without a lifetime, and in objects that a mocking library makes without a constructor. */
    private final Lifetime lifetime_;

    /** True if a call of this object's methods may call Java from native code. */
    private boolean callsJava_;

    /**
     * For subclasses.
     *
     * @param nativeHandle the address of the native object
     */
    protected RocksObject(long nativeHandle) {
        this(nativeHandle, true);
    }

    /**
     * For subclasses that may need no lifetime, because a lifetime costs time. They never call {@link #use}, and close themselves in
     * another way.
     */
    @SuppressWarnings("this-escape") // used when this object is closed
    RocksObject(long nativeHandle, boolean hasLifetime) {
        super(true);
        nativeHandle_ = nativeHandle;
        lifetime_ = hasLifetime ? new Lifetime(getClass().getName(), () -> disposeInternal(nativeHandle)) : null;
    }

    /** Makes each later call check for the stack that callbacks need. An exception that leaves a callback would end the process. */
    final void callsJava() {
        callsJava_ = true;
    }

    /** Calls {@link #callsJava()} if it was called for another object. */
    final void callsJavaLike(RocksObject other) {
        callsJava_ |= other.callsJava_;
    }

    /** Checks that enough stack is left for callbacks, if there may be any. */
    final void requireStackOfCallbacks() {
        if (callsJava_) {
            StackCheck.require(CallbackGuard.READING_MANY);
        }
    }

    /** Begins a use of the native object, which lives until the scratch memory is closed. */
    final Scratch use() {
        requireStackOfCallbacks();
        if (lifetime_ == null) {
            throw refusal("The object " + getClass().getName() + " was made without its constructor");
        }
        try {
            return lifetime_.enter();
        } catch (IllegalStateException e) {
            throw refusal(e.getMessage());
        }
    }

    /** Begins a use of the native object; null if it is closed. */
    final Scratch useIfOpen() {
        try {
            return lifetime_.enter();
        } catch (IllegalStateException e) {
            return null;
        }
    }

    /** Keeps the native object until {@link #release}, even if it is closed, for an object that refers to it. */
    final void lease(Scratch entered) {
        lifetime_.lease(entered);
    }

    /** Ends a {@link #lease}. */
    final void release() {
        lifetime_.release();
    }

    /** Closes the native object after its children. The children are closed after the last call. */
    final void end(Runnable closeChildren) {
        lifetime_.close(() -> {
        }, closeChildren);
    }

    /** Closes the native object after its children. Also ends the waits of running calls, because nothing else could end them. */
    final void end(Runnable endWaits, Runnable closeChildren) {
        lifetime_.close(endWaits, closeChildren);
    }

    /** Returns the exception for a use after closing. */
    static IllegalStateException refusal(String message) {
        assert false : message;
        return new IllegalStateException(message);
    }

    /** Waits for calls that use the native object, then frees it with {@link #disposeInternal(long)}. */
    @Override
    protected void disposeInternal() {
        dispose();
    }

    /** Does the work of {@link #disposeInternal()}, for classes that must not override that method. */
    void dispose() {
        lifetime_.close();
    }

    /**
     * Frees the native object.
     *
     * @param handle its address
     */
    protected abstract void disposeInternal(long handle);

    /** {@return the address of the native object, which is meaningless once this object is closed} */
    public long getNativeHandle() {
        return nativeHandle_;
    }
}
