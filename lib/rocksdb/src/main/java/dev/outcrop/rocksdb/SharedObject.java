package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeObject;
import java.lang.ref.Reference;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** A native object that any number of options share: the base of public classes such as a cache. */
abstract class SharedObject {
    final NativeObject owned;

    /** Makes the native object. */
    SharedObject(LongSupplier create, LongConsumer destroy) {
        ApiCall.requireLibrary();
        this.owned = new NativeObject(this, create.getAsLong(), destroy);
    }

    /** Its address, valid while this object is reachable. */
    final long address() {
        return owned.address();
    }

    /** Makes a native call with its address, and stays reachable until that has returned. */
    final void use(LongConsumer call) {
        try {
            call.accept(owned.address());
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** Makes a native call that returns a value, as {@link #use} does. */
    final <T> T ask(LongFunction<T> call) {
        try {
            return call.apply(owned.address());
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
