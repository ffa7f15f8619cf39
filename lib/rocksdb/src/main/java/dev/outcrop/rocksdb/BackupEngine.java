package dev.outcrop.rocksdb;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.BackupFiles;
import dev.outcrop.rocksdb.engine.NativeBackups;
import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.StampedLock;
import java.util.function.LongSupplier;

/**
 * A directory with backups of a database. Backups share table files, so that each takes only the space and time of new files.
 *
 * <pre>{@code
 * try (BackupEngine backups = BackupEngine.open(new BackupEngineOptions(directory))) {
 *     int id = backups.create(db);
 *     backups.verify(id);
 *     backups.purge(7);
 *     backups.restoreLatest(where, new RestoreOptions());
 * }
 * }</pre>
 *
 * <p>Thread-safe: backups are made one after another; several may be verified and restored at the same time. At any time, only one engine
 * in all processes may have a directory open; this class checks that within the process. {@link #close()} waits for running calls; {@link
 * #stopBackup()} makes them end.
 */
public final class BackupEngine implements AutoCloseable {
    /** Directories that are open: two engines would delete each other's files. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final long engine;
    private final Lifetime lifetime;
    private final boolean inFiles;
    /** Whether RocksDB looks into table files to name them. */
    private final boolean readsTables;
    /** Objects that the native engine points to. */
    private final List<Object> kept;
    /** RocksDB has such a lock too, and cannot report that it would wait for it. */
    private final StampedLock lock = new StampedLock();

    private BackupEngine(Path directory, long engine, boolean inFiles, boolean readsTables, List<Object> kept) {
        this.readsTables = readsTables;
        this.directory = directory;
        this.engine = engine;
        this.inFiles = inFiles;
        this.kept = kept;
        this.lifetime = new Lifetime(this, "backup engine of " + directory, this::free);
    }

    /**
     * Opens a directory with backups, and creates it if it does not exist.
     *
     * @param options where the backups are, and how to make them; copied
     * @return the engine, which the caller must close
     * @throws RocksDBException if the directory is open already, or cannot be used
     */
    public static BackupEngine open(BackupEngineOptions options) {
        return open(options, Env.defaultEnv());
    }

    /**
     * Opens a directory with backups, and creates it if it does not exist.
     *
     * @param options where the backups are, and how to make them; copied
     * @param env     the environment of the databases
     * @return the engine, which the caller must close
     * @throws RocksDBException if the directory is open already, or cannot be used
     */
    public static BackupEngine open(BackupEngineOptions options, Env env) {
        NativeCalls.requireAccess();
        StackCheck.require(CallbackGuard.WORKING);
        Path directory = DatabaseDirectory.normalize(options.backupDir());
        Objects.requireNonNull(env, "env");
        Linkage.linkNow("rocksdb_backup_engine_close");
        if (!OPEN.add(directory)) {
            throw RocksDBException.of(Status.Code.BUSY, "The backup directory " + directory
                    + " is open already in this process; use that engine, which is thread-safe, or close it first");
        }
        try (Scratch scratch = ApiCall.scratch()) {
            long engine;
            boolean hasOwnEnv;
            boolean readsTables;
            List<Object> kept = new ArrayList<>();
            synchronized (options) {
                engine = NativeBackups.open(scratch, options.reading(), env.address());
                kept.addAll(options.kept());
                hasOwnEnv = options.hasOwnEnv();
                readsTables = options.shareTableFiles() && options.shareFilesWithChecksum()
                        && options.shareFilesWithChecksumNaming() != BackupFileNaming.LEGACY_CRC32C_AND_FILE_SIZE;
            }
            kept.add(env);
            ApiCall.check(scratch, "Cannot open the backup directory " + directory, engine, NativeBackups::close);
            return new BackupEngine(directory, engine, !hasOwnEnv, readsTables, kept);
        } catch (Throwable e) {
            OPEN.remove(directory);
            throw e;
        }
    }

    /**
     * Makes a backup, with RocksDB's default options.
     *
     * @param db the database
     * @return the id of the backup
     * @throws RocksDBException see {@link #create(RocksDB, CreateBackupOptions, String)}
     */
    public int create(RocksDB db) {
        return create(db, new CreateBackupOptions());
    }

    /**
     * Makes a backup.
     *
     * @param db      the database
     * @param options how
     * @return the id of the backup
     * @throws RocksDBException see {@link #create(RocksDB, CreateBackupOptions, String)}
     */
    public int create(RocksDB db, CreateBackupOptions options) {
        return create(db, options, "");
    }

