package org.rocksdb;

/** An object with a native object, which {@link #close()} frees. */
public abstract class AbstractNativeReference implements AutoCloseable {

    /** For subclasses. */
    public AbstractNativeReference() {
    }

    /** {@return whether closing this object frees the native one: false once it is closed, and for objects that belong to another one} */
    protected abstract boolean isOwningHandle();

    /** Frees the native object, if this object owns it. Closing twice is harmless. */
    @Override
    public abstract void close();
}
