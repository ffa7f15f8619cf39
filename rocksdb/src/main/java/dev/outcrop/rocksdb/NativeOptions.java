package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.util.Collection;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A native object that holds options, behind each of the public option classes. */
abstract class NativeOptions {
    final NativeObject owned;
    private boolean used;
    private boolean changed;

    /**
     * Makes the native object.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    NativeOptions(LongSupplier create, LongConsumer destroy) {
        CallbackGuard.requireToWork();
        Native.requireLibrary();
        this.owned = new NativeObject(this, create.getAsLong(), destroy);
    }

    /**
     * The address of the native object, to use it in an operation; no setter changes it any more, so that any number of threads may
     * use it at once. Valid while this object is reachable.
     */
    synchronized long use() {
        used = true;
        return owned.address();
    }

    /**
     * The address of the native object, to change it. Called while this object's monitor is held.
     *
     * @throws IllegalStateException if this object is in use and must not change any more
     */
    long changing() {
        // The functions are linked when they are first called.
        CallbackGuard.requireToWork();
        if (used) {
            String name = getClass().getSimpleName();
            throw new IllegalStateException("This object of class " + name
                    + " is in use and cannot be changed any more; make another one with new " + name + "()");
        }
        changed = true;
        return owned.address();
    }

    /** Whether anybody has begun to change the native object since it was made. Called while this object's monitor is held. */
    boolean isChanged() {
        return changed;
    }

    /** The address of the native object, to read it. Called while this object's monitor is held. */
    long reading() {
        return owned.address();
    }

    /** What the native object points to; a caller that copies it keeps this reachable for as long as the copy is used. */
    Collection<Object> kept() {
        return owned.kept().values();
    }
}
