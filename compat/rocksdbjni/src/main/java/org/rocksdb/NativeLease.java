package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.ref.Cleaner;

/**
 * Keeps a native object in memory, even if it is closed, while the lease is reachable. Options, their copies, and open databases with a
 * plain pointer to the native object refer to the lease.
 */
final class NativeLease {

    private static final Cleaner CLEANER = Cleaner.create();

    /** Takes a lease of an object that the caller has entered. */
    @SuppressWarnings("this-escape") // nothing calls it before it is unreachable
    NativeLease(RocksObject object, Scratch entered) {
        object.lease(entered);
        CLEANER.register(this, object::release);
    }
}
