package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeResources;
import java.util.Map;

/** Creates native {@code SstFileManager} objects. */
final class SstFileManagers {

    private SstFileManagers() {
    }

    /** Creates a manager. Its lease of the env never ends: databases may refer to the manager after it is closed. */
    static long manager(Env env, Logger logger, long bytesPerSecond, double trashRatio, long deleteChunk)
            throws RocksDBException {
        try (Scratch entered = env.use()) {
            Logger.Sharing<RocksDBException> making = shared -> SstFileManager
                    .jniNewSstFileManager(env.nativeHandle_, shared, bytesPerSecond, trashRatio, deleteChunk);
            long manager = logger == null ? making.with(0) : logger.lend(making);
            env.lease(entered);
            return manager;
        }
    }

    @SuppressWarnings("unchecked") // a map of names and sizes
    static Map<String, Long> getTrackedFiles(SstFileManager manager) {
        try (Scratch _ = manager.use()) {
            return SstFileManager.jniGetTrackedFiles(manager.nativeHandle_);
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