    /**
     * Makes a backup, and waits until that is done. The database may be written meanwhile; writes after the start of this call may be in
     * the backup or not.
     *
     * @param db       the database
     * @param options  how
     * @param metadata any text, which is stored with the backup
     * @return the id of the backup
     * @throws RocksDBException if the database was opened for reading, if the disk is full or fails; with {@link Status.Code#INCOMPLETE} if
     *                          {@link #stopBackup()} was called; with {@link Status.Code#NOT_SUPPORTED} if the flush must be atomic, and
     *                          other flushes may run at the same time
     */
    public int create(RocksDB db, CreateBackupOptions options, String metadata) {
        byte[] text = NativeText.bytes(Objects.requireNonNull(metadata, "metadata"));
        OpenDatabase database = db.database();
        try (Use _ = changing(); Scratch scratch = database.enterForBackgroundWait()) {
            database.requireWritable("backed up: RocksDB must keep its files from being deleted meanwhile");
            requireReadable(database);
            database.work.beforeFlush(options.atomicFlush());
            int id = NativeBackups.create(scratch, engine, database.db, options.use(), text);
            ApiCall.check(scratch, "Cannot make a backup of the " + database + " in " + directory);
            return id;
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Returns the backups. Damaged backups are left out, as far as RocksDB noticed the damage when the directory was opened.
     *
     * @return an unmodifiable list, the oldest first
     */
    public List<BackupInfo> infos() {
        try (Use use = reading()) {
            return NativeBackups.infos(use.scratch(), engine).stream().map(info -> new BackupInfo(info.id(),
                    Instant.ofEpochSecond(info.timestamp()), info.size(), info.files(),
                    NativeText.string(info.metadata().toArray(ValueLayout.JAVA_BYTE)))).toList();
        }
    }

    /**
     * Checks that all files of a backup are there and have the right sizes. {@link #verifyChecksums(int)} and restoring check the content.
     *
     * @param id the id of the backup
     * @throws RocksDBException if a file is missing or has another size, or there is no such backup
     */
    public void verify(int id) {
        try (Use use = reading()) {
            Scratch scratch = use.scratch();
            CApi.rocksdb_backup_engine_verify_backup(engine, requireId(id), ApiCall.error(scratch));
            ApiCall.check(scratch, "Backup " + id + " in " + directory + " is not sound");
        } catch (RocksDBException e) {
            throw explained(id, e);
        }
    }

    /** Returns a better exception if there is no such backup. */
    private RocksDBException explained(int id, RocksDBException failure) {
        if (failure.status().code() != Status.Code.NOT_FOUND) {
            return failure;
        }
        List<String> ids = infos().stream().map(BackupInfo::id).map(String::valueOf).toList();
        return ids.contains(String.valueOf(id))
                ? failure
                : new RocksDBException(failure.status(), "There is no backup " + id + " in " + directory + "; "
                        + (ids.isEmpty() ? "there is none at all" : "there are: " + String.join(", ", ids)));
    }

    /**
     * Reads all files of a backup and compares their checksums with the checksums that were stored when the backup was made.
     *
     * @param id the id of the backup
     * @throws RocksDBException if a file is damaged, missing or has another size, or there is no such backup; if the backups are
     *                          not in the operating system's files
     */
    public void verifyChecksums(int id) {
        verify(id);
        try (Use _ = reading()) {
            if (!inFiles) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                        "Only backups in the operating system's files can be read here, not those of another Env");
            }
            NativeStatus problem = BackupFiles.problem(directory, id);
            if (problem != null) {
                throw new RocksDBException(Status.of(problem), problem.message());
            }
        }
    }

    /**
     * Writes a database as it was when a backup was made.
     *
     * @param id       the id of the backup
     * @param database the directory for the database; files of another database in it are deleted
     * @param options  how
     * @throws RocksDBException if the database is open, if there is no such backup, if a file of it is damaged, or if the disk is full or
     *                          fails, with {@link Status.Code#INCOMPLETE} if {@link #stopBackup()} was called; the files that were restored
     *                          so far are then not a complete database
     */
    public void restore(int id, Path database, RestoreOptions options) {
        restore(id, database, database, options);
    }

    /**
     * Restores like {@link #restore(int, Path, RestoreOptions)}, for a database with its write-ahead logs in a separate directory.
     *
     * @param id       the id of the backup
     * @param database the directory for the database; files of another database in it are deleted
     * @param walDir   the directory for the logs
     * @param options  how
     * @throws RocksDBException see {@link #restore(int, Path, RestoreOptions)}
     */
    public void restore(int id, Path database, Path walDir, RestoreOptions options) {
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(walDir, "walDir");
        try {
            restore("backup " + requireId(id), database, walDir, options,
                    (scratch, db, wal, native_) -> NativeBackups.restore(scratch, engine, db, wal, native_, id));
        } catch (RocksDBException e) {
            throw explained(id, e);
        }
    }

    /**
     * Restores the last backup like {@link #restore(int, Path, RestoreOptions)}.
     *
     * @param database the directory for the database; files of another database in it are deleted
     * @param options  how
     * @throws RocksDBException see {@link #restore(int, Path, RestoreOptions)}
     */
    public void restoreLatest(Path database, RestoreOptions options) {
        restoreLatest(database, database, options);
    }

