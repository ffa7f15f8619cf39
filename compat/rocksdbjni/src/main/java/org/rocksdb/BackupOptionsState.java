package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.NativeLogger;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The objects that {@code BackupEngineOptions} refer to; they live as long as the options. */
final class BackupOptionsState {

    /** RocksDB copies files through a buffer that holds the data of a tenth of a second. */
    private static final long MOST_AT_ONCE = 1 << 30;
    private static final long MOST_A_SECOND = 10 * MOST_AT_ONCE;

    private final BackupEngineOptions options;
    Env environment;
    RateLimiter backupLimiter;
    RateLimiter restoreLimiter;
    Logger infoLog;
    private final List<Object> held = new ArrayList<>();

    BackupOptionsState(BackupEngineOptions options) {
        this.options = options;
    }

    void setBackupEnv(Env env) {
        try (Scratch scratch = options.use(); Scratch _ = env.use()) {
            NativeBackups.setEnv(options.nativeHandle_, NativeValues.environment(scratch, env));
        }
        environment = env;
    }

    /** Sets the logger, to which native options and their engines have a plain pointer. */
    void setInfoLog(Logger logger) {
        try (Scratch scratch = options.use(); Options sharing = new Options()) {
            logger.giveTo(sharing.nativeHandle_);
            NativeLogger shared = NativeLogger.ofOptions(sharing.nativeHandle_);
            held.add(shared);
            LoggerPointers.set(scratch, options.nativeHandle_, shared.address());
        }
        infoLog = logger;
    }

    void setBackupRateLimiter(RateLimiter limiter) {
        try (Scratch _ = options.use(); Scratch entered = limiter.use()) {
            hold(limiter, entered);
            NativeBackups.setBackupRateLimiter(options.nativeHandle_, limiter.nativeHandle_);
        }
        backupLimiter = limiter;
    }

    void setRestoreRateLimiter(RateLimiter limiter) {
        try (Scratch _ = options.use(); Scratch entered = limiter.use()) {
            hold(limiter, entered);
            NativeBackups.setRestoreRateLimiter(options.nativeHandle_, limiter.nativeHandle_);
        }
        restoreLimiter = limiter;
    }

    private void hold(RateLimiter limiter, Scratch entered) {
        held.add(new NativeLease(limiter, entered));
    }

    /** Returns the limiters and loggers, which keep their native objects in memory, even if they are closed: they are used later too. */
    synchronized List<Object> held() {
        return List.copyOf(held);
    }

    List<RateLimiter> limiters() {
        return Stream.of(backupLimiter, restoreLimiter).filter(Objects::nonNull).toList();
    }

    /** Any number below 0 means no limit. */
    void setBackupRateLimit(long bytesPerSecond) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_backup_engine_options_set_backup_rate_limit(options.nativeHandle_,
                    Math.max(0, bytesPerSecond));
        }
    }

    void setRestoreRateLimit(long bytesPerSecond) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_backup_engine_options_set_restore_rate_limit(options.nativeHandle_,
                    Math.max(0, bytesPerSecond));
        }
    }

    /** Opens an engine, with limits for which RocksDB can allocate the buffers. The options are locked. */
    long open(LongSupplier opening) {
        limiters().forEach(limiter -> limiter.state_.limitBackups());
        long backups = CApi.rocksdb_backup_engine_options_get_backup_rate_limit(options.nativeHandle_);
        long restores = CApi.rocksdb_backup_engine_options_get_restore_rate_limit(options.nativeHandle_);
        try {
            setBackupRateLimit(Math.min(backups, MOST_A_SECOND));
            setRestoreRateLimit(Math.min(restores, MOST_A_SECOND));
            return opening.getAsLong();
        } finally {
            setBackupRateLimit(backups);
            setRestoreRateLimit(restores);
        }
    }

    /** Checks how many bytes a rate limiter lets through at once. */
    static void checkBurst(long bytes) {
        OptionChecks.check("singleBurstBytes of a rate limiter of backups", bytes, 1, MOST_AT_ONCE);
    }
}
