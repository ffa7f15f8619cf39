package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Watches the space of the table files of all databases that share it: limits the space, and deletes files slowly, so that the disk stays
 * responsive. There is nothing to close. Thread-safe.
 */
public final class SstFileManager extends SharedObject {
    private final ReentrantLock starting = new ReentrantLock();

    /** Watches files of the operating system. */
    public SstFileManager() {
        this(Env.defaultEnv());
    }

    /**
     * Watches the files of an environment.
     *
     * @param env the environment of the databases that share this
     */
    public SstFileManager(Env env) {
        super(() -> env.ask(NativeResources::newFileManager), NativeResources::destroyFileManager);
        owned.keep("env", env);
    }

    /**
     * Limits the space: writes fail when it is used up.
     *
     * @param bytes 0 for no limit
     * @return this object
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public SstFileManager maxAllowedSpaceUsage(long bytes) {
        use(address -> NativeResources.limitSpace(address,
                OptionValues.notNegative("max_allowed_space_usage", bytes)));
        return this;
    }

    /**
     * Sets how much of the allowed space compactions leave free.
     *
     * @param bytes 0 if not set
     * @return this object
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public SstFileManager compactionBufferSize(long bytes) {
        use(address -> CApi.rocksdb_sst_file_manager_set_compaction_buffer_size(address,
                OptionValues.notNegative("compaction_buffer_size", bytes)));
        return this;
    }

    /**
     * Sets how fast files are deleted.
     *
     * @param bytesPerSecond 0 or less deletes at once
     * @return this object
     */
    public SstFileManager deleteRateBytesPerSecond(long bytesPerSecond) {
        // RocksDB starts a thread if there is none yet; if two callers do so at a time, it ends the process.
        starting.lock();
        try {
            use(address -> NativeResources.setDeleteRate(address, bytesPerSecond));
        } finally {
            starting.unlock();
        }
        return this;
    }

    /**
     * Returns the rate at which files are deleted.
     *
     * @return bytes per second, 0 if they are deleted at once
     */
    public long deleteRateBytesPerSecond() {
        return ask(CApi::rocksdb_sst_file_manager_get_delete_rate_bytes_per_second);
    }

    /**
     * Sets the highest ratio of files that wait for deletion to all other files; beyond it, files are deleted at once.
     *
     * @param ratio a finite number
     * @return this object
     * @throws IllegalArgumentException if {@code ratio} is not finite
     */
    public SstFileManager maxTrashDbRatio(double ratio) {
        use(address -> NativeResources.setMaxTrashRatio(address, OptionValues.finite("max_trash_db_ratio", ratio)));
        return this;
    }

    /**
     * Returns the highest ratio of files that wait for deletion to all other files.
     *
     * @return the ratio
     */
    public double maxTrashDbRatio() {
        return ask(CApi::rocksdb_sst_file_manager_get_max_trash_db_ratio);
    }

    /**
     * Returns whether the allowed space is used up.
     *
     * @return true if it is
     */
    public boolean isMaxAllowedSpaceReached() {
        return ask(CApi::rocksdb_sst_file_manager_is_max_allowed_space_reached);
    }

    /**
     * Returns whether the running compactions will use up the allowed space.
     *
     * @return true if it will
     */
    public boolean isMaxAllowedSpaceReachedIncludingCompactions() {
        return ask(CApi::rocksdb_sst_file_manager_is_max_allowed_space_reached_including_compactions);
    }

    /**
     * Returns the space that is taken.
     *
     * @return bytes in table and blob files
     */
    public long totalSize() {
        return ask(CApi::rocksdb_sst_file_manager_get_total_size);
    }

    /**
     * Returns the space of files that wait for deletion.
     *
     * @return bytes
     */
    public long totalTrashSize() {
        return ask(CApi::rocksdb_sst_file_manager_get_total_trash_size);
    }
}