    /**
     * Restores the last backup like {@link #restore(int, Path, Path, RestoreOptions)}.
     *
     * @param database the directory for the database; files of another database in it are deleted
     * @param walDir   the directory for the logs
     * @param options  how
     * @throws RocksDBException see {@link #restore(int, Path, RestoreOptions)}
     */
    public void restoreLatest(Path database, Path walDir, RestoreOptions options) {
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(walDir, "walDir");
        restore("the last backup", database, walDir, options,
                (scratch, db, wal, native_) -> NativeBackups.restoreLatest(scratch, engine, db, wal, native_));
    }

    /** The shape of the calls that restore. */
    private interface Restore {
        void call(Scratch scratch, MemorySegment database, MemorySegment walDir, long options);
    }

    private void restore(String what, Path database, Path walDir, RestoreOptions options, Restore restore) {
        Path target = DatabaseDirectory.normalize(database);
        Path logs = DatabaseDirectory.normalize(walDir);
        try (Use use = reading()) {
            Scratch scratch = use.scratch();
            DatabaseDirectory.requireClosed("restore " + what + " to", target);
            // Restoring empties this one, too.
            DatabaseDirectory.requireClosed("restore the log of " + what + " to", logs);
            if (target.startsWith(directory) || directory.startsWith(target) || directory.startsWith(logs)) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "Cannot restore " + what
                        + " to " + target + ": one of the directories is inside the other, " + directory
                        + ", and restoring deletes files");
            }
            restore.call(scratch, OsPath.in(scratch, target), OsPath.in(scratch, logs), options.use());
            ApiCall.check(scratch, "Cannot restore " + what + " in " + directory + " to " + target);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Deletes all backups but the last ones, with the files that no other backup needs.
     *
     * @param backupsToKeep how many are left
     * @throws RocksDBException         if files cannot be deleted
     * @throws IllegalArgumentException if {@code backupsToKeep} is negative
     */
    public void purge(int backupsToKeep) {
        OptionValues.notNegative("The number of backups to keep", backupsToKeep);
        try (Use use = changing()) {
            Scratch scratch = use.scratch();
            NativeBackups.purge(scratch, engine, backupsToKeep);
            ApiCall.check(scratch, "Cannot delete backups in " + directory);
        }
    }

    /**
     * Ends a running backup or restore, which fails with {@link Status.Code#INCOMPLETE}. Afterwards, this engine can no longer make or
     * restore backups; it can only list, verify and delete them. To go on, close it and open another engine.
     */
    public void stopBackup() {
        StackCheck.require(CallbackGuard.WORKING);
        try (Scratch _ = lifetime.enter()) {
            CApi.rocksdb_backup_engine_stop_backup(engine);
        }
    }

    /**
     * Closes the engine; the backups stay. Waits for running calls. Does nothing if it was closed before.
     *
     * @throws IllegalStateException if the calling thread is in a callback from RocksDB
     */
    @Override
    public void close() {
        StackCheck.require(CallbackGuard.WORKING);
        CallbackGuard.requireMayClose(this);
        lifetime.close();
    }

    /**
     * Refuses comparators in Java: RocksDB opens each table file without its comparator to ask for its names, and crashes if ranges are
     * deleted in the file.
     */
    private void requireReadable(OpenDatabase database) {
        for (ColumnFamily family : database.families()) {
            if (readsTables && family.family().options.hasComparatorInJava()) {
                throw RocksDBException.of(Status.Code.NOT_SUPPORTED, "The " + family
                        + " has a comparator in Java, with which its files cannot be named as these options say; open the"
                        + " backup engine with shareFilesWithChecksumNaming("
                        + "BackupFileNaming.LEGACY_CRC32C_AND_FILE_SIZE)");
            }
        }
    }

    /** A use of the engine, together with others or alone. */
    private record Use(Scratch scratch, StampedLock lock, long stamp) implements AutoCloseable {
        @Override
        public void close() {
            lock.unlock(stamp);
            scratch.close();
        }
    }

    private Use reading() {
        return use(lock::readLock, lock::tryReadLock);
    }

    private Use changing() {
        return use(lock::writeLock, lock::tryWriteLock);
    }

    /** Does not wait inside a callback: the callback may be part of the running use. */
    private Use use(LongSupplier waiting, LongSupplier trying) {
        StackCheck.require(CallbackGuard.WORKING);
        Scratch scratch = lifetime.enter();
        try {
            RunningCallbacks running = RunningCallbacks.ofThread();
            long stamp = running.level() == 0 ? waiting.getAsLong() : trying.getAsLong();
            if (stamp == 0) {
                throw new IllegalStateException("The " + this + " is at work, perhaps for the call that the "
                        + running.at(running.level()) + " is part of, and cannot be waited for from inside. Use it when"
                        + " the call has returned, or in another thread that is not waited for here");
            }
            return new Use(scratch, lock, stamp);
        } catch (Throwable e) {
            scratch.close();
            throw e;
        }
    }

    private static int requireId(int id) {
        if (id < 1) {
            throw new IllegalArgumentException("Backups have ids from 1 on, not " + id);
        }
        return id;
    }

    private void free() {
        try {
            NativeBackups.close(engine);
            OPEN.remove(directory);
        } finally {
            Reference.reachabilityFence(kept);
        }
    }

    /** The engine's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
