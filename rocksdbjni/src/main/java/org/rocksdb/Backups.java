package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
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
                long engine = CApi.rocksdb_backup_engine_open_opts(options.nativeHandle_,
                        Natives.environment(scratch, environment),
                        Errors.place(scratch));
                Errors.check(scratch);
                BackupEngine made = new BackupEngine(engine);
                made.parts_.keep(options.parts_);
                made.parts_.keep(environment, entered);
                made.parts_.keep(ofBackups, enteredOfBackups);
                return made;
            }
        }
    }

    static void createNewBackup(BackupEngine engine, RocksDB database) throws RocksDBException {
        createNewBackup(engine, database, false);
    }

    static void createNewBackup(BackupEngine engine, RocksDB database, boolean flush) throws RocksDBException {
        InsideCallbacks.requireMayWait("a backup");
        synchronized (engine) {
            try (Scratch scratch = engine.use();
                    Scratch _ = database.use();
                    OrderWatch _ = database.parts_.change()) {
                engine.parts_.checkLimiters();
                CApi.rocksdb_backup_engine_create_new_backup_flush(engine.nativeHandle_, database.nativeHandle_,
                        Natives.flag(flush), Errors.place(scratch));
                Errors.check(scratch);
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
                byte[] text = metadata.getBytes(java.nio.charset.StandardCharsets.UTF_8);
                long options = CApi.rocksdb_create_backup_options_create();
                try {
                    CApi.rocksdb_create_backup_options_set_flush_before_backup(options, Natives.flag(flush));
                    CApi.rocksdb_backup_engine_create_new_backup_with_metadata(engine.nativeHandle_,
                            database.nativeHandle_, options, Natives.copy(scratch, text), text.length,
                            scratch.wordAddress(1), Errors.place(scratch));
                } finally {
                    CApi.rocksdb_create_backup_options_destroy(options);
                }
                Errors.check(scratch);
            }
        }
    }

    static List<BackupInfo> getBackupInfo(BackupEngine engine) {
        synchronized (engine) {
            try (Scratch scratch = engine.use()) {
                long info = CApi.rocksdb_backup_engine_get_backup_info(engine.nativeHandle_);
                try {
                    List<BackupInfo> backups = new ArrayList<>();
                    for (int i = 0; i < CApi.rocksdb_backup_engine_info_count(info); i++) {
                        long metadata = CApi.rocksdb_backup_engine_info_app_metadata(info, i, scratch.wordAddress(0));
                        long length = scratch.word(0);
                        backups.add(new BackupInfo(CApi.rocksdb_backup_engine_info_backup_id(info, i),
                                CApi.rocksdb_backup_engine_info_timestamp(info, i),
                                CApi.rocksdb_backup_engine_info_size(info, i),
                                CApi.rocksdb_backup_engine_info_number_files(info, i),
                                length == 0 ? null : Natives.text(metadata, length)));
                    }
                    return backups;
                } finally {
                    CApi.rocksdb_backup_engine_info_destroy(info);
                }
            }
        }
    }

    static void purgeOldBackups(BackupEngine engine, int keep) throws RocksDBException {
        synchronized (engine) {
            try (Scratch scratch = engine.use()) {
                CApi.rocksdb_backup_engine_purge_old_backups(engine.nativeHandle_, keep, Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }

    static void restoreDbFromBackup(BackupEngine engine, int backup, String path, String logPath,
            RestoreOptions options) throws RocksDBException {
        synchronized (engine) {
            try (Scratch scratch = engine.use(); Scratch _ = options.use()) {
                engine.parts_.checkLimiters();
                CApi.rocksdb_backup_engine_restore_db_from_backup(engine.nativeHandle_, Natives.text(scratch, path),
                        Natives.text(scratch, logPath), options.nativeHandle_, backup, Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }

    static void restoreDbFromLatestBackup(BackupEngine engine, String path, String logPath, RestoreOptions options)
            throws RocksDBException {
        synchronized (engine) {
            try (Scratch scratch = engine.use(); Scratch _ = options.use()) {
                engine.parts_.checkLimiters();
                CApi.rocksdb_backup_engine_restore_db_from_latest_backup(engine.nativeHandle_,
                        Natives.text(scratch, path), Natives.text(scratch, logPath), options.nativeHandle_,
                        Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }

    static long restoreOptions(boolean keepLogFiles) {
        long options = CApi.rocksdb_restore_options_create();
        CApi.rocksdb_restore_options_set_keep_log_files(options, keepLogFiles ? 1 : 0);
        return options;
    }
}
