package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import java.io.File;

/** Makes checkpoints of an open database, with links to its files where possible. Thread-safe. */
public class Checkpoint extends RocksObject {

    private final RocksDB database_;

    Checkpoint(RocksDB database, long nativeHandle) {
        super(nativeHandle);
        database_ = database;
    }

    /**
     * Makes a checkpoint object for a database.
     *
     * @param db the database; it must be open when a copy is made
     * @return the object, which the caller must close
     */
    public static Checkpoint create(RocksDB db) {
        if (db == null) {
            throw new IllegalArgumentException("RocksDB instance shall not be null.");
        }
        try (Scratch scratch = db.use()) {
            long checkpoint = NativeCheckpoints.open(db.nativeHandle_, Errors.place(scratch));
            Errors.check(scratch);
            return new Checkpoint(db, checkpoint);
        } catch (RocksDBException e) {
            throw new IllegalStateException("RocksDB makes no checkpoints of this database", e);
        }
    }

    /**
     * Copies the database, without logs that have no records.
     *
     * @param checkpointPath a directory that does not exist yet
     * @throws RocksDBException if it exists, or cannot be written
     */
    public void createCheckpoint(String checkpointPath) throws RocksDBException {
        CallbackRestrictions.requireMayWait("a flush");
        boolean mayBeLocal = checkpointPath != null && !new File(checkpointPath).exists();
        try (Scratch scratch = database_.use(); ComparatorMonitor _ = database_.state_.change(); Scratch _ = use()) {
            NativeCheckpoints.create(scratch, nativeHandle_, NativeValues.text(scratch, checkpointPath), 0);
            Errors.check(scratch);
        }
        if (mayBeLocal) {
            removeEmptyLogs(new File(checkpointPath));
        }
    }

    /** Deletes empty logs, as RocksDB did before version 9: Flink cannot store empty files. */
    private static void removeEmptyLogs(File checkpoint) {
        File[] logs = checkpoint.listFiles((directory, name) -> name.endsWith(".log"));
        if (logs == null) {
            // The database is in memory, in an Env.
            return;
        }
        for (File log : logs) {
            if (log.length() == 0) {
                // If this fails, the log is as harmless as with the published jar.
                boolean _ = log.delete();
            }
        }
    }

    /**
     * Exports the files of a column family.
     *
     * @param columnFamilyHandle a family of the database
     * @param exportPath         a directory that does not exist yet
     * @return the metadata to import, which the caller must close
     * @throws RocksDBException if it exists, or cannot be written
     */
    public ExportImportFilesMetaData exportColumnFamily(ColumnFamilyHandle columnFamilyHandle, String exportPath)
            throws RocksDBException {
        CallbackRestrictions.requireMayWait("a flush");
        try (Scratch scratch = database_.use(); ComparatorMonitor _ = database_.state_.change(); Scratch _ = use()) {
            long files = NativeCheckpoints.export(scratch, nativeHandle_, columnFamilyHandle.in(database_),
                    NativeValues.text(scratch, exportPath));
            Errors.check(scratch);
            return new ExportImportFilesMetaData(files);
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        NativeCheckpoints.close(handle);
    }
}
