package org.rocksdb;

import java.io.IOException;

/** Loads the native library. Other calls also load it when needed. */
public class NativeLibraryLoader {

    private static final NativeLibraryLoader INSTANCE = new NativeLibraryLoader();
    /** Flink sets this field to false by reflection after loading has failed. */
    private static boolean initialized;

    private NativeLibraryLoader() {
    }

    /** {@return the only loader} */
    public static NativeLibraryLoader getInstance() {
        return INSTANCE;
    }

    /**
     * Loads the library, if it is not loaded yet.
     *
     * @param tmpDir has no meaning: Outcrop has its own directory for libraries
     * @throws IOException as published; never
     */
    public synchronized void loadLibrary(String tmpDir) throws IOException {
        if (!initialized) {
            Databases.loadLibrary();
            RocksDB.Version _ = Databases.rocksdbVersion();
            initialized = true;
        }
    }
}
