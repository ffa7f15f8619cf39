package org.rocksdb;

/** An object with a part in native memory, which is freed by {@link #close()}. */
public abstract class AbstractNativeReference implements AutoCloseable {

    /** For subclasses. */
    public AbstractNativeReference() {
    }

    /** {@return whether closing this object frees the native one: false once it is closed, and for objects that belong to another one} */
    protected abstract boolean isOwningHandle();

    /** Frees the native object, if it belongs to this one. Closing twice is harmless. */
    @Override
    public abstract void close();
}
