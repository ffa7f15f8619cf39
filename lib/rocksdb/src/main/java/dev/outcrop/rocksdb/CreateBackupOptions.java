package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.BackupCallbacks;
import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.function.Predicate;

/** Options for making a backup. Cannot be changed once in use. There is nothing to close. Thread-safe. */
public final class CreateBackupOptions extends CreateBackupOptionsSetters {
    /** Makes RocksDB's default options. */
    public CreateBackupOptions() {
        super(NativeBackups::newCreateOptions, NativeBackups::destroyCreateOptions);
    }

    /**
     * Sets the callback for progress.
     *
     * @param progress called now and then during a backup, by the thread that makes the backup or by a thread of RocksDB. If the callback
     *                 throws, the exception is logged; the method that makes the backup throws it if it runs on the same thread. The
     *                 callback can only stop the backup engine; the engine's other methods throw {@link IllegalStateException}
     * @return this object
     */
    public synchronized CreateBackupOptions progressCallback(Runnable progress) {
        long options = changing();
        BackupCallbacks made = BackupCallbacks.progress(progress);
        CApi.rocksdb_create_backup_options_set_progress_callback(options, made.id(), BackupCallbacks.PROGRESS);
        owned.keep("progress", made);
        return this;
    }

    /**
     * Sets which files a backup leaves out, because they are kept in other backups. The engine must be open with a schema version of at
     * least 2.
     *
     * @param exclude given the name of a file in the backup directory, returns whether the file may be left out. If the callback throws,
     *                the file is not left out, and the exception is logged; the method that makes the backup throws it if it runs on the
     *                same thread
     * @return this object
     */
    public synchronized CreateBackupOptions excludeFilesCallback(Predicate<String> exclude) {
        long options = changing();
        BackupCallbacks made = BackupCallbacks.exclude(exclude);
        CApi.rocksdb_create_backup_options_set_exclude_files_callback(options, made.id(), BackupCallbacks.EXCLUDE);
        owned.keep("exclude_files", made);
        return this;
    }
}
