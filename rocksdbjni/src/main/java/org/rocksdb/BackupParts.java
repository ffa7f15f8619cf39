package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackups;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The objects that options of backups were given; they live as long as the options do. */
final class BackupParts {

    private final BackupEngineOptions options;
    private Env environment;
    private RateLimiter backupLimiter;
    private RateLimiter restoreLimiter;
    private final List<Held> held = new ArrayList<>();

    BackupParts(BackupEngineOptions options) {
        this.options = options;
    }

    void setBackupEnv(Env env) {
        try (Scratch scratch = options.use(); Scratch _ = env.use()) {
            NativeBackups.setEnv(options.nativeHandle_, Natives.environment(scratch, env));
        }
        environment = env;
    }

    Env backupEnv() {
        return environment;
    }

    void setBackupRateLimiter(RateLimiter limiter) {
        try (Scratch _ = options.use(); Scratch entered = limiter.use()) {
            hold(limiter, entered);
            NativeBackups.setBackupRateLimiter(options.nativeHandle_, limiter.nativeHandle_);
        }
        backupLimiter = limiter;
    }

    RateLimiter backupRateLimiter() {
        return backupLimiter;
    }

    void setRestoreRateLimiter(RateLimiter limiter) {
        try (Scratch _ = options.use(); Scratch entered = limiter.use()) {
            hold(limiter, entered);
            NativeBackups.setRestoreRateLimiter(options.nativeHandle_, limiter.nativeHandle_);
        }
        restoreLimiter = limiter;
    }

    private void hold(RateLimiter limiter, Scratch entered) {
        held.add(new Held(limiter, entered));
    }

    /** What keeps the limiters in memory, closed or not: their rates are looked at later, too. */
    synchronized List<Held> held() {
        return List.copyOf(held);
    }

    List<RateLimiter> limiters() {
        return Stream.of(backupLimiter, restoreLimiter).filter(Objects::nonNull).toList();
    }

    RateLimiter restoreRateLimiter() {
        return restoreLimiter;
    }
}
