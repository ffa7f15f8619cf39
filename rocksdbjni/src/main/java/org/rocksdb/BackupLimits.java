package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** Limits of backups, where everything below 0 means none. */
final class BackupLimits {

    /** RocksDB copies files through a buffer for all that may be copied at once, which is a tenth of a second's. */
    private static final long MOST_AT_ONCE = 1 << 30;
    private static final long MOST_A_SECOND = 10 * MOST_AT_ONCE;

    private BackupLimits() {
    }

    static void setBackupRateLimit(BackupEngineOptions options, long bytesPerSecond) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_backup_engine_options_set_backup_rate_limit(options.nativeHandle_,
                    Math.max(0, bytesPerSecond));
        }
    }

    /** Checks the limits of options that nobody changes meanwhile. */
    static void check(BackupEngineOptions options) {
        Ranges.check("backupRateLimit",
                CApi.rocksdb_backup_engine_options_get_backup_rate_limit(options.nativeHandle_), 0, MOST_A_SECOND);
        Ranges.check("restoreRateLimit",
                CApi.rocksdb_backup_engine_options_get_restore_rate_limit(options.nativeHandle_), 0, MOST_A_SECOND);
        options.parts_.limiters().forEach(limiter -> limiter.parts_.limitBackups());
    }

    /** Checks how much a rate limiter lets through at once. */
    static void checkBurst(long bytes) {
        Ranges.check("singleBurstBytes of a rate limiter of backups", bytes, 1, MOST_AT_ONCE);
    }

    static void setRestoreRateLimit(BackupEngineOptions options, long bytesPerSecond) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_backup_engine_options_set_restore_rate_limit(options.nativeHandle_,
                    Math.max(0, bytesPerSecond));
        }
    }
}
