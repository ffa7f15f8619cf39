package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Calls of {@code BackupEngine}. A lock on the engine serializes threads. */
final class Backups {

    private Backups() {
    }

    static BackupEngine open(Env environment, BackupEngineOptions options) throws RocksDBException {
        CallbackGuard.requireToWork();
        Env ofBackups = options.state_.environment == null ? environment : options.state_.environment;
        try (Scratch scratch = options.use();
                Scratch entered = environment.use();
                Scratch enteredOfBackups = ofBackups.use()) {
            // The lock makes sure that RocksDB copies the options that were checked.
            synchronized (options.state_) {
                OptionChecks.check("maxBackgroundOperations",
                        CApi.rocksdb_backup_engine_options_get_max_background_operations(options.nativeHandle_), 1,
                        OptionChecks.MOST_THREADS);
                if (CApi.rocksdb_backup_engine_options_get_callback_trigger_interval_size(options.nativeHandle_) == 0) {
                    throw new IllegalArgumentException(
                            "callbackTriggerIntervalSize must not be 0: RocksDB would take steps of it forever");
                }
                long engine = options.state_.open(() -> NativeBackups.open(scratch, options.nativeHandle_,
                        NativeValues.environment(scratch, environment)));
                Errors.check(scratch);
                BackupEngine made = new BackupEngine(engine);
                made.state_.keep(options.state_);
                // The options may have a logger in Java.
                made.callsJava();
                made.state_.keep(environment, entered);
                made.state_.keep(ofBackups, enteredOfBackups);
                return made;
            }
        }
    }

    /** A call of a native engine. */
    private interface Call {
        void run(Scratch scratch, long engine);
    }

    private static void call(BackupEngine engine, Call call) throws RocksDBException {
        synchronized (engine) {
            try (Scratch scratch = engine.use()) {
                call.run(scratch, engine.nativeHandle_);
                Errors.check(scratch);
            }
        }
    }

    static void createNewBackupWithMetadata(BackupEngine engine, RocksDB database, String metadata, boolean flush)
            throws RocksDBException {
        CallbackRestrictions.requireMayWait("a backup");
        synchronized (engine) {
            try (Scratch _ = engine.use();
                    Scratch _ = database.use();
                    ComparatorMonitor _ = database.state_.change()) {
                call(engine, (scratch, handle) -> {
                    engine.state_.checkLimiters();
                    long options = NativeBackups.newCreateOptions();
                    try {
                        CApi.rocksdb_create_backup_options_set_flush_before_backup(options, NativeValues.flag(flush));
                        int _ = NativeBackups.create(scratch, handle, database.nativeHandle_, options,
                                metadata.getBytes(StandardCharsets.UTF_8));
                    } finally {
                        NativeBackups.destroyCreateOptions(options);
                    }
                });
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

    /** Deletes a backup, and files that no other backup needs. */
    static void deleteBackup(BackupEngine engine, int backup) throws RocksDBException {
        synchronized (engine) {
            try (Scratch _ = engine.use()) {
                BackupEngine.jniDeleteBackup(JniWrappers.object(engine.nativeHandle_), backup);
            }
        }
    }

    /** Deletes files of unfinished backups. */
    static void garbageCollect(BackupEngine engine) throws RocksDBException {
        synchronized (engine) {
            try (Scratch _ = engine.use()) {
                BackupEngine.jniGarbageCollect(JniWrappers.object(engine.nativeHandle_));
            }
        }
    }

    /** Returns the numbers of backups that could not be read when the engine was opened. */
    static int[] getCorruptedBackups(BackupEngine engine) {
        synchronized (engine) {
            try (Scratch _ = engine.use()) {
                return BackupEngine.jniGetCorruptedBackups(JniWrappers.object(engine.nativeHandle_));
            }
        }
    }

    static void purgeOldBackups(BackupEngine engine, int keep) throws RocksDBException {
        call(engine, (scratch, handle) -> NativeBackups.purge(scratch, handle, keep));
    }

    static void restoreDbFromBackup(BackupEngine engine, int backup, String path, String logPath,
            RestoreOptions options) throws RocksDBException {
        call(engine, (scratch, handle) -> {
            try (Scratch _ = options.use()) {
                engine.state_.checkLimiters();
                NativeBackups.restore(scratch, handle, NativeValues.text(scratch, path),
                        NativeValues.text(scratch, logPath), options.nativeHandle_, backup);
            }
        });
    }

    static void restoreDbFromLatestBackup(BackupEngine engine, String path, String logPath, RestoreOptions options)
            throws RocksDBException {
        call(engine, (scratch, handle) -> {
            try (Scratch _ = options.use()) {
                engine.state_.checkLimiters();
                NativeBackups.restoreLatest(scratch, handle, NativeValues.text(scratch, path),
                        NativeValues.text(scratch, logPath), options.nativeHandle_);
            }
        });
    }

    static long restoreOptions(boolean keepLogFiles) {
        long options = NativeBackups.newRestoreOptions();
        CApi.rocksdb_restore_options_set_keep_log_files(options, keepLogFiles ? 1 : 0);
        return options;
    }
}
