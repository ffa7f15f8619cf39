package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.ref.Cleaner;

/**
 * Keeps a native object in memory, closed or not, until this one cannot be reached any longer. Whatever has a plain pointer to the native
 * object refers to this: options, their copies, and databases until they are closed.
 */
final class Held {

    private static final Cleaner CLEANER = Cleaner.create();

    /** The caller has entered the object. */
    @SuppressWarnings("this-escape") // nothing is called before it cannot be reached
    Held(RocksObject object, Scratch entered) {
        object.lease(entered);
        CLEANER.register(this, object::release);
    }
}
