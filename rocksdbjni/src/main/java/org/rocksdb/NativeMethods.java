package org.rocksdb;

import dev.outcrop.memory.NativeLibraries;

/**
 * Binds the {@code native} methods of this package to the library of which {@link dev.outcrop.rocksdb.capi.CApi} calls the functions. They
 * are for what C has no function for.
 */
final class NativeMethods {

    static {
        load();
    }

    private NativeMethods() {
    }

    @SuppressWarnings("restricted")
    private static void load() {
        System.load(NativeLibraries.rocksdbPath().toString());
    }

    /** To be called before one of them. */
    static void bind() {
        // The first call initializes this class.
    }
}
