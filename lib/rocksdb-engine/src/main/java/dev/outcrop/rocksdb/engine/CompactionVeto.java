package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;

/**
 * Keeps the compactions of a database from replacing its files after a comparator has failed. To stop the background work is not enough: a
 * compaction adds the deleted ranges to its last file after it has looked for the last time whether it is stopped, and it compares keys for
 * that. But it still looks whether there is space for the file (CompactionJob::FinishCompactionOutputFile). So the database has a manager
 * of table files, which then allows no space.
 *
 * <p>The manager belongs to one database: if several databases run out of the space of one manager, RocksDB may wait without end
 * (SstFileManagerImpl::StartErrorRecovery).
 */
public final class CompactionVeto implements AutoCloseable {
    private static final long NO_LIMIT = 0;
    private static final long NO_SPACE = 1;

    /** The {@code rocksdb_sst_file_manager_t *}; 0 if this is closed. */
    private long manager;
    private volatile boolean knowsJobs;

    private CompactionVeto(long manager) {
        this.manager = manager;
    }

    /**
     * Makes the veto for a database. The program must have given no manager of table files to it.
     *
     * @param env the {@code rocksdb_env_t *} of the database
     */
    public static CompactionVeto of(long env) {
        CompactionVeto veto = new CompactionVeto(NativeResources.newFileManager(env));
        // The first call of a function allocates, and set must not.
        NativeResources.limitSpace(veto.manager, NO_LIMIT);
        return veto;
    }

    /** Gives the manager to the {@code rocksdb_options_t *} that the database is opened with. */
    public void addTo(long options) {
        NativeDbOptions.setFileManager(options, manager);
    }

    /** Lets comparators know which threads are writing files. Called with the same options if a comparator in Java orders keys. */
    public void addJobListener(long options) {
        JobListener.addTo(options);
        knowsJobs = true;
    }

    /** Makes the failure of a database set this. */
    public void attachTo(ComparatorFailure order) {
        order.vetoBy(this::set, knowsJobs);
    }

    /** Lets all running and further compactions fail. Called inside an upcall; allocates nothing. */
    private synchronized void set() {
        if (manager != 0) {
            NativeResources.limitSpace(manager, NO_SPACE);
        }
    }

    /** Frees the manager. Called when the native database is closed. */
    @Override
    public synchronized void close() {
        if (manager != 0) {
            NativeResources.destroyFileManager(manager);
            manager = 0;
        }
    }
}
