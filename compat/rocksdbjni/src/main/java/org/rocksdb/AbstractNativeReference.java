package org.rocksdb;

import dev.outcrop.memory.StackCheck;

/** An object with a native object, which {@link #close()} frees. */
public abstract class AbstractNativeReference implements AutoCloseable {

    /** The stack that freeing an object needs, including the calls up to there. */
    private static final int CLOSING_KIB = StackCheck.FREEING + 8;

    /** For subclasses. */
    public AbstractNativeReference() {
    }

    /**
     * {@return whether closing this object frees the native object: false once it is closed, and for objects that belong to another object}
     */
    protected abstract boolean isOwningHandle();

    /** Frees the native object, if this object owns it. Closing twice is harmless. */
    @Override
    public abstract void close();

    /** Checks that enough stack is left, before closing changes anything. If this fails, a later call can close the object. */
    static void requireStack() {
        StackCheck.require(CLOSING_KIB);
    }
}
