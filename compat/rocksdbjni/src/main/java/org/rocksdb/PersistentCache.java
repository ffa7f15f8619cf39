package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.NativeMethods;

/**
 * A cache of blocks in files, for {@link BlockBasedTableConfig#setPersistentCache}. A new cache is empty, and deletes the previous contents
 * of its directory.
 */
public class PersistentCache extends RocksObject {

    /**
     * Makes a cache.
     *
     * @param env             the env of the files
     * @param path            a directory, in which the cache makes a subdirectory
     * @param size            the most bytes
     * @param logger          receives the messages of the cache; null for none
     * @param optimizedForNvm whether the files are on a device that needs no large writes
     * @throws RocksDBException if the cache cannot be made
     */
    public PersistentCache(Env env, String path, long size, Logger logger, boolean optimizedForNvm)
            throws RocksDBException {
        super(make(env, path, size, logger, optimizedForNvm));
    }

    /** Makes the native cache. Its lease of the env never ends: databases may refer to the cache after it is closed. */
    private static long make(Env env, String path, long size, Logger logger, boolean optimizedForNvm)
            throws RocksDBException {
        if (!JniPaths.canCarry(path)) {
            throw new IllegalArgumentException("The path '" + path
                    + "' has a zero or a character beyond U+FFFF, which the library does not take for a persistent cache: use another one");
        }
        NativeMethods.require("Java_org_rocksdb_PersistentCache_newPersistentCache");
        try (Scratch entered = env.use()) {
            long cache = logger == null
                    ? newPersistentCache(env.nativeHandle_, path, size, LoggerPointers.none(entered), optimizedForNvm)
                    : logger.lend(shared -> newPersistentCache(env.nativeHandle_, path, size,
                            LoggerPointers.ofCallback(entered, shared), optimizedForNvm));
            env.lease(entered);
            return cache;
        }
    }

    private static native long newPersistentCache(long env, String path, long size, long logger,
            boolean optimizedForNvm) throws RocksDBException;

    private static native void disposeInternalJni(long handle);

    /** Frees the object. Options and databases that have the cache keep it alive. */
    @Override
    protected final void disposeInternal(long handle) {
        disposeInternalJni(handle);
    }
}
