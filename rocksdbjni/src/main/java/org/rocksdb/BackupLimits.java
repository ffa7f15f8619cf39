package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;

/** Limits of backups, where everything below 0 means none. */
final class BackupLimits {

    private BackupLimits() {
    }

    static void setBackupRateLimit(BackupEngineOptions options, long bytesPerSecond) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_backup_engine_options_set_backup_rate_limit(options.nativeHandle_,
                    Math.max(0, bytesPerSecond));
        }
    }

    static void setRestoreRateLimit(BackupEngineOptions options, long bytesPerSecond) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_backup_engine_options_set_restore_rate_limit(options.nativeHandle_,
                    Math.max(0, bytesPerSecond));
        }
    }
}
