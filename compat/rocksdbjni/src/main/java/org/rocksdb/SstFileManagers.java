package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdbjni.Unsupported;

/** Creates native {@code SstFileManager} objects. */
final class SstFileManagers {

    private SstFileManagers() {
    }

    static long manager(Env env, Logger logger, long bytesPerSecond, double trashRatio, long deleteChunk)
            throws RocksDBException {
        if (logger != null || deleteChunk != SstFileManager.BYTES_MAX_DELETE_CHUNK_DEFAULT) {
            throw Unsupported.method("SstFileManager with a logger or a size of chunks");
        }
        return make(env, bytesPerSecond, trashRatio);
    }

    /** Creates a manager. Its lease of the env never ends: databases may refer to the manager after it is closed. */
    static long make(Env env, long bytesPerSecond, double trashRatio) throws RocksDBException {
        try (Scratch entered = env.use()) {
            // A rocksdb_env_t is a structure of the env's address and a flag.
            entered.setWord(0, env.nativeHandle_);
            entered.setWord(1, 0);
            long manager = NativeResources.newFileManager(entered.wordAddress(0));
            NativeResources.setDeleteRate(manager, bytesPerSecond);
            NativeResources.setMaxTrashRatio(manager, trashRatio);
            env.lease(entered);
            return manager;
        }
    }

    /** Sets the rate under a lock: two threads at once would both start RocksDB's one background thread, which ends the process. */
    static void setDeleteRateBytesPerSecond(SstFileManager manager, long bytesPerSecond) {
        synchronized (manager) {
            try (Scratch _ = manager.use()) {
                NativeResources.setDeleteRate(manager.nativeHandle_, bytesPerSecond);
            }
        }
    }
}
