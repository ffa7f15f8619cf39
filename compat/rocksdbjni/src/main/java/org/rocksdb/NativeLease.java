package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.ref.Cleaner;

/**
 * Keeps a native object in memory, closed or not, while this object is reachable. Options, their copies, and open databases with a plain
 * pointer to the native object refer to it.
 */
final class NativeLease {

    private static final Cleaner CLEANER = Cleaner.create();

    /** Takes a lease of an object that the caller has entered. */
    @SuppressWarnings("this-escape") // nothing is called before it cannot be reached
    NativeLease(RocksObject object, Scratch entered) {
        object.lease(entered);
        CLEANER.register(this, object::release);
    }
}
