package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes, lists and restores backups. Threads that use an engine at once wait for each other. */
final class Backups {

    private Backups() {
    }

    static BackupEngine open(Env environment, BackupEngineOptions options) throws RocksDBException {
        Env ofBackups = options.parts_.backupEnv() == null ? environment : options.parts_.backupEnv();
        try (Scratch scratch = options.use();
                Scratch entered = environment.use();
                Scratch enteredOfBackups = ofBackups.use()) {
            // With the lock: what was checked must be what RocksDB copies.
            synchronized (options.parts_) {
                Ranges.check("maxBackgroundOperations",
                        CApi.rocksdb_backup_engine_options_get_max_background_operations(options.nativeHandle_), 1,
                        Ranges.MOST_THREADS);
                if (CApi.rocksdb_backup_engine_options_get_callback_trigger_interval_size(options.nativeHandle_) == 0) {
                    throw new IllegalArgumentException(
                            "callbackTriggerIntervalSize must not be 0: RocksDB would take steps of it for ever");
                }
                BackupLimits.check(options);
                long engine = NativeBackups.open(scratch, options.nativeHandle_,
                        Natives.environment(scratch, environment));
                Errors.check(scratch);
                BackupEngine made = new BackupEngine(engine);
                made.parts_.keep(options.parts_);
                made.parts_.keep(environment, entered);
                made.parts_.keep(ofBackups, enteredOfBackups);
                return made;
            }
        }
    }

    static void createNewBackupWithMetadata(BackupEngine engine, RocksDB database, String metadata, boolean flush)
            throws RocksDBException {
        InsideCallbacks.requireMayWait("a backup");
        synchronized (engine) {
            try (Scratch scratch = engine.use();
                    Scratch _ = database.use();
                    OrderWatch _ = database.parts_.change()) {
                engine.parts_.checkLimiters();
                long options = NativeBackups.newCreateOptions();
                try {
                    CApi.rocksdb_create_backup_options_set_flush_before_backup(options, Natives.flag(flush));
                    int _ = NativeBackups.create(scratch, engine.nativeHandle_, database.nativeHandle_, options,
                            metadata.getBytes(StandardCharsets.UTF_8));
                } finally {
                    NativeBackups.destroyCreateOptions(options);
                }
                Errors.check(scratch);
            }
        }
    }

    static List<BackupInfo> getBackupInfo(BackupEngine engine) {
        synchronized (engine) {
            try (Scratch scratch = engine.use()) {
                List<BackupInfo> backups = new ArrayList<>();
                for (NativeBackups.Info info : NativeBackups.infos(scratch, engine.nativeHandle_)) {
                    byte[] metadata = info.metadata().toArray(ValueLayout.JAVA_BYTE);
                    backups.add(new BackupInfo(info.id(), info.timestamp(), info.size(), info.files(),
                            metadata.length == 0 ? null : new String(metadata, StandardCharsets.UTF_8)));
                }
                return backups;
            }
        }
    }

    static void purgeOldBackups(BackupEngine engine, int keep) throws RocksDBException {
        synchronized (engine) {
            try (Scratch scratch = engine.use()) {
                NativeBackups.purge(scratch, engine.nativeHandle_, keep);
                Errors.check(scratch);
            }
        }
    }

    static void restoreDbFromBackup(BackupEngine engine, int backup, String path, String logPath,
            RestoreOptions options) throws RocksDBException {
        synchronized (engine) {
            try (Scratch scratch = engine.use(); Scratch _ = options.use()) {
                engine.parts_.checkLimiters();
                NativeBackups.restore(scratch, engine.nativeHandle_, Natives.text(scratch, path),
                        Natives.text(scratch, logPath), options.nativeHandle_, backup);
                Errors.check(scratch);
            }
        }
    }

    static void restoreDbFromLatestBackup(BackupEngine engine, String path, String logPath, RestoreOptions options)
            throws RocksDBException {
        synchronized (engine) {
            try (Scratch scratch = engine.use(); Scratch _ = options.use()) {
                engine.parts_.checkLimiters();
                NativeBackups.restoreLatest(scratch, engine.nativeHandle_, Natives.text(scratch, path),
                        Natives.text(scratch, logPath), options.nativeHandle_);
                Errors.check(scratch);
            }
        }
    }

    static long restoreOptions(boolean keepLogFiles) {
        long options = NativeBackups.newRestoreOptions();
        CApi.rocksdb_restore_options_set_keep_log_files(options, keepLogFiles ? 1 : 0);
        return options;
    }
}
