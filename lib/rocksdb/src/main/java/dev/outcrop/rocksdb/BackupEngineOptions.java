package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Options for opening a directory with backups. Receivers copy the options, so they can be changed and used again. There is nothing to
 * close. Thread-safe.
 */
public final class BackupEngineOptions extends BackupEngineOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @param directory for the backups; created when it is opened for writing
     * @throws IllegalArgumentException if there is a NUL character in {@code directory}
     */
    public BackupEngineOptions(Path directory) {
        super(() -> create(directory), CApi::rocksdb_backup_engine_options_destroy);
    }

    private static long create(Path directory) {
        try (Scratch scratch = ApiCall.scratch()) {
            return NativeBackups.newOptions(ApiCall.in(scratch, OsPath.text(directory.toAbsolutePath())));
        }
    }

    /**
     * Returns the directory for the backups.
     *
     * @return absolute
     */
    public Path backupDir() {
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment length = scratch.allocate(Long.BYTES, Long.BYTES);
            synchronized (this) {
                return OsPath.of(OptionValues.string(
                        CApi.rocksdb_backup_engine_options_get_backup_dir(reading(), length.address()), length));
            }
        }
    }

    /**
     * Sets where the backups are, instead of in the operating system's files.
     *
     * @param env for any number of options
     * @return this object
     */
    public synchronized BackupEngineOptions env(Env env) {
        NativeBackups.setEnv(changing(), env.address());
        owned.keep("backup_env", env);
        return this;
    }

    /**
     * Limits the rate of making backups. Takes precedence over {@link #backupRateLimit(long)}.
     *
     * @param limiter for any number of options
     * @return this object
     */
    public synchronized BackupEngineOptions backupRateLimiter(RateLimiter limiter) {
        limiter.use(address -> NativeBackups.setBackupRateLimiter(changing(), address));
        return this;
    }

    /**
     * Limits the rate of restoring backups. Takes precedence over {@link #restoreRateLimit(long)}.
     *
     * @param limiter for any number of options
     * @return this object
     */
    public synchronized BackupEngineOptions restoreRateLimiter(RateLimiter limiter) {
        limiter.use(address -> NativeBackups.setRestoreRateLimiter(changing(), address));
        return this;
    }

    /** Whether the backups are elsewhere than in the operating system's files. */
    boolean hasOwnEnv() {
        return owned.kept().containsKey("backup_env");
    }
}
