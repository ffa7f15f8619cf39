package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;

/**
 * Keeps the compactions of a database from replacing its files after a comparator has failed. Stopping the background work is not enough: a
 * compaction checks for the last time whether it is stopped, then adds the deleted ranges to its last file, and compares keys for that.
 * Afterwards it only checks whether there is space for the file (CompactionJob::FinishCompactionOutputFile). So the database has a manager of
 * table files, which allows no space after the failure.
 *
 * <p>The manager belongs to one database: if several databases run out of the space of one manager, RocksDB may wait without end
 * (SstFileManagerImpl::StartErrorRecovery). Every database that is opened for writing has one, because a family with a comparator in Java may
 * be created later.
 */
public final class CompactionVeto implements AutoCloseable {
    private static final long NO_LIMIT = 0;
    private static final long NO_SPACE = 1;

    /** The {@code rocksdb_sst_file_manager_t *}; 0 if this is closed. */
    private long manager;
    private boolean hasListener;

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

    /**
     * Adds the manager to the options that the database is opened with. If a comparator in Java orders keys, also adds a listener that tells
     * comparators which threads write files.
     *
     * @param options         the {@code rocksdb_options_t *}
     * @param isOrderedInJava whether a comparator in Java orders keys
     * @param opening         the failure of the database until it is open
     */
    public void addTo(long options, boolean isOrderedInJava, ComparatorFailure opening) {
        NativeDbOptions.setFileManager(options, manager);
        if (isOrderedInJava) {
            JobListener.addTo(options);
            hasListener = true;
        }
        attachTo(opening);
    }

    /** Sets this as soon as the comparators of the database fail. */
    public void attachTo(ComparatorFailure order) {
        order.vetoBy(this::set, hasListener);
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
