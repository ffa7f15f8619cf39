package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.util.Collection;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A native object that holds options: the base of the public option classes. */
abstract class NativeOptions {
    final NativeObject owned;
    private boolean used;
    private boolean changed;

    /** Makes the native object. */
    NativeOptions(LongSupplier create, LongConsumer destroy) {
        CallbackGuard.requireToWork();
        ApiCall.requireLibrary();
        this.owned = new NativeObject(this, create.getAsLong(), destroy);
    }

    /**
     * Returns the address of the native object, for an operation. Setters can no longer change the object, so any number of threads may use
     * it at once. Valid while this object is reachable.
     */
    synchronized long use() {
        used = true;
        return owned.address();
    }

    /**
     * Returns the address of the native object, for a change. Called while this object's monitor is held.
     *
     * @throws IllegalStateException if this object is in use and must no longer change
     */
    long changing() {
        // The functions are linked when they are first called.
        CallbackGuard.requireToWork();
        if (used) {
            String name = getClass().getSimpleName();
            throw new IllegalStateException("This object of class " + name
                    + " is in use and can no longer be changed; make another one with new " + name + "()");
        }
        changed = true;
        return owned.address();
    }

    /** Whether the native object may have been changed since it was made. Called while this object's monitor is held. */
    boolean isChanged() {
        return changed;
    }

    /** Returns the address of the native object, for a read. Called while this object's monitor is held. */
    long reading() {
        return owned.address();
    }

    /** Objects that the native object points to. A caller that copies it keeps them reachable while it uses the copy. */
    Collection<Object> kept() {
        return owned.kept().values();
    }
}
